#include <igraph.h>

#include "graph/igraph_bytes.h"
#include "graph/topology/topo.h"
#include "texts/topo.h"

static int open_star(struct net *net, const struct spec *spec, struct err *err)
{
    int64_t n;

    if (spec_int(&n, spec, 2, INT32_MAX, "number of nodes", err) < 0)
        return -1;
    net->n = (int)n;
    return spec_append(&net->spec, err, "star:%d", net->n);
}

static int topo_star_build(igraph_t *graph, const struct net *net, struct err *err)
{
    if (mem_need(igraph_bytes_create(net->n, net->n), net->spec, err) < 0)
        return -1;
    return net_status(igraph_star(graph, net->n, IGRAPH_STAR_UNDIRECTED, 0), net->spec, err);
}

static void topo_star_facts(const struct net *net, struct topo_facts *f)
{
    double n = net->n;

    f->nodes = f->terminals = n;
    f->edges = f->degree_max = n - 1;
    f->degree_min = 1;
    f->diameter = n > 2 ? 2 : 1;
    f->mean_hops = (2 * (n - 1) + 2 * (n - 1) * (n - 2)) / (n * (n - 1));
    f->bisection = floor(n / 2);
    f->bisection_source = "one cable per node of the half without the hub";
}

const struct topo topo_star = {
    TOPO_STAR_ENTRY, .layout = "circle", .open = open_star, .build = topo_star_build, .facts = topo_star_facts
};
