#include <igraph.h>
#include <stdlib.h>

#include "graph/topology/topo.h"
#include "texts/topo.h"

/* Hosts first, then edge, aggregation and core switches; hosts and switches pod by pod. */
static int open_fattree(struct net *net, const struct spec *spec, struct err *err)
{
    int64_t k;
    double nodes;

    if (spec_int(&k, spec, 2, 2000, "number of ports", err) < 0)
        return -1;
    if (k % 2)
        return err_set(err, ERR_USAGE, "'%.80s': a fat tree's switches have an even number of ports", spec->text);
    nodes = (double)k * (double)k * (double)k / 4 + 5 * (double)k * (double)k / 4;
    if (nodes > INT32_MAX)
        return err_set(err, ERR_USAGE, "'%.80s' would have more than %d nodes", spec->text, INT32_MAX);
    net->n = (int)nodes;
    net->nterminal = (int)(k * k * k / 4);
    net->param = malloc(sizeof(int));
    if (!net->param)
        return err_memory(err);
    *(int *)net->param = (int)k;
    if (topo_first_terminals(net, 3.0 * net->nterminal, spec->text, err) < 0)
        return -1;
    return spec_append(&net->spec, err, "fattree:%d", (int)k);
}

static int topo_fattree_build(igraph_t *graph, const struct net *net, struct err *err)
{
    const int k = *(const int *)net->param, half = k / 2, hosts = net->nterminal;
    const int edge = hosts, aggregation = edge + k * half, core = aggregation + k * half;
    size_t n = 0;
    igraph_integer_t *end = topo_ends(3.0 * hosts, net, err);

    if (!end)
        return -1;
    for (int h = 0; h < hosts; h++) {               /* a host, its place in the pod, and three cables for each */
        int pod = h / (half * half), in_pod = h / half % half, port = h % half;

        end[n++] = h;
        end[n++] = edge + pod * half + in_pod;
        end[n++] = edge + pod * half + in_pod;
        end[n++] = aggregation + pod * half + port;
        end[n++] = aggregation + pod * half + in_pod;
        end[n++] = core + in_pod * half + port;
    }
    return topo_from_edges(graph, end, n, net, err);
}

static void topo_fattree_facts(const struct net *net, struct topo_facts *f)
{
    double k = *(const int *)net->param, half = k / 2, hosts = net->nterminal;
    double same_switch = half - 1, same_pod = half * (half - 1);

    f->nodes = net->n;
    f->terminals = hosts;
    f->edges = 3 * hosts;
    f->degree_min = 1;
    f->degree_max = k;
    f->diameter = 6;
    f->mean_hops = (2 * same_switch + 4 * same_pod + 6 * (hosts - 1 - same_switch - same_pod)) / (hosts - 1);
    f->bisection = hosts / 2;
    f->bisection_source = "rearrangeably non-blocking: half of the hosts can send at full rate to the others";
}

static int radix(const struct net *net, int node)
{
    const int k = *(const int *)net->param;

    return node < k * k * k / 4 ? 0 : k;
}

static const char *const classes[] = { "host", "edge", "core", NULL };

static int class_of(const struct net *net, int a, int b)
{
    const int k = *(const int *)net->param, aggregation = net->nterminal + k * k / 2, core = aggregation + k * k / 2;

    return a < net->nterminal || b < net->nterminal ? 0 : a < core && b < core ? 1 : 2;
}

static const struct spec_key keys[] = {
    TOPO_CLASS_KEYS("host", "to hosts"), TOPO_CLASS_KEYS("edge", "from edge to aggregation switches"),
    TOPO_CLASS_KEYS("core", "from aggregation to core switches"), { NULL, NULL, NULL }
};

const struct topo topo_fattree = {
    .name = "fattree",
    .synopsis = "fattree:K[,...]",
    TOPO_FATTREE_TEXT,
    .example = "fattree:4",
    .source = "Al-Fares, Loukissas and Vahdat 2008",
    .keys = keys,
    .cable_class = classes,
    .class_of = class_of,
    .radix = radix,
    .layout = "layers",
    .open = open_fattree,
    .build = topo_fattree_build,
    .facts = topo_fattree_facts
};

int topo_fattree_ports(const struct net *net)
{
    return net->topo == &topo_fattree ? *(const int *)net->param : 0;
}

int topo_fattree_up(int *first, const struct net *net, int node, int host)
{
    const int k = *(const int *)net->param, half = k / 2, edge = k * half * half, aggregation = edge + k * half,
        core = aggregation + k * half, pod = (node - edge) / half % k;

    if (host >= edge || node < edge || node >= core || (node >= aggregation ? host / (half * half) == pod :
                                                        host / half == node - edge))
        return 0;
    *first = node < aggregation ? aggregation + pod * half : core + (node - aggregation) % half * half;
    return half;
}
