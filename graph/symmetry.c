#include "graph/symmetry.h"

#include <stdlib.h>

#include "graph/base/mem.h"
#include "graph/igraph_bytes.h"
#include "graph/numeric/union_find.h"

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

/* The network with its marks: from - x - y - to, where x and y are new nodes of two colours of their own (from - x -
 * to, where directed). */
static int with_marks(igraph_t *out, const igraph_t *graph, bool directed, const struct marks *marks, struct err *err)
{
    const igraph_integer_t m = igraph_ecount(graph), n = igraph_vcount(graph), k = (igraph_integer_t)marks->n,
        each = directed ? 1 : 2;
    igraph_vector_int_t ends;
    igraph_integer_t at = 0;
    int ret;

    if (mem_need(igraph_bytes_create((double)(n + each * k), (double)(m + (each + 1) * k)),
                 "the network with what symmetry must keep",
                 err) < 0 || net_status(igraph_vector_int_init(&ends, 2 * (m + (each + 1) * k)), "symmetry", err) < 0)
        return -1;
    for (igraph_integer_t e = 0; e < m; e++) {
        VECTOR(ends)[at++] = IGRAPH_FROM(graph, e);
        VECTOR(ends)[at++] = IGRAPH_TO(graph, e);
    }
    for (igraph_integer_t i = 0; i < k; i++) {
        igraph_integer_t last = marks->from[i];

        for (igraph_integer_t x = 0; x <= each; x++) {
            VECTOR(ends)[at++] = last;
            VECTOR(ends)[at++] = last = x < each ? n + each * i + x : marks->to[i];
        }
    }
    ret = net_status(igraph_create(out, &ends, n + each * k, directed), "symmetry", err);
    igraph_vector_int_destroy(&ends);
    return ret;
}

static int symmetry_search(igraph_vector_int_list_t *generators, struct net *net, const igraph_t *graph,
                           const struct marks *marks, struct err *err)
{
    const size_t each = net->directed ? 1 : 2, extra = marks ? each * marks->n : 0;
    igraph_vector_int_t colour = { 0 };
    igraph_t marked;
    int ret = -1;

    if (net_status(igraph_vector_int_init(&colour, net->n + (igraph_integer_t)extra), "symmetry", err) < 0)
        return -1;
    for (int k = 0; net->terminal && k < net->nterminal; k++)
        VECTOR(colour)[net->terminal[k]] = 1;
    for (size_t i = 0; i < extra; i++)
        VECTOR(colour)[net->n + (igraph_integer_t)i] = 2 + (igraph_integer_t)each * marks->colour[i / each] +
            (igraph_integer_t)(i % each);
    if (mem_need(igraph_bytes_symmetry(net->n + (double)extra, (double)igraph_ecount(graph) + 2 * (double)extra),
                 "symmetry", err) < 0 || (marks && with_marks(&marked, graph, net->directed, marks, err) < 0))
        goto done;
    igraph_set_interruption_handler(on_interruption);
    ret = net_status(igraph_automorphism_group(marks ? &marked : graph, &colour, generators, IGRAPH_BLISS_FL, NULL),
                     "symmetry", err);
    igraph_set_interruption_handler(NULL);
    if (marks)
        igraph_destroy(&marked);
done:
    igraph_vector_int_destroy(&colour);
    return ret;
}

int symmetries_find(struct symmetries *out, struct net *net, const struct marks *marks, const struct tick *tick,
                    struct err *err)
{
    /* nodes and edges of with_marks */
    const double extra = marks ? (net->directed ? 3 : 5) * (double)marks->n : 0;
    igraph_vector_int_list_t generators = { 0 };
    struct symmetries s = { .n = net->n };
    const igraph_t *graph;
    int ret = -1;

    if (net_graph(net, &graph, err) < 0 || net_status(igraph_vector_int_list_init(&generators, 0), "symmetry", err) < 0)
        return -1;
    /* A step may refine the whole graph, so large graphs get fewer: some seconds of search at most. */
    budget.left = 20 + (long)(WORK / ((double)igraph_vcount(graph) + (double)igraph_ecount(graph) + extra));
    budget.tick = tick;
    budget.gave_up = budget.stopped = false;
    if (symmetry_search(&generators, net, graph, marks, err) < 0)
        goto done;
    if (budget.stopped) {
        err_stopped(err);
        goto done;
    }
    s.finished = !budget.gave_up;
    s.count = (size_t)igraph_vector_int_list_size(&generators);
    if (mem_need((double)s.count * net->n * sizeof *s.map, "the symmetries", err) < 0)
        goto done;
    s.map = malloc((s.count * (size_t)net->n + 1) * sizeof *s.map);
    if (!s.map) {
        err_memory(err);
        goto done;
    }
    for (size_t i = 0; i < s.count; i++)
        for (int v = 0; v < net->n; v++)
            s.map[i * (size_t)net->n + (size_t)v] =
                (int)VECTOR(*igraph_vector_int_list_get_ptr(&generators, (igraph_integer_t)i))[v];
    *out = s;
    ret = 0;
done:
    igraph_vector_int_list_destroy(&generators);
    return ret;
}

void symmetries_release(struct symmetries *s)
{
    free(s->map);
    *s = (struct symmetries){ 0 };
}

void marks_release(struct marks *m)
{
    free(m->from);
    free(m->to);
    free(m->colour);
    *m = (struct marks){ 0 };
}

int marks_of_cables(struct marks *m, struct net *net, struct err *err)
{
    const struct cables *c = &net->cables;
    const int ways = net->directed ? 1 : 2;
    const igraph_t *graph;
    size_t nedge;

    *m = (struct marks){ 0 };
    if ((cables_alike(c) && !c->parallel) || net_graph(net, &graph, err) < 0)
        return cables_alike(c) && !c->parallel ? 0 : -1;
    nedge = (size_t)igraph_ecount(graph);
    if (mem_need(3.0 * ways * (double)nedge * sizeof *m->from, "symmetry", err) < 0)
        return -1;
    m->from = malloc(((size_t)ways * nedge + 1) * sizeof *m->from);
    m->to = malloc(((size_t)ways * nedge + 1) * sizeof *m->to);
    m->colour = malloc(((size_t)ways * nedge + 1) * sizeof *m->colour);
    if (!m->from || !m->to || !m->colour)
        return err_memory(err);
    for (size_t e = 0; e < nedge; e++)
        for (int back = 0; back < ways; back++) {
            const int a = (int)IGRAPH_FROM(graph, (igraph_integer_t)e), b = (int)IGRAPH_TO(graph, (igraph_integer_t)e);
            const bool turn = ways == 2 && (a > b) != (back == 1);
            int k = 0;

            if (c->of)
                while (c->kind[k].bandwidth != c->kind[c->of[2 * e + (size_t)back]].bandwidth ||
                       c->kind[k].length != c->kind[c->of[2 * e + (size_t)back]].length)
                    k++;
            m->from[m->n] = turn ? b : a;
            m->to[m->n] = turn ? a : b;
            m->colour[m->n++] = k;
        }
    return 0;
}

int orbits_find(struct orbits *out, struct net *net, const struct tick *tick, struct err *err)
{
    struct symmetries s = { 0 };
    struct orbits o = { 0 };
    struct marks kinds;
    int first = 0, ret;

    ret = marks_of_cables(&kinds, net, err) < 0 ? -1 : symmetries_find(&s, net, kinds.n ? &kinds : NULL, tick, err);
    marks_release(&kinds);
    if (ret < 0)
        return -1;
    o.of = malloc((size_t)net->n * sizeof *o.of);
    if (!o.of) {
        symmetries_release(&s);
        return err_memory(err);
    }
    union_find_alone(o.of, (size_t)net->n);
    for (size_t i = 0; i < s.count; i++)
        for (int v = 0; v < net->n; v++)
            union_find_join(o.of, v, s.map[i * (size_t)net->n + (size_t)v]);
    o.all_nodes = true;
    while (cables_down(&net->cables, first))
        first++;
    for (int v = 0; v < net->n; v++) {
        o.of[v] = union_find_root(o.of, v);
        o.all_nodes = o.all_nodes && (o.of[v] == first || cables_down(&net->cables, v));
    }
    for (int k = 0; k < net->nterminal; k++)
        o.count += o.of[net_terminal(net, k)] == net_terminal(net, k);
    o.finished = s.finished;
    symmetries_release(&s);
    *out = o;
    return 0;
}

void orbits_release(struct orbits *o)
{
    free(o->of);
    *o = (struct orbits){ 0 };
}
