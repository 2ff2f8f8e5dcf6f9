#include "graph/symmetry.h"

#include <stdlib.h>

#define WORK 1e8                /* nodes and edges looked at, all steps together */

/* igraph's interruption handler gets no argument of ours, so its budget is kept per thread while it runs. */
static _Thread_local struct {
    long left;
    const struct tick *tick;
    bool gave_up, stopped;
} budget;

static igraph_error_t on_interruption(void *data)
{
    (void)data;
    if (tick(budget.tick, 0))
        budget.stopped = true;
    if (--budget.left < 0)
        budget.gave_up = true;
    return budget.gave_up || budget.stopped ? IGRAPH_INTERRUPTED : IGRAPH_SUCCESS;
}

static int root(int *parent, int v)
{
    while (parent[v] != v)
        v = parent[v] = parent[parent[v]];
    return v;
}

static void join(int *parent, int u, int v)
{
    u = root(parent, u);
    v = root(parent, v);
    if (u < v)
        parent[v] = u;
    else
        parent[u] = v;
}

static int search(igraph_vector_int_list_t *generators, struct net *net, const igraph_t *graph, struct err *err)
{
    igraph_vector_int_t colour = { 0 };
    int ret = -1;

    if (net_status(igraph_vector_int_init(&colour, net->n), "symmetry", err) < 0)
        return -1;
    for (int k = 0; net->terminal && k < net->nterminal; k++)
        VECTOR(colour)[net->terminal[k]] = 1;
    igraph_set_interruption_handler(on_interruption);
    ret = net_status(igraph_automorphism_group(graph, &colour, generators, IGRAPH_BLISS_FL, NULL), "symmetry", err);
    igraph_set_interruption_handler(NULL);
    igraph_vector_int_destroy(&colour);
    return ret;
}

int orbits_find(struct orbits *out, struct net *net, const struct tick *tick, struct err *err)
{
    igraph_vector_int_list_t generators = { 0 };
    const igraph_t *graph;
    struct orbits o = { 0 };
    int ret = -1;

    if (net_graph(net, &graph, err) < 0 ||
        net_status(igraph_vector_int_list_init(&generators, 0), "symmetry", err) < 0)
        return -1;
    o.of = malloc((size_t)net->n * sizeof *o.of);
    if (!o.of) {
        err_memory(err);
        goto done;
    }
    /* A step may refine the whole graph, so large graphs get fewer: some seconds of search at most. */
    budget.left = 20 + (long)(WORK / ((double)igraph_vcount(graph) + (double)igraph_ecount(graph)));
    budget.tick = tick;
    budget.gave_up = budget.stopped = false;
    if (search(&generators, net, graph, err) < 0)
        goto done;
    if (budget.stopped) {
        err_stopped(err);
        goto done;
    }
    for (int v = 0; v < net->n; v++)
        o.of[v] = v;
    for (igraph_integer_t i = 0; i < igraph_vector_int_list_size(&generators); i++) {
        const igraph_vector_int_t *map = igraph_vector_int_list_get_ptr(&generators, i);

        for (int v = 0; v < net->n; v++)
            join(o.of, v, (int)VECTOR(*map)[v]);
    }
    o.all_nodes = true;
    for (int v = 0; v < net->n; v++) {
        o.of[v] = root(o.of, v);
        o.all_nodes = o.all_nodes && o.of[v] == 0;
    }
    for (int k = 0; k < net->nterminal; k++)
        o.count += o.of[net_terminal(net, k)] == net_terminal(net, k);
    o.finished = !budget.gave_up;
    *out = o;
    o.of = NULL;
    ret = 0;
done:
    free(o.of);
    igraph_vector_int_list_destroy(&generators);
    return ret;
}

void orbits_release(struct orbits *o)
{
    free(o->of);
    *o = (struct orbits){ 0 };
}
