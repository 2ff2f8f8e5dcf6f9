#include "model/process/sight.h"
#include "graph/distance/towards.h"
#include "texts/tree.h"

#define PROCESSES_MOST 2048         /* a list of all others for each */
#define WORK_MOST 268435456.0       /* 2^28: processes times links, since each looks at all of them */

struct greedy {
    struct sight s;
    bool counted;                   /* a way weighs as many times `alike` as it has hops, both ways */
    struct towards towards;         /* of these */
    int *hops, *first;              /* by rank; by hops where the list goes on, 0 between two lists */
    struct sight_time *list;          /* of each sender all ranks but its own, the nearest first */
    int *at;                        /* by sender: its first that has nothing */
    double *free;                   /* by sender: when it may send */
    struct events offers;           /* the next arrival that each sender has to offer */
};

/* The sender's next offer to a process that has nothing. */
static int greedy_offer(struct greedy *g, const struct tree_shape *t, int sender, struct err *err)
{
    const struct sight_time *list = g->list + (size_t)sender * (size_t)g->s.n;
    int at = g->at[sender];

    while (at < g->s.n - 1 && (list[at].rank == 0 || t->parent[list[at].rank] >= 0))
        at++;
    g->at[sender] = at;
    return at == g->s.n - 1 ? 0 : events_push(&g->offers, (struct event){ g->free[sender] + list[at].time,
                                              (uint64_t)sender << 32 | (uint64_t)list[at].rank, (size_t)at }, err);
}

/* Of rank v, by hops, and of these by rank. */
static int greedy_count(struct greedy *g, struct sight_time *list, int v, struct err *err)
{
    const struct sight *s = &g->s;
    int most = 0;

    if (towards_begin(&g->towards, sight_node(s, v), err) < 0)
        return -1;
    for (int r = 0; r < s->n; r++) {
        g->hops[r] = towards_hops(&g->towards, sight_node(s, r));
        g->first[g->hops[r] + 1] += r != v;
        most = g->hops[r] > most ? g->hops[r] : most;
    }
    for (int d = 0; d < most; d++)
        g->first[d + 1] += g->first[d];
    for (int r = 0; r < s->n; r++)
        if (r != v)
            list[g->first[g->hops[r]]++] = (struct sight_time){ sight_message(s->scene, g->hops[r] * s->alike), r };
    memset(g->first, 0, ((size_t)most + 2) * sizeof *g->first);
    return 0;
}

static int greedy_search(struct greedy *g, struct sight_time *list, int v, struct err *err)
{
    if (sight_search(&g->s, v, false, err) < 0)
        return -1;
    for (int r = 0, i = 0; r < g->s.n; r++)
        if (r != v)
            list[i++] = (struct sight_time){ sight_message(g->s.scene, sight_node(&g->s, r) == sight_node(&g->s, v) ?
                                                           g->s.scene->inside : g->s.away[sight_node(&g->s, r)]), r };
    qsort(list, (size_t)g->s.n - 1, sizeof *list, sight_earlier);
    return 0;
}

/* Rank v has the message at `time`. */
static int greedy_receive(struct greedy *g, const struct tree_shape *t, int v, double time, struct err *err)
{
    struct sight_time *list = g->list + (size_t)v * (size_t)g->s.n;

    if ((g->counted ? greedy_count : greedy_search)(g, list, v, err) < 0)
        return -1;
    g->free[v] = time;
    g->at[v] = 0;
    return greedy_offer(g, t, v, err);
}

static int greedy_run(struct greedy *g, struct tree_shape *t, int *order, struct err *err)
{
    const int n = g->s.n;

    for (int v = 0; v < n; v++)
        t->parent[v] = -1;
    if (greedy_receive(g, t, 0, 0, err) < 0)
        return -1;
    for (int served = 0; served < n - 1;) {
        const struct event e = events_pop(&g->offers);
        const int sender = (int)(e.order >> 32), to = (int)(e.order & UINT32_MAX);

        if (t->parent[to] < 0) {
            t->parent[to] = sender;
            order[served++] = to;
            g->free[sender] += g->s.scene->gap;
            if (tick_check(g->s.scene->tick, (double)served / n, err) < 0 || greedy_receive(g, t, to, e.at, err) < 0)
                return -1;
        }
        if (greedy_offer(g, t, sender, err) < 0)
            return -1;
    }
    tree_shape_children(t, order, false);
    return 0;
}

static int tree_earliest_arrival_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    const int n = scene->where->n;
    struct greedy g = { 0 };
    int *order = NULL, ret = -1;

    if (n > PROCESSES_MOST)
        return err_set(err, ERR_DOMAIN, "earliest-arrival is of %d processes at most, not %d", PROCESSES_MOST, n);
    if (sight_open(&g.s, scene, err) < 0)
        return -1;
    if ((double)n * (double)g.s.links.m > WORK_MOST) {
        err_set(err, ERR_DOMAIN, "earliest-arrival: %d processes times %zu links are more than 2^28", n, g.s.links.m);
        goto done;
    }
    g.counted = !g.s.weight && !scene->net->directed && scene->inside == 0 &&
        g.s.alike > 1e-12 * (scene->start + scene->size);       /* no two sums of unlike hops are the same */
    if (TAKE("a process tree", err, ARRAY(g.list, (size_t)n * (size_t)n), ARRAY(g.at, n), ARRAY(g.free, n),
             ARRAY(order, n), ARRAY(g.hops, n), ZEROS(g.first, g.s.links.n + 1)) == 0 &&
        sight_search(&g.s, 0, true, err) == 0 &&
        (!g.counted || towards_open(&g.towards, scene->net, "a process tree", err) == 0))
        ret = greedy_run(&g, t, order, err);
done:
    towards_close(&g.towards);
    FREE(g.list, g.at, g.free, order, g.hops, g.first);
    events_release(&g.offers);
    sight_close(&g.s);
    return ret;
}

const struct tree tree_earliest_arrival = {
    TREE_EARLIEST_ARRIVAL_ENTRY,
    .source = "early completing edge first: Bhat, Raghavendra and Prasanna 1999; on complete networks optimal: Bar-Noy "
        "and Kipnis 1994",
    .build = tree_earliest_arrival_build
};
