#include "cli/request/link_values.h"

/* Two values per edge. */
static double *link_values_room(struct net *net, size_t *n, struct err *err)
{
    const igraph_t *graph;
    double *v;

    if (net_graph(net, &graph, err) < 0)
        return NULL;
    *n = 2 * (size_t)net_edges(net, err);
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
static void put_edge(double *v, const struct net *net, int64_t edge, bool down, double value)
{
    for (int back = 0; back < 2; back++)
        if (net->directed || back == down)
            v[2 * edge + back] = fmax(v[2 * edge + back], value);
}

void link_values_settle(double *v, int64_t edges)
{
    for (int64_t i = 0; i < edges; i++)
        for (int back = 0; back < 2; back++)
            v[2 * i + back] = isnan(v[2 * i + back]) ? v[2 * i + !back] : v[2 * i + back];
}

int link_values_put(double *v, struct net *net, const char *from, const char *to, double value, struct err *err)
{
    int64_t edge, *all;
    int a, b, cable, n;

    if (net_node(net, from, &a, err) < 0 || net_cable(&edge, &cable, net, a, &b, to, err) < 0)
        return -1;
    if (cable > 0 || !net->cables.parallel) {
        put_edge(v, net, edge, a > b, value);
        return 0;
    }
    if (net_cables(&all, &n, net, a, b, err) < 0)
        return -1;
    for (int i = 0; i < n; i++)
        put_edge(v, net, all[i], a > b, value);
    free(all);
    return 0;
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
