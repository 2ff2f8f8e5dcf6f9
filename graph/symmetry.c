#include "graph/symmetry.h"

#include <igraph.h>

#include "graph/igraph_bytes.h"
#include "graph/numeric/union_find.h"
#include "graph/topology/topo.h"
#include "graph/twins.h"

#define SEARCHED 2e4            /* cables: up to here symmetries are searched where some are known already */
#define WORK 1e8                /* nodes and edges looked at, all steps together */

/* igraph's interruption handler gets no argument of ours, so its budget is kept per thread while it runs. */
static _Thread_local struct {
    long left;
    const struct tick *tick;
    bool gave_up, stopped;
} budget;

static igraph_error_t on_interruption(void *)
{
    if (tick(budget.tick, 0))
        budget.stopped = true;
    if (--budget.left < 0)
        budget.gave_up = true;
    return budget.gave_up || budget.stopped ? IGRAPH_INTERRUPTED : IGRAPH_SUCCESS;
}

/* What the search sees: the nodes that twins left, numbered by `place`, with their links and marks: from - x - y - to,
 * where x and y are new nodes of two colours of their own (from - x - to, where directed). */
static int rest_open(igraph_t *out, igraph_vector_int_t *colour, const igraph_t *graph, const int *place, int alive,
                     const struct twins *t, const struct marks *marks, struct err *err)
{
    const igraph_integer_t m = igraph_ecount(graph), k = marks ? (igraph_integer_t)marks->n : 0,
        each = igraph_is_directed(graph) ? 1 : 2;
    igraph_vector_int_t ends;
    igraph_integer_t at = 0, n = alive;
    int ret;

    if (mem_need(igraph_bytes_create((double)(n + each * k), (double)(m + (each + 1) * k)),
                 "the network with what symmetry must keep", err) < 0 ||
        net_status(igraph_vector_int_init(&ends, 2 * (m + (each + 1) * k)), "symmetry", err) < 0)
        return -1;
    for (igraph_integer_t e = 0; e < m; e++) {
        const int a = place[IGRAPH_FROM(graph, e)], b = place[IGRAPH_TO(graph, e)];

        if (a >= 0 && b >= 0) {
            VECTOR(ends)[at++] = a;
            VECTOR(ends)[at++] = b;
        }
    }
    ret = net_status(igraph_vector_int_resize(colour, n + each * k), "symmetry", err);
    for (int v = 0; ret == 0 && v < t->n; v++)
        if (place[v] >= 0)
            VECTOR(*colour)[place[v]] = t->colour[v];
    for (igraph_integer_t i = 0; ret == 0 && i < k; i++) {
        igraph_integer_t last = place[marks->from[i]];

        if (last < 0 || place[marks->to[i]] < 0)
            continue;
        for (igraph_integer_t x = 0; x <= each; x++) {
            VECTOR(ends)[at++] = last;
            if (x < each)
                VECTOR(*colour)[n] = t->n + each * marks->colour[i] + x;
            VECTOR(ends)[at++] = last = x < each ? n++ : place[marks->to[i]];
        }
    }
    if (ret == 0)
        ret = net_status(igraph_vector_int_resize(&ends, at), "symmetry", err) < 0 ||
            net_status(igraph_vector_int_resize(colour, n), "symmetry", err) < 0 ||
            net_status(igraph_create(out, &ends, n, igraph_is_directed(graph)), "symmetry", err) < 0 ? -1 : 0;
    igraph_vector_int_destroy(&ends);
    return ret;
}

static int symmetry_search(igraph_vector_int_list_t *generators, const igraph_t *rest,
                           const igraph_vector_int_t *colour, const struct tick *tick, struct err *err)
{
    const double nodes = (double)igraph_vcount(rest), edges = (double)igraph_ecount(rest);
    int ret;

    if (mem_need(igraph_bytes_symmetry(nodes, edges), "symmetry", err) < 0)
        return -1;
    /* A step may refine the whole graph, so large graphs get fewer: some seconds of search at most. */
    budget.left = 20 + (long)(WORK / (nodes + edges));
    budget.tick = tick;
    budget.gave_up = budget.stopped = false;
    igraph_set_interruption_handler(on_interruption);
    ret = net_status(igraph_automorphism_group(rest, colour, generators, IGRAPH_BLISS_FL, NULL), "symmetry", err);
    igraph_set_interruption_handler(NULL);
    return ret < 0 ? -1 : budget.stopped ? err_stopped(err) : 0;
}

/* The identity, to be changed. */
static int *add_map(struct symmetries *s, size_t *room, struct err *err)
{
    if (GROW(room, s->count + 1, "the symmetries", err, GROWN_OF(s->map, (size_t)s->n)) < 0)
        return NULL;
    union_find_alone(s->map + s->count * (size_t)s->n, (size_t)s->n);
    return s->map + s->count++ * (size_t)s->n;
}

/* A symmetry known on the nodes that are left is extended to those taken off after the first `many`. */
static void end_map(int *map, int *orbit, const struct twins *t, int many)
{
    twins_lift(map, t, many);
    for (int v = 0; v < t->n; v++)
        union_find_join(orbit, v, map[v]);
}

/* Two generators of all permutations of a set of twins: for one set of each orbit, since the symmetries found map it to
 * the others. done, by orbit: the last step with twins that have theirs. */
static int add_twins(struct symmetries *s, size_t *room, int *orbit, int *done, const struct twins *t, struct err *err)
{
    for (int end = t->noff, k; end > 0; end = k) {
        const int first = t->into[t->off[end - 1]], step = t->step[t->off[end - 1]];

        for (k = end - 1; k > 0 && t->into[t->off[k - 1]] == first && t->step[t->off[k - 1]] == step;)
            k--;
        if (step % 2 || done[union_find_root(orbit, first)] == step + 1)
            continue;
        for (int many = 1; many; many = many < end - k ? end - k : 0) {         /* two of them, then all */
            int *map = add_map(s, room, err), v = first;

            if (!map)
                return -1;
            for (int i = k; i < k + many; i++)
                v = map[v] = t->off[i];
            map[v] = first;
            end_map(map, orbit, t, k);
        }
        done[union_find_root(orbit, first)] = step + 1;
    }
    return 0;
}

int symmetries_find(struct symmetries *out, struct net *net, const struct marks *marks, const struct tick *tick,
                    struct err *err)
{
    igraph_vector_int_list_t generators = { 0 };
    igraph_vector_int_t colour = { 0 };
    igraph_t rest;
    struct symmetries s = { .n = net->n };
    struct twins t = { 0 };
    size_t room = 0;
    int *place = NULL, *back = NULL, *orbit = NULL, *done = NULL, alive = 0, ret = -1;
    const igraph_t *graph;

    if (TAKE("symmetry", err, ARRAY(place, net->n), ARRAY(back, net->n), ARRAY(orbit, net->n),
             ZEROS(done, net->n)) < 0 ||
        net_graph(net, &graph, err) < 0 || twins_open(&t, net, graph, marks, err) < 0)
        goto done;
    if (t.alone) {
        s.finished = true;
        ret = 0;
        goto done;
    }
    for (int v = 0; v < net->n; v++) {
        place[v] = t.colour[v] < 0 ? -1 : alive;
        back[alive] = v;
        alive += place[v] >= 0;
    }
    union_find_alone(orbit, (size_t)net->n);
    if (net_status(igraph_vector_int_list_init(&generators, 0), "symmetry", err) < 0 ||
        net_status(igraph_vector_int_init(&colour, 0), "symmetry", err) < 0 ||
        rest_open(&rest, &colour, graph, place, alive, &t, marks, err) < 0)
        goto done;
    ret = symmetry_search(&generators, &rest, &colour, tick, err);
    igraph_destroy(&rest);
    s.finished = !budget.gave_up;
    for (igraph_integer_t i = 0; ret == 0 && i < igraph_vector_int_list_size(&generators); i++) {
        const igraph_vector_int_t *g = igraph_vector_int_list_get_ptr(&generators, i);
        int *map = add_map(&s, &room, err);

        ret = map ? 0 : -1;
        for (int x = 0; map && x < alive; x++)
            map[back[x]] = back[VECTOR(*g)[x]];
        if (map)
            end_map(map, orbit, &t, t.noff);
    }
    if (ret == 0)
        ret = add_twins(&s, &room, orbit, done, &t, err);
done:
    igraph_vector_int_destroy(&colour);
    igraph_vector_int_list_destroy(&generators);
    twins_close(&t);
    FREE(place, back, orbit, done);
    if (ret < 0)
        symmetries_release(&s);
    else
        *out = s;
    return ret;
}

void symmetries_release(struct symmetries *s)
{
    free(s->map);
    *s = (struct symmetries){ 0 };
}

void marks_release(struct marks *m)
{
    FREE(m->from, m->to, m->colour);
    *m = (struct marks){ 0 };
}

int marks_of_cables(struct marks *m, struct net *net, struct err *err)
{
    const struct cables *c = &net->cables;
    const int ways = net->directed ? 1 : 2;
    const igraph_t *graph;
    size_t nedge, n;

    *m = (struct marks){ 0 };
    if ((cables_alike(c) && !c->parallel) || net_graph(net, &graph, err) < 0)
        return cables_alike(c) && !c->parallel ? 0 : -1;
    nedge = (size_t)igraph_ecount(graph);
    n = (size_t)ways * nedge;
    if (TAKE("symmetry", err, ARRAY(m->from, n), ARRAY(m->to, n), ARRAY(m->colour, n)) < 0)
        return -1;
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

/* By construction, where a search would take long. A class may be a part of an orbit, but of one. */
static int orbits_known(struct orbits *out, const struct net *net, struct err *err)
{
    struct orbits o = { .all_nodes = true };

    if (TAKE("symmetry", err, ARRAY(o.of, net->n)) < 0)
        return -1;
    for (int v = 0; v < net->n; v++) {
        o.of[v] = topo_alike(net, v);
        o.all_nodes = o.all_nodes && o.of[v] == o.of[0];
    }
    for (int k = 0; k < net->nterminal; k++)
        o.count += o.of[net_terminal(net, k)] == net_terminal(net, k);
    o.finished = o.count == 1;
    *out = o;
    return 0;
}

int orbits_find(struct orbits *out, struct net *net, const struct tick *tick, struct err *err)
{
    struct symmetries s = { 0 };
    struct orbits o = { 0 };
    struct marks kinds;
    int first = 0, ret;

    if ((net->topo->alike && topo_alike(net, 0) >= 0) && net_edges(net, err) > SEARCHED)
        return orbits_known(out, net, err);
    ret = marks_of_cables(&kinds, net, err) < 0 ? -1 : symmetries_find(&s, net, kinds.n ? &kinds : NULL, tick, err);
    marks_release(&kinds);
    if (ret < 0)
        return -1;
    if (TAKE("symmetry", err, ARRAY(o.of, net->n)) < 0) {
        symmetries_release(&s);
        return -1;
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
