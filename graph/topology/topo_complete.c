#include "graph/topology/circulant.h"
#include "texts/topo.h"

#define MOST (1 << 20)           /* nodes: their cables are beyond 10^11 already */

static int open_complete(struct net *net, const struct spec *spec, struct err *err)
{
    int64_t n;
    int *jump, ret;

    if (spec_int(&n, spec, 2, MOST, "number of nodes", err) < 0 ||
        TAKE(spec->text, err, ARRAY(jump, n / 2)) < 0)
        return -1;
    for (int i = 0; i < n / 2; i++)
        jump[i] = i + 1;
    ret = circulant_open(net, (int)n, jump, (int)(n / 2), LINES_NONE, err);
    free(jump);
    return ret < 0 ? -1 : spec_append(&net->spec, err, "complete:%d", (int)n);
}

static void topo_complete_facts(const struct net *net, struct topo_facts *f)
{
    f->nodes = f->terminals = net->n;
    f->degree_min = f->degree_max = f->nodes - 1;
    f->edges = f->nodes * (f->nodes - 1) / 2;
    f->diameter = f->mean_hops = 1;
    f->bisection = floor(f->nodes / 2) * ceil(f->nodes / 2);
    f->bisection_source = "every pair across the cut is a cable";
}

const struct topo topo_complete = {
    TOPO_COMPLETE_ENTRY, .vertex_transitive = true, .layout = "circle", .open = open_complete,
    .facts = topo_complete_facts
};
