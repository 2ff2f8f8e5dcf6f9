/* Broadcasts: known numbers, and the fast simulation against a slow and literal twin on random networks, trees
 * and placements, every schedule judged by rules of its own. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analysis/broadcast.h"
#include "tests/support/nets.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define SEED 29
#define MOST 40                     /* processes in a random case */

static struct err err;

/* ---- one case: everything a broadcast is made of ---- */
struct trial {
    struct net *net;
    struct routing routing;
    struct placement where;
    struct tree_shape tree;
    int root;
    struct broadcast_how how;
};

static void trial_release(struct trial *c)
{
    tree_shape_release(&c->tree);
    placement_release(&c->where);
    routing_close(&c->routing);
    net_close(c->net);
}

static void trial_open(struct trial *c, const char *spec, const char *tree, int processes, int ports, bool blocking)
{
    *c = (struct trial){ .how = { ports, blocking } };
    assert_int_equal(net_open(&c->net, spec, &err), 0);
    assert_int_equal(routing_open(&c->routing, c->net, NULL, &err), 0);
    assert_int_equal(placement_init(&c->where, c->net, NULL, processes, 1, &err), 0);
    assert_int_equal(tree_shape_init(&c->tree, tree_find(tree, &err), c->where.n, &err), 0);
}

static int node_of(const struct trial *c, int rank)
{
    return c->where.node[(rank + c->root) % c->where.n];
}

/* ---- the slow twin: every pending operation, in order, every unit ---- */
struct slow_message {
    int *path, hops, at;            /* at -1: not started */
};
struct slow {
    int64_t received[MOST], delivered[MOST];    /* by rank, -1: not yet */
    int served[MOST];
    struct slow_message message[MOST];
    bool busy[4096];
};
struct operation {
    int64_t time;
    int sender, index, rank;        /* rank: receiver */
};

static int by_order(const void *a, const void *b)
{
    const struct operation *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->sender != y->sender ? x->sender - y->sender : x->index - y->index;
}

static void slow_hop(struct slow *s, int v, int64_t unit)
{
    struct slow_message *m = &s->message[v];

    s->busy[m->path[m->at + 1]] = true;
    if (++m->at == m->hops)
        s->delivered[v] = unit;
}

/* May sender s start its next message at the beginning of a unit? */
static bool may_send(const struct slow *s, const struct trial *c, int sender)
{
    const int *child = c->tree.child + c->tree.first[sender];

    if (s->received[sender] < 0 || s->served[sender] == tree_nchild(&c->tree, sender))
        return false;
    for (int i = 0; c->how.blocking && i < s->served[sender]; i++)
        if (s->received[child[i]] < 0)
            return false;
    return true;
}

static size_t slow_pending(struct operation *op, const struct slow *s, const struct trial *c)
{
    size_t n = 0;

    for (int v = 0; v < c->tree.n; v++) {
        const int *child = c->tree.child + c->tree.first[v];

        for (int i = 0; i < s->served[v]; i++)
            if (s->delivered[child[i]] < 0)
                op[n++] = (struct operation){ s->received[v], v, i, child[i] };
        if (may_send(s, c, v))
            op[n++] = (struct operation){ s->received[v], v, s->served[v], child[s->served[v]] };
    }
    qsort(op, n, sizeof *op, by_order);
    return n;
}

static void slow_try(struct slow *s, const struct trial *c, const struct operation *op, int64_t unit)
{
    struct slow_message *m = &s->message[op->rank];
    int ports = 0, from;

    if (m->at >= 0) {
        from = m->path[m->at];
        if (s->busy[from] || s->busy[m->path[m->at + 1]])
            return;
        s->busy[from] = true;
        slow_hop(s, op->rank, unit);
        return;
    }
    from = m->path[0];
    if (s->busy[from])
        return;
    for (int i = op->index; i < tree_nchild(&c->tree, op->sender); i++) {
        int v = c->tree.child[c->tree.first[op->sender] + i];

        if (s->busy[s->message[v].path[1]] || (c->how.ports && ports == c->how.ports))
            break;
        s->message[v].at = 0;
        slow_hop(s, v, unit);
        s->served[op->sender]++;
        ports++;
    }
    s->busy[from] = s->busy[from] || ports > 0;
}

static int64_t slow_run(struct slow *s, struct trial *c)
{
    struct operation op[MOST * 2];
    struct route_path path = { 0 };
    int64_t unit = 0;
    int left = c->tree.n - 1;

    memset(s, 0, sizeof *s);
    for (int v = 0; v < c->tree.n; v++) {
        s->received[v] = s->delivered[v] = v ? -1 : 0;
        s->message[v].at = -1;
        if (v == 0)
            continue;
        assert_int_equal(route_path(&path, &c->routing, node_of(c, c->tree.parent[v]), node_of(c, v), &err), 0);
        s->message[v].hops = (int)path.n - 1;
        s->message[v].path = calloc(path.n, sizeof(int));
        assert_non_null(s->message[v].path);
        memcpy(s->message[v].path, path.node, path.n * sizeof(int));
    }
    while (left > 0) {
        size_t n = slow_pending(op, s, c);

        unit++;
        memset(s->busy, 0, sizeof s->busy);
        for (size_t i = 0; i < n; i++)
            slow_try(s, c, &op[i], unit);
        for (int v = 1; v < c->tree.n; v++)
            if (s->delivered[v] == unit) {
                s->received[v] = unit;
                left--;
            }
    }
    for (int v = 1; v < c->tree.n; v++)
        free(s->message[v].path);
    route_path_release(&path);
    return unit;
}

/* ---- the judge: is a schedule legal? ---- */
struct schedule {
    struct broadcast_step *step;
    size_t n, cap;
};

static int record(void *arg, const struct broadcast_step *step, struct err *e)
{
    struct schedule *s = arg;

    (void)e;
    if (s->n == s->cap) {
        s->cap = s->cap ? 2 * s->cap : 64;
        s->step = realloc(s->step, s->cap * sizeof *s->step);
        assert_non_null(s->step);
    }
    s->step[s->n++] = *step;
    return 0;
}

/* Each node does at most one operation a unit; sends on several ports leave one process together. */
static void judge_nodes(const struct schedule *s, const struct trial *c)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct broadcast_step *a = &s->step[i];
        int ports = 1;

        assert_true(i == 0 || a->unit >= s->step[i - 1].unit);
        assert_true(nets_linked(c->net, a->link_from, a->link_to));
        for (size_t j = i + 1; j < s->n && s->step[j].unit == a->unit; j++) {
            const struct broadcast_step *b = &s->step[j];

            assert_int_not_equal(a->link_to, b->link_to);
            assert_int_not_equal(a->link_to, b->link_from);
            assert_int_not_equal(a->link_from, b->link_to);
            if (a->link_from == b->link_from) {
                assert_true(a->kind == BROADCAST_SEND && b->kind == BROADCAST_SEND && a->from == b->from);
                ports++;
            }
        }
        assert_true(c->how.ports == 0 || ports <= c->how.ports);
    }
}

/* Each message goes from its sender's node to its receiver's, hop by hop, after the sender had it. */
static void judge_messages(const struct schedule *s, const struct trial *c, const struct broadcast *b, int64_t *sent)
{
    for (int v = 1; v < c->tree.n; v++) {
        int at = node_of(c, c->tree.parent[v]), from = (c->tree.parent[v] + c->root) % c->tree.n;
        int64_t last = (int64_t)b->received[from];
        bool delivered = false;

        sent[v] = 0;
        for (size_t i = 0; i < s->n; i++) {
            const struct broadcast_step *a = &s->step[i];

            if (a->message != v)
                continue;
            assert_false(delivered);
            assert_int_equal(a->from, from);
            assert_int_equal(a->to, (v + c->root) % c->tree.n);
            assert_int_equal(a->link_from, at);
            assert_int_equal(a->kind, sent[v] ? BROADCAST_FORWARD : BROADCAST_SEND);
            assert_true(a->unit > last);
            sent[v] = sent[v] ? sent[v] : a->unit;
            last = a->unit;
            at = a->link_to;
            delivered = a->delivers;
        }
        assert_true(delivered);
        assert_int_equal(at, node_of(c, v));
        assert_true(b->received[(v + c->root) % c->tree.n] == (double)last);
    }
}

/* Children are served in order, and a blocked sender waits for what it sent before. */
static void judge_order(const struct trial *c, const struct broadcast *b, const int64_t *sent)
{
    for (int v = 0; v < c->tree.n; v++)
        for (int i = c->tree.first[v] + 1; i < c->tree.first[v + 1]; i++)
            for (int j = c->tree.first[v]; j < i; j++) {
                int64_t earlier = sent[c->tree.child[j]], later = sent[c->tree.child[i]];
                int process = (c->tree.child[j] + c->root) % c->tree.n;

                assert_true(earlier <= later);
                if (c->how.blocking && earlier < later)
                    assert_true((double)later > b->received[process]);
            }
}

static void judge(const struct schedule *s, const struct trial *c, const struct broadcast *b)
{
    int64_t *sent = calloc((size_t)c->tree.n, sizeof *sent);
    double last = 0;

    assert_non_null(sent);
    assert_true(b->serial_hops == (double)s->n);
    assert_int_equal(b->n, c->tree.n);
    assert_true(b->messages == c->tree.n - 1);
    judge_nodes(s, c);
    judge_messages(s, c, b, sent);
    judge_order(c, b, sent);
    assert_true(b->received[c->root] == 0);
    for (int p = 0; p < b->n; p++)
        last = fmax(last, b->received[p]);
    assert_true(b->makespan_steps == last);
    free(sent);
}

/* ---- both, on one case ---- */
static void check_trial(struct trial *c)
{
    struct schedule schedule = { 0 };
    struct broadcast_watch watch = { record, &schedule };
    struct broadcast b;
    struct slow slow;
    double hops;

    assert_int_equal(broadcast_run(&b, &c->tree, &c->where, c->root, &c->routing, c->how, &watch, NULL, &err), 0);
    judge(&schedule, c, &b);
    assert_true(b.makespan_steps == (double)slow_run(&slow, c));
    for (int v = 0; v < c->tree.n; v++)
        assert_true(b.received[(v + c->root) % c->tree.n] == (double)slow.received[v]);
    assert_int_equal(broadcast_serial(&hops, &c->tree, &c->where, c->root, &c->routing, NULL, &err), 0);
    assert_true(hops == b.serial_hops);
    broadcast_release(&b);
    free(schedule.step);
}

static struct net *random_net(struct rng *rng)
{
    static const char *const specs[] = { "mesh:5x4", "torus:5x4x3", "mesh:4x4,wrap=2", "ring:9,directed=yes",
                                         "hypercube:5", "star:20", "complete:12", "midimew:25", "fattree:4",
                                         "circulant:21,jumps=3+7+8" };
    size_t pick = (size_t)rng_below(rng, COUNT(specs) + 4);
    struct net *net;

    if (pick >= COUNT(specs))
        return nets_random(rng, 2 + (int)rng_below(rng, 40), (int)rng_below(rng, 30), pick % 2);
    assert_int_equal(net_open(&net, specs[pick], &err), 0);
    return net;
}

static void random_trial(struct trial *c, struct rng *rng)
{
    int parent[MOST] = { 0 }, n;

    *c = (struct trial){ .net = random_net(rng) };
    n = c->net->nterminal < MOST ? c->net->nterminal : MOST;
    n = 1 + (int)rng_below(rng, (uint64_t)n);
    for (int v = 1; v < n; v++) {
        int near = v < 4 ? v : 1 + (int)rng_below(rng, (uint64_t)v);    /* from bushy to long */

        parent[v] = (int)rng_below(rng, (uint64_t)near);
    }
    c->root = (int)rng_below(rng, (uint64_t)n);
    c->how = (struct broadcast_how){ (int)rng_below(rng, 4), rng_below(rng, 2) };
    assert_int_equal(routing_open(&c->routing, c->net, rng_below(rng, 2) ? "auto" : "minimal", &err), 0);
    assert_int_equal(placement_init(&c->where, c->net, "random", n, rng_next(rng), &err), 0);
    assert_int_equal(tree_shape_from(&c->tree, parent, n, rng_below(rng, 2), &err), 0);
}

static void random_cases_equal_the_slow_twin(void **state)
{
    struct rng rng;
    struct trial c;

    (void)state;
    print_message("seed %d\n", SEED);
    rng_seed(&rng, SEED);
    for (int i = 0; i < 2000; i++) {
        random_trial(&c, &rng);
        check_trial(&c);
        trial_release(&c);
    }
}

static void every_tree_equals_the_slow_twin(void **state)
{
    struct trial c;

    (void)state;
    for (size_t i = 0; tree_all[i]; i++)
        for (int n = 1; n <= 33; n += 4)
            for (int k = 0; k < 6; k++) {
                trial_open(&c, "mesh:6x6,wrap=2", tree_all[i]->name, n, k % 3, k < 3);
                c.root = n / 2;
                check_trial(&c);
                trial_release(&c);
            }
}

/* ---- known numbers ---- */
static const struct row {
    const char *name, *spec, *tree;
    int processes, ports;
    bool blocking;
    double serial_hops, makespan_steps;
} rows[] = {
    { "sequential, 4x4 mesh, one port, blocking", "mesh:4x4", "sequential", 16, 1, true, 48, 48 },
    { "sequential, 4x4 mesh, one port, not blocking", "mesh:4x4", "sequential", 16, 1, false, 48, 27 },
    { "sequential, 4x4 mesh, all ports, blocking", "mesh:4x4", "sequential", 16, 0, true, 48, 42 },
    { "sequential, 4x4 mesh, all ports, not blocking", "mesh:4x4", "sequential", 16, 0, false, 48, 27 },
    { "sequential, all to all wired: N-1", "complete:16", "sequential", 16, 1, true, 15, 15 },
    { "sequential, all to all wired, all ports: at once", "complete:16", "sequential", 16, 0, false, 15, 1 },
    { "sequential, all to all wired, two ports: half", "complete:16", "sequential", 16, 2, true, 15, 8 },
    { "binomial, all to all wired: log N", "complete:16", "binomial", 16, 1, true, 15, 4 },
    { "binomial, hypercube: log N, all neighbours", "hypercube:6", "binomial", 0, 1, true, 63, 6 },
    { "binary, star", "star:16", "binary", 16, 1, true, 28, 28 },
    { "binomial, star, all ports", "star:16", "binomial", 16, 0, false, 26, 23 },
    { "chain, ring one way", "ring:16,directed=yes", "chain", 16, 1, true, 15, 15 },
    { "chain, ring one way, a far root is as good", "ring:16,directed=yes", "chain", 16, 0, false, 15, 15 },
    { "one process", "mesh:4x4", "binary", 1, 1, true, 0, 0 },
    { "65,536 processes", "torus:256x256", "binomial", 0, 1, true, 263168, 510 },
    { "65,536 processes round a hub", "star:65536", "binary", 0, 1, true, 131068, 131068 },
};

static void row_holds(void **state)
{
    const struct row *row = *state;
    struct trial c;
    struct broadcast b;

    trial_open(&c, row->spec, row->tree, row->processes, row->ports, row->blocking);
    assert_int_equal(broadcast_run(&b, &c.tree, &c.where, 0, &c.routing, c.how, NULL, NULL, &err), 0);
    if (b.serial_hops != row->serial_hops || b.makespan_steps != row->makespan_steps)
        fail_msg("serialised %g, makespan %g", b.serial_hops, b.makespan_steps);
    broadcast_release(&b);
    trial_release(&c);
}

/* A root r is root 0 with the placement turned. */
static void roots_turn_the_placement(void **state)
{
    struct trial c;
    struct broadcast b, turned;

    (void)state;
    trial_open(&c, "mesh:4x5", "binomial", 13, 1, false);
    assert_int_equal(broadcast_run(&b, &c.tree, &c.where, 5, &c.routing, c.how, NULL, NULL, &err), 0);
    for (int p = 0; p < 13; p++)
        c.where.node[p] = (p + 5) % 13;
    assert_int_equal(broadcast_run(&turned, &c.tree, &c.where, 0, &c.routing, c.how, NULL, NULL, &err), 0);
    assert_true(b.makespan_steps == turned.makespan_steps && b.serial_hops == turned.serial_hops);
    for (int p = 0; p < 13; p++)
        assert_true(b.received[(p + 5) % 13] == turned.received[p]);
    broadcast_release(&b);
    broadcast_release(&turned);
    trial_release(&c);
}

/* ---- flooding ---- */
static const struct flood_row {
    const char *name, *spec;
    int root;
    double makespan_steps, messages;
} flood_rows[] = {
    { "flooding, 4x4 torus: 4", "torus:4x4", 0, 4, 2 * 32 - 15 },
    { "flooding, rows wrapped: 5", "mesh:4x4,wrap=2", 0, 5, 2 * 28 - 15 },
    { "flooding, 4x4 mesh: 6 from a corner", "mesh:4x4", 0, 6, 2 * 24 - 15 },
    { "flooding, 4x4 mesh: 4 from the middle", "mesh:4x4", 5, 4, 2 * 24 - 15 },
    { "flooding, all to all wired: 1", "complete:7", 3, 1, 2 * 21 - 6 },
    { "flooding, star: 2 from a leaf", "star:6", 4, 2, 5 },
    { "flooding, ring one way: the last tells the first", "ring:6,directed=yes", 2, 5, 6 },
    { "flooding, ring of two", "ring:2", 0, 1, 1 },
    { "flooding, terminals of a fat tree", "fattree:4", 0, 6, 2 * 48 - 35 },
    { "flooding, midimew", "midimew:25", 7, 3, 100 - 24 },
};

static void flood_row_holds(void **state)
{
    const struct flood_row *row = *state;
    struct net *net;
    struct placement where;
    struct broadcast b;

    assert_int_equal(net_open(&net, row->spec, &err), 0);
    assert_int_equal(placement_init(&where, net, NULL, 0, 1, &err), 0);
    assert_int_equal(broadcast_flood(&b, net, &where, row->root, &err), 0);
    if (b.makespan_steps != row->makespan_steps || b.messages != row->messages || b.serial_hops != b.messages)
        fail_msg("makespan %g, messages %g", b.makespan_steps, b.messages);
    for (int p = 0; p < b.n; p++)
        assert_true(p == row->root ? b.received[p] == 0 : b.received[p] >= 1 && b.received[p] <= b.makespan_steps);
    broadcast_release(&b);
    placement_release(&where);
    net_close(net);
}

static void flooding_that_does_not_arrive_is_an_error(void **state)
{
    static const int end[] = { 0, 1, 2, 1 };
    struct net *net = nets_from_edges(3, end, 2, true);
    struct placement where;
    struct broadcast b;

    (void)state;
    assert_int_equal(placement_init(&where, net, NULL, 2, 1, &err), 0);
    assert_int_equal(broadcast_flood(&b, net, &where, 0, &err), -1);
    assert_int_equal(err.code, ERR_NETWORK);
    placement_release(&where);
    net_close(net);
}

/* Node 3 hears from 1 and 2 at once, takes 1 for the first and tells 2. */
static void flooding_hears_first_from_the_smallest(void **state)
{
    static const int end[] = { 0, 1, 0, 2, 1, 3, 2, 3, 3, 2 };
    struct net *net = nets_from_edges(4, end, 5, true);
    struct placement where;
    struct broadcast b;

    (void)state;
    assert_int_equal(placement_init(&where, net, NULL, 0, 1, &err), 0);
    assert_int_equal(broadcast_flood(&b, net, &where, 0, &err), 0);
    assert_true(b.messages == 5 && b.makespan_steps == 2);
    broadcast_release(&b);
    placement_release(&where);
    net_close(net);
}

/* ---- comparison ---- */
static void the_best_is_named_and_ties_are_shared(void **state)
{
    struct trial c;
    struct broadcast_table t;

    (void)state;
    trial_open(&c, "mesh:4x4", "chain", 11, 1, true);
    assert_int_equal(broadcast_compare(&t, tree_all, &c.where, 0, &c.routing, c.how, FLOODING_SHOWN, NULL, &err), 0);
    assert_string_equal(t.row[t.n - 1].name, "flooding");
    assert_false(t.row[t.n - 1].fewest_makespan);
    for (size_t i = 0; i + 1 < t.n; i++) {
        assert_string_equal(t.row[i].name, tree_all[i]->name);
        assert_int_equal(t.row[i].fewest_serial, t.row[i].serial_hops == t.serial_hops);
        assert_int_equal(t.row[i].fewest_makespan, t.row[i].makespan_steps == t.makespan_steps);
        assert_true(t.row[i].serial_hops >= t.serial_hops);
    }
    assert_true(t.serial_hops == 14);
    broadcast_table_release(&t);
    assert_int_equal(broadcast_compare(&t, tree_all, &c.where, 0, &c.routing, (struct broadcast_how){ 1, true },
                                       FLOODING_COMPETES, NULL, &err), 0);
    assert_true(t.makespan_steps <= t.row[t.n - 1].makespan_steps);
    broadcast_table_release(&t);
    assert_int_equal(broadcast_compare(&t, tree_all, &c.where, 0, &c.routing, c.how, FLOODING_NONE, NULL, &err), 0);
    assert_null(tree_all[t.n]);
    broadcast_table_release(&t);
    trial_release(&c);
}

/* ---- refusals and stopping ---- */
static int stop(void *arg, double done)
{
    (void)done;
    return ++*(int *)arg > 2;
}

static int refuse(void *arg, const struct broadcast_step *step, struct err *e)
{
    (void)arg;
    return step->unit == 3 ? err_set(e, ERR_IO, "no more") : 0;
}

static void wrong_requests_and_stops_are_errors(void **state)
{
    struct trial c;
    struct broadcast b;
    struct broadcast_watch watch = { refuse, NULL };
    int calls = 0;
    struct tick tick = { stop, &calls, 0, 1 };

    (void)state;
    trial_open(&c, "torus:32x32", "sequential", 0, 1, true);
    assert_int_equal(broadcast_run(&b, &c.tree, &c.where, 1024, &c.routing, c.how, NULL, NULL, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_int_equal(broadcast_run(&b, &c.tree, &c.where, 0, &c.routing, (struct broadcast_how){ -1, true }, NULL,
                                   NULL, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_int_equal(broadcast_run(&b, &c.tree, &c.where, 0, &c.routing, c.how, NULL, &tick, &err), -1);
    assert_int_equal(err.code, ERR_STOPPED);
    assert_int_equal(broadcast_run(&b, &c.tree, &c.where, 0, &c.routing, c.how, &watch, NULL, &err), -1);
    assert_string_equal(err.msg, "no more");
    c.where.n = 1000;
    assert_int_equal(broadcast_run(&b, &c.tree, &c.where, 0, &c.routing, c.how, NULL, NULL, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    trial_release(&c);
}

int main(void)
{
    struct CMUnitTest tests[64] = {
        { .name = "random cases equal the slow twin", .test_func = random_cases_equal_the_slow_twin },
        { .name = "every tree equals the slow twin", .test_func = every_tree_equals_the_slow_twin },
        { .name = "roots turn the placement", .test_func = roots_turn_the_placement },
        { .name = "flooding that does not arrive is an error", .test_func = flooding_that_does_not_arrive_is_an_error },
        { .name = "flooding hears first from the smallest", .test_func = flooding_hears_first_from_the_smallest },
        { .name = "the best is named and ties are shared", .test_func = the_best_is_named_and_ties_are_shared },
        { .name = "wrong requests and stops are errors", .test_func = wrong_requests_and_stops_are_errors },
    };
    size_t n = 7;
    int failed;

    net_setup();
    for (size_t i = 0; i < COUNT(rows) && n < COUNT(tests); i++)
        tests[n++] = (struct CMUnitTest){ .name = rows[i].name, .test_func = row_holds,
                                          .initial_state = (void *)(uintptr_t)&rows[i] };
    for (size_t i = 0; i < COUNT(flood_rows) && n < COUNT(tests); i++)
        tests[n++] = (struct CMUnitTest){ .name = flood_rows[i].name, .test_func = flood_row_holds,
                                          .initial_state = (void *)(uintptr_t)&flood_rows[i] };
    failed = _cmocka_run_group_tests("broadcasts", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
