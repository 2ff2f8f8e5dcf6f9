/* Plans of messages that wait for each other, flit by flit: closed forms on idle networks, broadcasts whose makespan is
 * known, and what a closed source on the same link costs. */
#include <string.h>

#include "analysis/broadcast/cycles.h"
#include "analysis/simulate/simulate.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"

enum { F = 20, MOST = 32 };
static struct err err;

#define COMES true
#define LEAVES false
#define FIRST { -1, -1 }, { false, false }
#define AFTER(m, how) { (m), -1 }, { (how), false }

/* ---- idle ---- */

static const struct plan_row {
    const char *name, *net, *switching;
    double hop_time;
    size_t n;
    struct simulate_planned plan[4];
    double want[4];                     /* arrivals */
} idle[] = {
    { "one link", "mesh:4", "wormhole", 1, 1, { { 0, 1, F, FIRST } }, { F } },
    { "one flit", "mesh:4", "wormhole", 1, 1, { { 0, 3, 1, FIRST } }, { 3 } },
    { "a chain", "mesh:4", "wormhole", 1, 3,
      { { 0, 1, F, FIRST }, { 1, 2, F, AFTER(0, COMES) }, { 2, 3, F, AFTER(1, COMES) } }, { F, 2 * F, 3 * F } },
    { "a chain of ways, hop time 3", "mesh:6", "wormhole", 3, 3,
      { { 0, 2, F, FIRST }, { 2, 5, F, AFTER(0, COMES) }, { 5, 4, 1, AFTER(1, COMES) } },
      { F + 3, 2 * F + 9, 2 * F + 10 } },
    { "the same, cut through", "mesh:6", "cut-through", 3, 3,
      { { 0, 2, F, FIRST }, { 2, 5, F, AFTER(0, COMES) }, { 5, 4, 1, AFTER(1, COMES) } },
      { F + 3, 2 * F + 9, 2 * F + 10 } },
    { "stored", "mesh:6", "store-and-forward", 3, 2, { { 0, 2, F, FIRST }, { 2, 5, F, AFTER(0, COMES) } },
      { 2 * F + 3, 5 * F + 9 } },
    { "one port, blocking", "mesh:4", "wormhole", 1, 3,
      { { 0, 2, F, FIRST }, { 0, 3, F, AFTER(0, COMES) }, { 0, 1, F, AFTER(1, COMES) } },
      { F + 1, 2 * F + 3, 3 * F + 3 } },
    { "one port, not blocking", "mesh:4", "wormhole", 1, 3,
      { { 0, 2, F, FIRST }, { 0, 3, F, AFTER(0, LEAVES) }, { 0, 1, F, AFTER(1, LEAVES) } },
      { F + 1, 2 * F + 2, 3 * F } },
    { "two ports, two links", "mesh:4", "wormhole", 1, 3,
      { { 1, 0, F, FIRST }, { 1, 3, F, FIRST }, { 1, 2, F, AFTER(0, COMES) } }, { F, F + 1, 2 * F } },
    { "two ports, one link", "mesh:4", "wormhole", 1, 2, { { 0, 1, F, FIRST }, { 0, 1, F, FIRST } }, { F, 2 * F } },
    { "the same, cut through", "mesh:4", "cut-through", 1, 2, { { 0, 1, F, FIRST }, { 0, 1, F, FIRST } },
      { F, 2 * F } },
    { "and flit by flit in turns", "mesh:4", "virtual-channel", 1, 2, { { 0, 1, F, FIRST }, { 0, 1, F, FIRST } },
      { 2 * F - 1, 2 * F } },
    { "after two, which meet", "mesh:3", "wormhole", 1, 3,
      { { 0, 1, F, FIRST }, { 2, 1, 3 * F, FIRST }, { 1, 0, 1, { 0, 1 }, { COMES, COMES } } },
      { F, 3 * F, 3 * F + 1 } },
    { "after one that leaves, one that comes", "mesh:4", "wormhole", 1, 3,
      { { 0, 3, F, FIRST }, { 1, 0, 2, FIRST }, { 0, 1, F, { 0, 1 }, { LEAVES, COMES } } }, { F + 2, 2, 2 * F } },
    { "a link of two cycles a flit", "mesh:4,bandwidth=0.5", "wormhole", 2, 2,
      { { 0, 2, F, FIRST }, { 0, 1, F, AFTER(0, LEAVES) } }, { 2 * F + 2, 4 * F } },
    { "where terminals have links", "fattree:4", "wormhole", 1, 2,
      { { 0, 1, F, FIRST }, { 1, 15, F, AFTER(0, COMES) } },
      { F + 1, 2 * F + 6 } },
};

static const char *usual(const char *net)
{
    return strncmp(net, "fat", 3) == 0 ? "dmodk" : strpbrk(net, "sd") == net ? "minimal" : "dor";
}

static void simulate(struct simulate_result *r, const char *net, struct simulate_options *o, double interval)
{
    const struct load load = { interval, 1 };
    struct simulation *run = NULL;
    struct scene s;

    err = (struct err){ 0 };
    scene_open(&s, net, "uniform", usual(net));
    if (simulate_open(&run, s.net, &s.traffic, s.routing.spec, o, &err) < 0 || simulate_run(r, run, &load, &err) < 0)
        fail_msg("%s: %s", net, err.msg);
    simulate_close(run);
    scene_release(&s);
}

static void an_idle_plan(void **state)
{
    const struct plan_row *row = *state;
    struct simulate_options o = simulate_usual;
    struct simulate_result r;
    double last = 0;

    o.switching = switching_find(row->switching, &err);
    o.hop_time = row->hop_time;
    o.plan = row->plan;
    o.nplan = row->n;
    o.replications = 1;
    for (int turn = 0; turn < 4; turn++) {      /* terminals' links are none of a plan's; nor when it begins */
        o.terminals = turn % 2;
        o.warmup = turn / 2 ? 1000 : NAN;
        simulate(&r, row->net, &o, INFINITY);
        for (size_t i = 0; i < row->n; i++) {
            if (fabs(r.plan_arrival[i] - row->want[i]) > 1e-9)
                fail_msg("%s: message %zu comes at %g, not %g", row->name, i, r.plan_arrival[i], row->want[i]);
            last = fmax(last, row->want[i]);
        }
        check_near(r.plan_completion, last, 1e-9);
        assert_int_equal(r.plan_runs, 1);
        assert_true(r.delivered == 0 && r.born == 0);
        simulate_result_release(&r);
    }
}

/* ---- broadcasts ---- */

static size_t broadcast(struct simulate_planned *plan, const char *tree, int n, double flits, int ports)
{
    struct tree_shape t;
    int message[MOST] = { -1 };

    assert_int_equal(tree_shape_init(&t, tree_find(tree, &err), n, NULL, &err), 0);
    for (int v = 0; v < n; v++)
        for (int i = t.first[v]; i < t.first[v + 1]; i++) {
            plan[i] = (struct simulate_planned){ v, t.child[i], flits, { message[v], -1 }, { true, ports == 1 } };
            if (ports && i - t.first[v] >= ports)
                plan[i].after[1] = i - ports;
            message[t.child[i]] = i;
        }
    tree_shape_release(&t);
    return (size_t)n - 1;
}

/* Steps of store and forward: a message a link in each. Where hops take no time beyond that, steps are
 * as long as messages. The binary tree on the mesh has two messages that ask for a link at the same time, and takes 11
 * or 12 steps. */
static const struct step_row {
    const char *net, *tree;
    int n, ports, least, most;
} steps[] = {
    { "mesh:4x4", "sequential", 16, 1, 48, 48 }, { "mesh:4x4", "binary", 16, 1, 11, 12 },
    { "mesh:4x4", "binomial", 16, 1, 6, 6 }, { "mesh:4x4", "chain", 16, 1, 24, 24 },
    { "star:9", "sequential", 9, 1, 8, 8 }, { "star:9", "sequential", 9, 3, 3, 3 },
    { "star:9", "sequential", 9, 0, 1, 1 },
    { "star:9", "chain", 9, 1, 15, 15 }, { "hypercube:4", "binomial", 16, 1, 4, 4 },
    { "hypercube:4", "sequential", 16, 1, 32, 32 }, { "mesh:8", "chain", 8, 1, 7, 7 },
};

static void a_broadcast(void **state)
{
    const struct step_row *row = *state;
    struct simulate_planned plan[MOST];
    struct simulate_options o = simulate_usual;
    struct simulate_result r;
    double got;

    o.switching = switching_find("store-and-forward", &err);
    o.hop_time = 0;
    o.plan = plan;
    o.replications = 1;
    for (int flits = 1; flits <= 1000; flits *= 10) {
        o.nplan = broadcast(plan, row->tree, row->n, flits, row->ports);
        simulate(&r, row->net, &o, INFINITY);
        got = r.plan_completion / flits;
        if (got < row->least || got > row->most || got > floor(got))
            fail_msg("%s, %s, %d ports: %g steps of %d flits", row->net, row->tree, row->ports, got, flits);
        simulate_result_release(&r);
    }
}

/* Where no message waits for a link it is all the same what links are let go for, and when: the event run of cycles.h
 * has the same completion. Of stored messages a hop time is from the last flit's coming there. */
static void where_messages_do_not_meet(void **state)
{
    static const char *const nets[] = { "mesh:4x4", "hypercube:4", "fattree:4", "star:9", "ring:7", "mesh:3x3x3",
                                        "dragonfly,a=2,p=2,h=1" },
        *const trees[] = { "sequential", "binary", "binomial", "chain" },
        *const how[] = { "wormhole", "cut-through", "store-and-forward" };
    int met = 0, alone = 0;

    (void)state;
    for (int i = 0; i < (int)(COUNT(nets) * COUNT(trees) * COUNT(how)) * 6; i++) {
        const char *net = nets[i % 7], *tree = trees[i / 7 % 4];
        const int ports = i / 84 % 3, root = 0;
        const struct cycles_how hold = { switching_find(how[i / 28 % 3], &err), 7, 1 + i / 252 * 2, ports, ports == 1 };
        const struct cycles_start start = { 0, 0 };
        struct simulate_planned plan[MOST];
        struct simulate_options o = simulate_usual;
        struct simulate_result r;
        struct tree_shape shape;
        struct placement where;
        struct cycles_links links;
        struct cycles_ways ways;
        struct cycles_run run;
        struct scene s;
        double waited = 0;

        scene_open(&s, net, "uniform", usual(net));
        if (placement_init(&where, s.net, NULL, 0, 1, 1, &err) < 0 ||
            tree_shape_init(&shape, tree_find(tree, &err), where.n, NULL, &err) < 0 ||
            cycles_links_open(&links, s.net, &err) < 0 ||
            cycles_ways_open(&ways, &links, &(struct cycles_trees){ &shape, &where, &root, 1, &s.routing }, NULL,
                             &err) < 0 ||
            cycles_run_open(&run, &ways, &hold, &start, 1, &err) < 0 || cycles_run(&run, NULL, NULL, &err) < 0)
            fail_msg("%s, %s: %s", net, tree, err.msg);
        for (int m = 1; m < where.n; m++)
            waited += run.message[m].waited;
        o.switching = hold.switching;
        o.hop_time = hold.hop_time;
        o.flits = hold.flits;
        o.plan = plan;
        o.nplan = broadcast(plan, tree, where.n, hold.flits, ports);
        o.replications = 1;
        for (size_t m = 0; m < o.nplan; m++) {
            plan[m].source = where.node[plan[m].source];
            plan[m].target = where.node[plan[m].target];
        }
        simulate(&r, net, &o, INFINITY);
        if (waited == 0 && r.plan_completion != run.last)
            fail_msg("%s, %s, %s, %d ports: %g, not %g", net, tree, hold.switching->name, ports, r.plan_completion,
                     run.last);
        waited > 0 ? met++ : alone++;
        simulate_result_release(&r);
        cycles_run_release(&run);
        cycles_ways_release(&ways);
        cycles_links_release(&links);
        tree_shape_release(&shape);
        placement_release(&where);
        scene_release(&s);
    }
    print_message("%d of %d without waits\n", alone, alone + met);
    assert_true(alone > 100);
}

/* ---- among a background ---- */

static void many(double *mean, double *deviation, struct simulate_options *o, const char *net, double interval,
                 int runs)
{
    enum { EACH = 200 };
    double sum = 0, squares = 0;

    o->replications = EACH;
    for (int i = 0; i < runs / EACH; i++) {
        struct simulate_result r;

        o->seed++;
        simulate(&r, net, o, interval);
        assert_int_equal(r.plan_runs, EACH);
        sum += r.plan_completion * EACH;
        squares += r.plan_deviation * r.plan_deviation * (EACH - 1) + r.plan_completion * r.plan_completion * EACH;
        simulate_result_release(&r);
    }
    *mean = sum / runs;
    *deviation = sqrt(squares / runs - *mean * *mean);
}

/* Two nodes send to each other, MI 100 after the last came, TD 25. A message finds the link held with TD/(MI + TD),
 * for half of TD: it waits TD^2 / 2(MI + TD) = 2.5, and is complete after 27.5 with deviation 5.951. In whole cycles it
 * waits for 0 to TD - 1, of both that ask at once being the one whose turn it is, behind the other's last: 27.4 and
 * 5.784. Three one after the other: 88.560 (cycles_load.h, 2). */
static void beside_a_closed_source(void **state)
{
    const struct simulate_planned plan[3] = { { 0, 1, 25, FIRST }, { 0, 1, 25, AFTER(0, COMES) },
                                              { 0, 1, 25, AFTER(1, COMES) } };
    struct simulate_options o = simulate_usual;
    double mean, deviation;

    (void)state;
    o.switching = &switching_wormhole;
    o.source = SOURCE_CLOSED;
    o.flits = 25;
    o.warmup = 2000;
    o.terminals = false;
    o.plan = plan;
    o.nplan = 1;
    o.seed = check_seed();
    many(&mean, &deviation, &o, "mesh:2", 100, 10000);
    print_message("one: %g, deviation %g\n", mean, deviation);
    check_near(mean, 27.4, 4 * 5.784 / sqrt(10000));
    check_near(deviation, 5.784, 0.2);
    o.nplan = 3;
    many(&mean, &deviation, &o, "mesh:2", 100, 10000);
    print_message("three: %g, deviation %g\n", mean, deviation);
    check_near(mean, 88.560, 0.3 + 4 * deviation / sqrt(10000));
}

static void as_precise_as_asked(void **state)
{
    struct simulate_planned plan[MOST];
    struct simulate_options o = simulate_usual;
    struct simulate_result r, again;

    (void)state;
    o.switching = &switching_wormhole;
    o.source = SOURCE_CLOSED;
    o.warmup = 1000;
    o.replications = 40;
    o.precision = 0.02;
    o.max_cycles = INFINITY;
    o.plan = plan;
    o.nplan = broadcast(plan, "binomial", 16, 10, 1);
    o.jobs = 1;
    simulate(&r, "mesh:4x4", &o, 60);
    assert_true(r.replications >= 40 && r.plan_runs == r.replications && r.precise);
    assert_true(r.plan_half <= 0.02 * r.plan_completion && r.plan_completion > 42);     /* 42: idle */
    assert_true(r.delivered > 0 && r.mean < 30);        /* the background's alone */
    o.jobs = 3;
    simulate(&again, "mesh:4x4", &o, 60);
    assert_memory_equal(r.plan_arrival, again.plan_arrival, o.nplan * sizeof *r.plan_arrival);
    simulate_result_release(&again);
    simulate_result_release(&r);
    o.cycles = 41;                      /* not the time */
    o.precision = 0;
    simulate(&r, "mesh:4x4", &o, 60);
    assert_true(r.plan_runs == 0 && isnan(r.plan_completion));
    simulate_result_release(&r);
}

/* Each has its first link, and waits for the next one's. */
static void one_that_deadlocks(void **state)
{
    const struct simulate_planned plan[5] = { { 0, 2, F, FIRST }, { 1, 3, F, FIRST }, { 2, 4, F, FIRST },
                                              { 3, 0, F, FIRST }, { 4, 1, F, FIRST } };
    static const char *const how[] = { "wormhole", "cut-through" };

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct simulate_options o = simulate_usual;
        struct simulate_result r;

        o.switching = switching_find(how[i], &err);
        o.replications = 1;
        o.plan = plan;
        o.nplan = 5;
        simulate(&r, "ring:5", &o, INFINITY);
        assert_true(i == 0 ? r.deadlocks == 1 && r.ncycle == 5 && r.plan_runs == 0 : r.plan_completion == 2 * F);
        simulate_result_release(&r);
    }
}

int main(void)
{
    static struct CMUnitTest test[COUNT(idle) + COUNT(steps) + 4];
    size_t n = 0;
    int failed;

    net_setup();
    EACH_ROW(i, idle)
        test[n++] = (struct CMUnitTest){ idle[i].name, an_idle_plan, NULL, NULL, (void *)(uintptr_t)&idle[i] };
    EACH_ROW(i, steps)
        test[n++] = (struct CMUnitTest){ steps[i].tree, a_broadcast, NULL, NULL, (void *)(uintptr_t)&steps[i] };
    test[n++] = (struct CMUnitTest)cmocka_unit_test(where_messages_do_not_meet);
    test[n++] = (struct CMUnitTest)cmocka_unit_test(beside_a_closed_source);
    test[n++] = (struct CMUnitTest)cmocka_unit_test(as_precise_as_asked);
    test[n++] = (struct CMUnitTest)cmocka_unit_test(one_that_deadlocks);
    failed = cmocka_run_group_tests(test, NULL, NULL);
    net_teardown();
    return failed;
}
