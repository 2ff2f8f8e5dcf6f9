/* Broadcasts: known numbers, and the fast simulation against a slow and literal twin on random networks, trees
 * and placements, every schedule judged by rules of its own. */
#include <igraph.h>
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/nets.h"
#include "tests/support/trial.h"

#define SEED 29

static struct err err;

/* Bandwidths of 1 to 4, some not whole, another each way. */
static void widen(struct rng *rng, struct net *net)
{
    const igraph_t *graph;
    double *bandwidth;

    assert_int_equal(net_graph(net, &graph, &err), 0);
    const size_t n = 2 * (size_t)igraph_ecount(graph);

    bandwidth = malloc((n + 1) * sizeof *bandwidth);
    assert_non_null(bandwidth);
    for (size_t i = 0; i < n; i++)
        bandwidth[i] = net->directed && i % 2 ? bandwidth[i - 1] : 1 + 0.5 * (double)rng_below(rng, 7);
    assert_int_equal(cables_values(&net->cables, n / 2, bandwidth, NULL, &err), 0);
    free(bandwidth);
}

static struct net *random_net(struct rng *rng)
{
    static const char *const specs[] = { "mesh:5x4", "torus:5x4x3", "mesh:4x4,wrap=2", "ring:9,directed=yes",
                                         "hypercube:5", "star:20", "complete:12", "midimew:25", "fattree:4",
                                         "dragonfly,a=3,p=2,h=1", "circulant:21,jumps=3+7+8", "mesh:13x11" };
    size_t pick = (size_t)rng_below(rng, COUNT(specs) + 4);
    struct net *net;

    if (pick >= COUNT(specs)) {
        net = nets_random(rng, 2 + (int)rng_below(rng, 40), (int)rng_below(rng, 30), pick % 2);
        if (rng_below(rng, 2))
            nets_switch(rng, net);
        if (rng_below(rng, 2))
            widen(rng, net);
        return net;
    }
    assert_int_equal(net_open(&net, specs[pick], &err), 0);
    return net;
}

static void random_trial(struct trial *c, struct rng *rng)
{
    int parent[TRIAL_MOST] = { 0 }, n;

    *c = (struct trial){ .net = random_net(rng) };
    n = c->net->nterminal < TRIAL_MOST ? c->net->nterminal : TRIAL_MOST;
    n = 1 + (int)rng_below(rng, (uint64_t)n);
    for (int v = 1; v < n; v++) {
        int near = v < 4 ? v : 1 + (int)rng_below(rng, (uint64_t)v);    /* from bushy to long */

        parent[v] = (int)rng_below(rng, (uint64_t)near);
    }
    c->root = (int)rng_below(rng, (uint64_t)n);
    c->how = (struct broadcast_how){ (int)rng_below(rng, 4), rng_below(rng, 2) };
    assert_int_equal(routing_open(&c->routing, c->net, rng_below(rng, 2) ? "minimal" :
                                  routing_usual(NULL, c->net, ROUTING_FOR_TREES), &err), 0);
    assert_int_equal(placement_init(&c->where, c->net, "random", n, 1, rng_next(rng), &err), 0);
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
        trial_check(&c);
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
                trial_check(&c);
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
    { "binomial, 8192 nodes of a hypercube", "hypercube:13", "binomial", 0, 1, true, 8191, 13 },
    { "sequential, star of 8192, two ports: half", "star:8192", "sequential", 0, 2, true, 8191, 4096 },
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
    assert_int_equal(steps_broadcast(&b, &c.tree, 0, &(struct steps){ &c.where, &c.routing, c.how, NULL }, NULL,
                                     &err), 0);
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
    assert_int_equal(steps_broadcast(&b, &c.tree, 5, &(struct steps){ &c.where, &c.routing, c.how, NULL }, NULL,
                                     &err), 0);
    for (int p = 0; p < 13; p++)
        c.where.node[p] = (p + 5) % 13;
    assert_int_equal(steps_broadcast(&turned, &c.tree, 0, &(struct steps){ &c.where, &c.routing, c.how, NULL }, NULL,
                                     &err), 0);
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
    assert_int_equal(placement_init(&where, net, NULL, 0, 1, 1, &err), 0);
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
    assert_int_equal(placement_init(&where, net, NULL, 2, 1, 1, &err), 0);
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
    assert_int_equal(placement_init(&where, net, NULL, 0, 1, 1, &err), 0);
    assert_int_equal(broadcast_flood(&b, net, &where, 0, &err), 0);
    assert_true(b.messages == 5 && b.makespan_steps == 2);
    broadcast_release(&b);
    placement_release(&where);
    net_close(net);
}

static void a_tree_along_the_network_takes_a_hop_a_process(void **state)
{
    struct trial c;
    struct broadcast b;

    (void)state;
    trial_open(&c, "mesh:4x4", "breadth-first", 11, 1, true);
    assert_int_equal(steps_broadcast(&b, &c.tree, 0, &(struct steps){ &c.where, &c.routing, c.how, NULL }, NULL, &err),
                     0);
    assert_true(b.serial_hops == 10);               /* the fewest there can be */
    broadcast_release(&b);
    trial_release(&c);
}

/* ---- refusals and stopping ---- */
static int stop(void *arg, double done)
{
    (void)done;
    return ++*(int *)arg > 2;
}

static int refuse(void *arg, const struct step *step, struct err *e)
{
    (void)arg;
    return step->unit == 3 ? err_set(e, ERR_IO, "no more") : 0;
}

static void wrong_requests_and_stops_are_errors(void **state)
{
    struct trial c;
    struct broadcast b;
    struct steps_watch watch = { refuse, NULL };
    int calls = 0;
    struct tick tick = { stop, &calls, 0, 1, NULL };

    (void)state;
    trial_open(&c, "torus:32x32", "sequential", 0, 1, true);
    assert_int_equal(steps_broadcast(&b, &c.tree, 1024, &(struct steps){ &c.where, &c.routing, c.how, NULL }, NULL,
                                     &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_int_equal(steps_broadcast(&b, &c.tree, 0, &(struct steps){ &c.where, &c.routing,
                                     (struct broadcast_how){ -1, true }, NULL }, NULL, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_int_equal(steps_broadcast(&b, &c.tree, 0, &(struct steps){ &c.where, &c.routing, c.how, NULL }, &tick,
                                     &err), -1);
    assert_int_equal(err.code, ERR_STOPPED);
    assert_int_equal(steps_broadcast(&b, &c.tree, 0, &(struct steps){ &c.where, &c.routing, c.how, &watch }, NULL,
                                     &err), -1);
    assert_string_equal(err.msg, "no more");
    c.where.n = 1000;
    assert_int_equal(steps_broadcast(&b, &c.tree, 0, &(struct steps){ &c.where, &c.routing, c.how, NULL }, NULL,
                                     &err), -1);
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
        { .name = "the best is named and ties are shared", .test_func = a_tree_along_the_network_takes_a_hop_a_process },
        { .name = "wrong requests and stops are errors", .test_func = wrong_requests_and_stops_are_errors },
    };
    size_t n = 0;

    while (tests[n].test_func)          /* those listed above */
        n++;
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
