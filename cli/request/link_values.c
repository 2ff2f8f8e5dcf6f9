#include "cli/request/link_values.h"

#include <math.h>
#include <stdlib.h>

/* Two values per edge. */
static double *link_values_room(struct net *net, size_t *n, struct err *err)
{
    const igraph_t *graph;
    double *v;

    if (net_graph(net, &graph, err) < 0)
        return NULL;
    *n = 2 * (size_t)igraph_ecount(graph);
    v = malloc((*n + 1) * sizeof *v);
    if (!v)
        err_memory(err);
    return v;
}

double *link_values_open(struct net *net, struct err *err)
{
    size_t n;
    double *v = link_values_room(net, &n, err);

    for (size_t i = 0; v && i < n; i++)
        v[i] = NAN;
    return v;
}

/* The larger value; NaN gives way. */
static void put_edge(double *v, const struct net *net, igraph_integer_t edge, bool down, double value)
{
    const int *of = net->cables.of;
    const bool both = net->directed || !of || of[2 * edge] == of[2 * edge + 1];

    for (igraph_integer_t back = 0; back < 2; back++)
        if (both || back == down)
            v[2 * edge + back] = fmax(v[2 * edge + back], value);
}

int link_values_put(double *v, struct net *net, const char *from, const char *to, double value, struct err *err)
{
    igraph_vector_int_t between;
    int64_t edge;
    int a, b, cable, ret;

    if (net_node(net, from, &a, err) < 0 || net_cable(&edge, &cable, net, a, &b, to, err) < 0)
        return -1;
    if (cable > 0 || !net->cables.parallel) {
        put_edge(v, net, edge, a > b, value);
        return 0;
    }
    if (net_status(igraph_vector_int_init(&between, 0), "parallel cables", err) < 0)
        return -1;
    ret = net_status(igraph_get_all_eids_between(&net->graph, &between, a, b, true), "parallel cables", err);
    for (igraph_integer_t i = 0; ret == 0 && i < igraph_vector_int_size(&between); i++)
        put_edge(v, net, VECTOR(between)[i], a > b, value);
    igraph_vector_int_destroy(&between);
    return ret;
}

double *link_values_own(struct net *net, bool bandwidth, struct err *err)
{
    const struct cables *c = &net->cables;
    size_t n;
    double *v = link_values_room(net, &n, err);

    for (size_t i = 0; v && i < n; i++) {
        const struct link_kind k = c->kind ? c->kind[c->of ? c->of[i] : 0] : (struct link_kind){ 1, 0 };

        v[i] = bandwidth ? k.bandwidth : k.length;
    }
    return v;
}
