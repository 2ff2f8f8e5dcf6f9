/* Groups round a big circle, or in two rows where cables between groups lead from one half of them to the other alone, as
 * those of a Slim Fly do; the routers of each round a small one, terminals outside of their router. The first
 * router of a group is the next clockwise after the direction away from the middle. */
#include <igraph.h>

#include "graph/layout/layout.h"
#include "graph/topology/topo.h"
#include "texts/layout.h"

#define CLEAR 0.15              /* how far links keep from nodes, at best */

struct groups {
    int *router;                /* of a terminal; itself of a router */
    int *rank;                  /* among the routers of the group, or among the terminals of the router */
    int *has;                   /* routers of a group, by group; terminals of a router, by router */
    int ngroup;
    int most_routers, most_terminals;   /* of a group, of a router */
    double small, leaf;         /* from the middle of a group to its routers, and to terminals */
    double big;                 /* from the middle of all to that of a group */
    bool halves;                /* two rows */
};

static bool layout_groups_accepts(const struct net *net)
{
    for (int v = 0; v < net->n && net->topo->group; v++)
        if (net->topo->group(net, v) < 0)
            return false;
    return net->topo->group != NULL;
}

static void count(struct groups *g, const struct net *net, const igraph_t *graph)
{
    for (int v = 0; v < net->n; v++)
        g->router[v] = v;
    for (igraph_integer_t e = 0; net->terminal && e < igraph_ecount(graph); e++) {
        const int from = (int)IGRAPH_FROM(graph, e), to = (int)IGRAPH_TO(graph, e);
        const bool terminal = net_terminal_index(net, from) >= 0;

        if (terminal != (net_terminal_index(net, to) >= 0))
            g->router[terminal ? from : to] = terminal ? to : from;
    }
    for (int v = 0; v < net->n; v++) {
        const int group = net->topo->group(net, v);
        const bool router = g->router[v] == v;
        int *has = router ? &g->has[group] : &g->has[net->n + g->router[v]];
        int *most = router ? &g->most_routers : &g->most_terminals;

        g->rank[v] = (*has)++;
        if (*has > *most)
            *most = *has;
        if (group >= g->ngroup)
            g->ngroup = group + 1;
    }
}

/* Radius of a circle of n whose neighbours stand `apart`. */
static double radius(int n, double apart)
{
    return n > 1 ? apart / 2 / sin(M_PI / n) : 0;
}

static bool in_halves(const struct groups *g, const struct net *net, const igraph_t *graph)
{
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int a = net->topo->group(net, (int)IGRAPH_FROM(graph, e)),
            b = net->topo->group(net, (int)IGRAPH_TO(graph, e));

        if (a != b && (a < g->ngroup / 2) == (b < g->ngroup / 2))
            return false;
    }
    return g->ngroup > 2 && g->ngroup % 2 == 0;
}

static void size_up(struct groups *g)
{
    g->small = radius(g->most_routers, 1);
    g->leaf = g->small;
    if (g->most_terminals > 0)
        g->leaf = fmax(g->small + 0.75, radius(g->most_routers * g->most_terminals, 0.5));
    g->big = radius(g->ngroup, 2 * g->leaf + 1.2);
}

static void groups_put(struct layout *l, const struct groups *g, int v, int group)
{
    const int router = g->router[v], routers = g->has[group], half = g->ngroup / 2;
    const double outwards = g->halves ? M_PI * (group / half) : 2 * M_PI * group / g->ngroup;
    const double step = 2 * g->leaf + 1.2;
    const double x = g->halves ? step * (group % half) : g->big * sin(outwards);
    const double y = g->halves ? step * (group / half) * fmax(2, half / 2.0) : -g->big * cos(outwards);
    double angle = outwards + (routers > 1 ? 2 * M_PI * (g->rank[router] + 0.5) / routers : 0), away = g->small;

    if (router != v) {
        const int terminals = g->has[l->n + router];
        const double between = fmin(2 * M_PI / routers / terminals, 0.6 / g->leaf);

        angle += (g->rank[v] - (terminals - 1) / 2.0) * between;
        away = g->leaf;
    }
    if (routers == 1 && router == v)
        away = 0;
    l->x[v] = x + away * sin(angle);
    l->y[v] = y - away * cos(angle);
}

static int groups_place(struct layout *l, struct net *net, uint64_t, struct err *err)
{
    const size_t n = (size_t)net->n;
    struct groups g = { .ngroup = 0 };
    const igraph_t *graph;
    int ret = -1;

    if (net_graph(net, &graph, err) < 0 ||
        TAKE("the layout", err, ARRAY(g.router, n), ARRAY(g.rank, n), ZEROS(g.has, 2 * n)) < 0)
        return -1;
    count(&g, net, graph);
    size_up(&g);
    g.halves = in_halves(&g, net, graph);
    for (int v = 0; v < net->n; v++)
        groups_put(l, &g, v, net->topo->group(net, v));
    ret = layout_clear(l, graph, CLEAR, err);
    FREE(g.router, g.rank, g.has);
    return ret;
}

const struct layout_kind layout_groups = {
    LAYOUT_GROUPS_ENTRY,
    .accepts = layout_groups_accepts,
    .place = groups_place
};
