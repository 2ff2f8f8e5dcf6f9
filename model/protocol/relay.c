#include "model/protocol/relay.h"

#include <math.h>
#include <stdlib.h>

#include "graph/base/mem.h"
#include "graph/base/num.h"

struct search {                         /* quickest ways from a process (Dijkstra 1959) */
    double *away, *narrow;
    int *from;
    struct events queue;
    uint64_t found;
    double steps;
    const struct tick *tick;
};
#define STEPS_MOST 134217728.0

static int search_from(struct search *s, const struct wiring *w, int p, struct err *err)
{
    s->steps += 2 * (double)w->m + w->n;
    if (s->steps > STEPS_MOST)
        return err_set(err, ERR_DOMAIN, "too many of its messages go between processes that no link joins, in a "
                       "network of %d processes and %zu links, to search for their ways", w->n, w->m);
    if (tick_check(s->tick, 0, err) < 0)
        return -1;
    for (int v = 0; v < w->n; v++)
        s->away[v] = INFINITY;
    s->away[p] = 0;
    s->from[p] = -1;
    s->narrow[p] = INFINITY;
    if (events_push(&s->queue, (struct event){ 0, s->found++, (size_t)p }, err) < 0)
        return -1;
    while (s->queue.n) {
        const struct event e = events_pop(&s->queue);
        const int v = (int)e.what;

        if (e.at > s->away[v])
            continue;
        for (size_t h = w->first[v]; h < w->first[v + 1]; h++) {
            const double far = e.at + w->latency[h];
            const int to = w->to[h];

            if (far >= s->away[to])
                continue;
            s->away[to] = far;
            s->narrow[to] = fmin(s->narrow[v], w->bandwidth[h]);
            s->from[to] = v;
            if (events_push(&s->queue, (struct event){ far, s->found++, (size_t)to }, err) < 0)
                return -1;
        }
    }
    return 0;
}

/* The ways to u's children: links, and where there is none, what a search from u finds. */
static int ways_from(struct relay *r, struct search *s, const struct wiring *w, int64_t *seen, int u, struct err *err)
{
    const struct tree_shape *t = r->tree;
    const int p = tree_process(u, r->root, t->n);
    bool searched = false;

    for (size_t h = w->first[p]; h < w->first[p + 1]; h++)
        seen[w->to[h]] = (int64_t)h;
    for (int k = t->first[u]; k < t->first[u + 1]; k++) {
        const int v = t->child[k], q = tree_process(v, r->root, t->n);
        const int64_t h = seen[q];

        if (h < 0 && !searched && search_from(s, w, p, err) < 0)
            return -1;
        searched = searched || h < 0;
        r->way[v] = h < 0 ? s->away[q] : w->latency[h];
        r->bandwidth[v] = h >= 0 ? w->bandwidth[h] : isinf(s->away[q]) ? 1 : s->narrow[q];
    }
    for (size_t h = w->first[p]; h < w->first[p + 1]; h++)
        seen[w->to[h]] = WIRING_NONE;
    return 0;
}

int relay_open(struct relay *out, const struct wiring *w, const struct tree_shape *tree, int root, const struct tick *t,
               struct err *err)
{
    struct relay r = { .tree = tree, .root = root };
    struct search s = { .tick = t };
    int64_t *seen = NULL;
    int ret = TAKE("messages over a tree", err, ZEROS(r.way, tree->n), ZEROS(r.bandwidth, tree->n),
                   ZEROS(r.sent, tree->n), ZEROS(r.at, tree->n), ZEROS(r.up, tree->n), ARRAY(r.order, tree->n),
                   ARRAY(s.away, w->n), ARRAY(s.narrow, w->n), ARRAY(s.from, w->n), ARRAY(seen, w->n));

    for (int v = 0; ret == 0 && v < w->n; v++)
        seen[v] = WIRING_NONE;
    if (ret == 0)
        r.order[0] = 0;
    for (int i = 0, n = 1; ret == 0 && i < n; i++) {
        const int u = r.order[i];

        for (int k = tree->first[u]; k < tree->first[u + 1]; k++)
            r.order[n++] = tree->child[k];
        ret = ways_from(&r, &s, w, seen, u, err);
    }
    events_release(&s.queue);
    FREE(s.away, s.narrow, s.from, seen);
    if (ret < 0)
        relay_close(&r);
    else
        *out = r;
    return ret;
}

int relay_shortest(struct sight_join *join, const struct wiring *w, int root, const struct tick *t, struct err *err)
{
    struct search s = { .tick = t };
    int k = 0, ret = TAKE("messages over a tree", err, ARRAY(s.away, w->n), ARRAY(s.narrow, w->n), ARRAY(s.from, w->n));

    ret = ret < 0 || search_from(&s, w, root, err) < 0 ? -1 : 0;
    for (int v = 0; ret == 0 && v < w->n; v++)
        if (v != root) {
            const int u = isinf(s.away[v]) ? root : s.from[v];

            join[k++] = (struct sight_join){ isinf(s.away[v]) ? 0 : s.away[v] - s.away[u], u < v ? u : v,
                                             u < v ? v : u };
        }
    events_release(&s.queue);
    FREE(s.away, s.narrow, s.from);
    return ret;
}

static double hold(const struct relay *r, const struct relay_how *how, int v)
{
    return how->overhead + how->size / r->bandwidth[v];
}

static void broadcast(struct relay *r, const struct relay_how *how)
{
    const struct tree_shape *t = r->tree;

    r->broadcast = 0;
    r->last = r->lost = 0;
    for (int i = 0; i < t->n; i++) {
        const int u = r->order[i];
        double ready = r->at[u];

        for (int k = t->first[u]; k < t->first[u + 1]; k++) {
            const int v = t->child[k];

            r->sent[v] = ready;
            r->at[v] = ready + hold(r, how, v) + r->way[v];
            if (isinf(r->way[v]))
                r->at[v] = INFINITY;
            else if (how->serial)
                ready += hold(r, how, v);
            if (isinf(r->at[v]))
                r->lost++;
            else if (r->at[v] > r->broadcast) {
                r->broadcast = r->at[v];
                r->last = v;
            }
        }
    }
}

/* come: room for n pairs: when a child's message is there, what taking it up takes. */
static double reduce(struct relay *r, const struct relay_how *how, double (*come)[2])
{
    const struct tree_shape *t = r->tree;

    for (int i = t->n - 1; i >= 0; i--) {
        const int u = r->order[i];
        size_t n = 0;

        r->up[u] = 0;
        for (int k = t->first[u]; k < t->first[u + 1]; k++) {
            const int v = t->child[k];

            if (isinf(r->way[v]))
                continue;
            come[n][0] = r->up[v] + r->way[v];
            come[n++][1] = hold(r, how, v);
        }
        if (how->serial && n > 0)
            qsort(come, n, sizeof *come, num_ascending_reals);
        for (size_t k = 0; k < n; k++)
            r->up[u] = how->serial ? fmax(r->up[u], come[k][0]) + come[k][1] : fmax(r->up[u], come[k][0] + come[k][1]);
    }
    return r->up[0];
}

int relay_run(struct relay *r, const struct relay_how *how, struct err *err)
{
    const struct relay_how nothing = { 0, how->overhead, how->serial };
    double (*come)[2];

    if (TAKE("messages over a tree", err, ARRAY(come, r->tree->n)) < 0)
        return -1;
    r->barrier = reduce(r, &nothing, come);
    broadcast(r, &nothing);
    r->barrier += r->broadcast;
    r->reduce = reduce(r, how, come);
    broadcast(r, how);
    free(come);
    return 0;
}

void relay_close(struct relay *r)
{
    FREE(r->way, r->bandwidth, r->sent, r->at, r->up, r->order);
    *r = (struct relay){ 0 };
}
