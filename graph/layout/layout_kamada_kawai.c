/* By igraph, from a circle: no random numbers. */
#include <igraph.h>

#include "graph/layout/layout.h"
#include "texts/layout.h"

#define NODES_MOST 500          /* beyond, `force` gives as good a drawing in a fraction of the time */

static bool layout_kamada_kawai_accepts(const struct net *net)
{
    return net->n <= NODES_MOST;
}

/* Scales the mean length of links to one unit. */
static void scale(struct layout *l, const igraph_t *graph)
{
    const igraph_integer_t m = igraph_ecount(graph);
    double sum = 0;

    for (igraph_integer_t e = 0; e < m; e++)
        sum += hypot(l->x[IGRAPH_FROM(graph, e)] - l->x[IGRAPH_TO(graph, e)],
                     l->y[IGRAPH_FROM(graph, e)] - l->y[IGRAPH_TO(graph, e)]);
    for (int v = 0; sum > 0 && v < l->n; v++) {
        l->x[v] *= (double)m / sum;
        l->y[v] *= (double)m / sum;
    }
}

static int kamada_kawai_place(struct layout *l, struct net *net, uint64_t, struct err *err)
{
    const igraph_t *graph;
    igraph_matrix_t at;
    int ret = -1;

    if (net_graph(net, &graph, err) < 0 || net_status(igraph_matrix_init(&at, l->n, 2), "the layout", err) < 0)
        return -1;
    for (int v = 0; v < l->n; v++) {
        MATRIX(at, v, 0) = l->n * sin(2 * M_PI * v / l->n);
        MATRIX(at, v, 1) = -l->n * cos(2 * M_PI * v / l->n);
    }
    if (net_status(igraph_layout_kamada_kawai(graph, &at, true, 50L * l->n, 0, l->n, NULL, NULL, NULL, NULL, NULL),
                   "the layout", err) == 0) {
        for (int v = 0; v < l->n; v++) {
            l->x[v] = MATRIX(at, v, 0);
            l->y[v] = MATRIX(at, v, 1);
        }
        scale(l, graph);
        ret = 0;
    }
    igraph_matrix_destroy(&at);
    return ret;
}

const struct layout_kind layout_kamada_kawai = {
    LAYOUT_KAMADA_KAWAI_ENTRY,
    .accepts = layout_kamada_kawai_accepts,
    .hops = true,
    .bends = true,
    .place = kamada_kawai_place
};
