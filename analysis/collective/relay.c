/* relay.c -- messages over a tree of processes.
 * 1. ways       links from parents to children, and where there are none the quickest ways over others
 * 2. tree       what of it is within reach
 * 3. cost       of a message, towards the leaves and towards the root
 * 4. executions of a broadcast, a reduction, and both with nothing to carry */
#include "analysis/collective/relay.h"
#include "analysis/collective/execute.h"
#include "model/collective/trees.h"

/* ---- ways ---- */

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
    while (events_next(&s->queue)) {
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

/* ---- tree ---- */

/* What of the tree messages reach, in the order of `tree`. */
static void relay_reached(struct relay *r)
{
    const struct tree_shape *t = r->tree;
    struct tree_shape *reached = &r->reached;
    int n = 0;

    for (int i = 0; i < t->n; i++) {
        const int v = r->order[i], parent = t->parent[v];

        reached->parent[v] = v == 0 || isinf(r->way[v]) || (parent > 0 && reached->parent[parent] < 0) ? -1 : parent;
        r->lost += v > 0 && reached->parent[v] < 0;
    }
    for (int u = 0; u < t->n; u++) {
        reached->first[u] = n;
        for (int k = t->first[u]; k < t->first[u + 1]; k++)
            if (reached->parent[t->child[k]] == u)
                reached->child[n++] = t->child[k];
    }
    reached->first[t->n] = n;
}

int relay_open(struct relay *out, const struct wiring *w, const struct tree_shape *tree, int root, const struct tick *t,
               struct err *err)
{
    struct relay r = { .tree = tree, .root = root, .reached = { .n = tree->n } };
    struct search s = { .tick = t };
    int64_t *seen = NULL;
    int ret = TAKE("messages over a tree", err, ZEROS(r.way, tree->n), ZEROS(r.bandwidth, tree->n),
                   ZEROS(r.sent, tree->n), ZEROS(r.at, tree->n), ARRAY(r.order, tree->n),
                   ARRAY(r.reached.parent, tree->n), ARRAY(r.reached.first, tree->n + 1),
                   ARRAY(r.reached.child, tree->n), ARRAY(s.away, w->n), ARRAY(s.narrow, w->n), ARRAY(s.from, w->n),
                   ARRAY(seen, w->n));

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
    if (ret == 0)
        relay_reached(&r);
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

/* ---- cost ---- */

/* A message that is sent: to its receiver, and, towards the root, taken up there. */
struct relay_message {
    int child;                          /* its link is that to this rank's parent */
    bool taken_up;
};
struct relay_state {
    struct relay *relay;
    const struct relay_how *how;
    double size;
    bool up;                            /* towards the root */
    struct relay_message *message;      /* by letter */
    size_t room;
    double *free;                       /* by rank: when it may take up the next, where that is serial */
    struct events queue;
    uint64_t found;
};

static double relay_hold(const struct relay_state *s, int child)
{
    return s->how->overhead + s->size / s->relay->bandwidth[child];
}

static int relay_start(struct cost *c, size_t letter, int from, int to, double, double *time, struct err *err)
{
    struct relay_state *s = c->state;
    struct relay *r = s->relay;
    const int v = tree_rank(s->up ? from : to, c->root, c->n);

    if (GROW(&s->room, letter + 1, "messages over a tree", err, GROWN(s->message)) < 0)
        return -1;
    s->message[letter] = (struct relay_message){ v, !s->up };
    if (s->up)
        return events_push(&s->queue, (struct event){ *time + r->way[v], s->found++, letter }, err);
    r->sent[v] = *time;
    r->at[v] = *time + relay_hold(s, v) + r->way[v];
    *time += s->how->serial ? relay_hold(s, v) : 0;
    return events_push(&s->queue, (struct event){ r->at[v], s->found++, letter }, err);
}

static double relay_next(const struct cost *c)
{
    const struct relay_state *s = c->state;

    return events_time(&s->queue);
}

static int relay_pass(struct cost *c, size_t *letter, struct err *err)
{
    struct relay_state *s = c->state;
    const struct event e = events_pop(&s->queue);
    struct relay_message *m = &s->message[e.what];
    double *free, done;

    if (m->taken_up) {
        *letter = e.what;
        return 0;
    }
    free = &s->free[s->relay->tree->parent[m->child]];
    done = (s->how->serial ? fmax(*free, e.at) : e.at) + relay_hold(s, m->child);
    *free = done;
    m->taken_up = true;
    return events_push(&s->queue, (struct event){ done, s->found++, e.what }, err);
}

static int relay_begin(struct cost *c, struct err *)
{
    struct relay_state *s = c->state;

    for (int v = 0; v < c->n; v++)
        s->free[v] = 0;
    return 0;
}

static const struct cost_kind relay_cost = {
    .name = "relay", .summary = "latencies between processes",
    .begin = relay_begin, .start = relay_start, .next = relay_next, .pass = relay_pass
};

/* ---- executions ---- */

static int relay_execute(double *time, struct relay_state *s, enum operation operation, double size, struct err *err)
{
    struct relay *r = s->relay;
    struct cost c = { .kind = &relay_cost, .n = r->tree->n, .state = s };
    struct schedule schedule;
    struct execution x;
    int ret;

    s->size = size;
    s->up = operation == REDUCE;
    if (schedule_open(&schedule, &(struct schedule){ .algorithm = &trees_given, .operation = operation, .n = c.n,
                                                     .root = r->root, .shape = &r->reached }, err) < 0)
        return -1;
    ret = execute(&x, &schedule, &c, 0, NULL, err);
    *time = x.time;
    schedule_close(&schedule);
    return ret;
}

static int relay_broadcast(struct relay_state *s, double size, struct err *err)
{
    struct relay *r = s->relay;
    double time;

    if (relay_execute(&time, s, BROADCAST, size, err) < 0)
        return -1;
    r->broadcast = 0;
    r->last = 0;
    for (int i = 1; i < r->tree->n; i++) {
        const int v = r->order[i];

        if (r->reached.parent[v] < 0)
            r->at[v] = INFINITY;
        else if (r->at[v] > r->broadcast) {
            r->broadcast = r->at[v];
            r->last = v;
        }
    }
    return 0;
}

int relay_run(struct relay *r, const struct relay_how *how, bool alone, struct err *err)
{
    struct relay_state s = { .relay = r, .how = how };
    int ret = TAKE("messages over a tree", err, ARRAY(s.free, r->tree->n));

    if (ret == 0 && !alone) {
        ret = relay_broadcast(&s, 0, err) < 0 || relay_execute(&r->barrier, &s, REDUCE, 0, err) < 0 ||
            relay_execute(&r->reduce, &s, REDUCE, how->size, err) < 0 ? -1 : 0;
        r->barrier += r->broadcast;
    }
    ret = ret < 0 ? -1 : relay_broadcast(&s, how->size, err);
    events_release(&s.queue);
    FREE(s.free, s.message);
    return ret;
}

void relay_close(struct relay *r)
{
    FREE(r->way, r->bandwidth, r->sent, r->at, r->order);
    tree_shape_release(&r->reached);
    *r = (struct relay){ 0 };
}
