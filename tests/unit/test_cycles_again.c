/* Broadcasts again and again: against queues whose waits are known, capacities by hand, and the simulation of
 * cycles_twin.h, message by message, which knows nothing of the program. */
#include "analysis/broadcast/cycles_again.h"
#include "tests/support/check.h"
#include "tests/support/stage.h"

enum { CHAIN, BINOMIAL, SEQUENTIAL, BINARY, NTREE };
static const char *const tree_name[NTREE] = { "chain", "binomial", "sequential", "binary" };

static const struct cycles_how one_port = { &switching_wormhole, 25, 0, 1, true };
static const char *const switching_name[] = {       /* by enum twin_switching */
    "wormhole", "circuit", "cut-through", "store-and-forward"
};

/* All processes of the trial are roots, or the first nroot. */
static int again_try(struct again *a, const struct trial *c, struct again_how how, int nroot, struct err *err)
{
    struct cycles_links links;
    struct cycles_ways ways;
    struct routing routing = c->routing;
    int root[TRIAL_MOST], ret;

    for (int i = 0; i < nroot; i++)
        root[i] = i;
    if (cycles_links_open(&links, c->net, err) < 0 ||
        cycles_ways_open(&ways, &links, &(struct cycles_trees){ &c->tree, &c->where, root, nroot, &routing }, NULL,
                         err) < 0)
        fail_msg("%s", err->msg);
    ret = again_open(a, &ways, &how, NULL, err);
    cycles_ways_release(&ways);
    cycles_links_release(&links);
    return ret;
}

static struct again again(const struct trial *c, struct again_how how, int nroot)
{
    struct again a;
    struct err err = { 0 };

    if (again_try(&a, c, how, nroot, &err) < 0)
        fail_msg("%s", err.msg);
    return a;
}

static struct again again_on(const char *spec, const char *tree, struct again_how how, int nroot)
{
    struct trial c;
    struct again a;

    trial_open(&c, spec, tree, 0, how.run.ports, how.run.blocking);
    a = again(&c, how, nroot ? nroot : c.where.n);
    trial_release(&c);
    return a;
}

static void within(const char *what, double got, double want, double part)
{
    if (!(fabs(got - want) <= part * want))
        fail_msg("%s: %g, known %g: %+.2f %%", what, got, want, 100 * (got / want - 1));
}

/* ---- capacity ---- */

/* By hand. One root: what it sends itself. star: all roots, sequential: 3 messages each, all through the one link to a
 * leaf but what the hub sends. line 0-1-2, sequential from all: link 0>1 has 0>1, 0>2: 2 messages; ports 2. Chain with
 * half-speed cables: the root's port for 2 TD. Store and forward blocks a port until the message is through. */
static const struct capacity_row {
    const char *name, *spec;
    int tree, nroot, ports;
    enum twin_switching switching;
    double hop_time, interval;
    int process;                    /* -1: a link */
} capacity_rows[] = {
    { "one root, chain", "mesh:4x4", CHAIN, 1, 1, TWIN_WORMHOLE, 0, 25, 0 },
    { "one root, binary", "mesh:4x4", BINARY, 1, 1, TWIN_WORMHOLE, 0, 2 * 25, 0 },
    { "one root, binomial", "mesh:4x4", BINOMIAL, 1, 1, TWIN_WORMHOLE, 0, 4 * 25, 0 },
    { "one root, sequential", "mesh:4x4", SEQUENTIAL, 1, 1, TWIN_WORMHOLE, 0, 15 * 25, 0 },
    { "one root, three ports: its link is full", "mesh:4", SEQUENTIAL, 1, 3, TWIN_WORMHOLE, 0, 3 * 25, -1 },
    { "all roots, a line of four: the middle", "mesh:4", SEQUENTIAL, 4, 1, TWIN_WORMHOLE, 0, 4 * 25, -1 },
    { "all roots, chain, every process sends to its next", "ring:5,directed=yes", CHAIN, 5, 1, TWIN_WORMHOLE, 0,
      4 * 25, 0 },
    { "hops of 2 hold a port: 3 links, and 1", "mesh:4", CHAIN, 4, 1, TWIN_WORMHOLE, 2, 3 * (25 + 2 * 2), 3 },
    { "stored and forwarded over 1, 2 and 3 links", "mesh:4", SEQUENTIAL, 1, 1, TWIN_STORE_AND_FORWARD, 0, 6 * 25,
      0 },
    { "the same over 1 and 2 long links: a port waits for their ends", "mesh:3,latency=7", SEQUENTIAL, 1, 1,
      TWIN_STORE_AND_FORWARD, 0, 3 * (25 + 7), 0 },
    { "a circuit is set up there and back", "mesh:2", CHAIN, 1, 1, TWIN_CIRCUIT, 3, 25 + 2 * 3, 0 },
};

static void capacity_row_holds(void **state)
{
    const struct capacity_row *row = *state;
    const struct again_how how = { { switching_find(switching_name[row->switching], NULL), 25, row->hop_time,
                                      row->ports, true }, false, 1, 1000 };
    const struct again a = again_on(row->spec, tree_name[row->tree], how, row->nroot);

    check_near(a.capacity.interval, row->interval, 1e-9);
    assert_int_equal(a.capacity.process, row->process);
    if (a.saturation < a.capacity.interval)
        fail_msg("%s: saturates at %g, before the bound of %g", row->name, a.saturation, row->interval);
}

/* ---- queues ---- */

/* One root whose broadcast is a batch of length B: M/D/1, all of it. */
static void one_root(void **state)
{
    static const double batch[NTREE] = { 25, 4 * 25, 15 * 25, 0 }, idle[NTREE] = { 15 * 25, 4 * 25, 15 * 25, 0 };

    (void)state;
    for (int t = CHAIN; t <= SEQUENTIAL; t++) {
        const struct again a = again_on("mesh:4x4", tree_name[t], (struct again_how){ one_port, false, 1, 0 }, 1);

        check_near(a.idle, idle[t], 1e-9);
        check_near(a.slope, batch[t] * batch[t] / 2, 1e-6);
        check_near(a.saturation, batch[t], 1e-6);
        for (double rho = 0.1; rho < 0.85; rho += 0.1)
            within(tree_name[t], again_at(&a, batch[t] / rho).completion,
                   idle[t] + rho * batch[t] / (2 * (1 - rho)), 0.002);
        assert_true(again_at(&a, batch[t] / 0.5).validity == AGAIN_VALID);
        assert_true(again_at(&a, batch[t] / 0.7).validity == AGAIN_NEAR);
        assert_true(again_at(&a, batch[t] / 0.9).validity == AGAIN_SATURATED);
        assert_true(isnan(again_at(&a, batch[t] / 0.9).completion));
    }
}

/* A closed root alone never meets itself. */
static void one_closed_root(void **state)
{
    const struct again a = again_on("mesh:4x4", "binary", (struct again_how){ one_port, true, 1, 0 }, 1);

    (void)state;
    for (double z = 1; z < 1e5; z *= 10) {
        check_near(again_at(&a, z).completion, 7 * 25, 1e-9);
        check_near(again_at(&a, z).rate, 1 / (7 * 25 + z), 1e-12);
    }
    check_near(again_interval(&a, 0.5), 7 * 25, 1e-6);
    assert_true(isnan(again_interval(&a, 1)));
}

/* All roots of a one-way ring: every chain takes each link but one, for TD, and none wants it where it is not. */
static void chains_round_a_ring(void **state)
{
    (void)state;
    for (int p = 3; p <= 9; p += 3) {
        char spec[40];
        struct again a;

        snprintf(spec, sizeof spec, "ring:%d,directed=yes", p);
        a = again_on(spec, "chain", (struct again_how){ one_port, false, 2, 0 }, 0);
        assert_true(a.slope_exact);
        check_near(a.idle, (p - 1) * 25, 1e-9);
        check_near(a.slope, (2 * p - 3) * 25 * 25 / 2., 1e-6);
        within(spec, a.saturation, (p - 1) * 25, 0.01);
    }
}

/* Time has no unit. */
static void scaled(void **state)
{
    struct again_how how = { one_port, false, 5, 20000 };

    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        struct again a, b;

        how.closed = closed;
        how.run.flits = 25;
        a = again_on("mesh:3x3", "binomial", how, 0);
        how.run.flits = 50;
        b = again_on("mesh:3x3", "binomial", how, 0);
        check_near(b.capacity.interval, 2 * a.capacity.interval, 1e-9);
        check_near(b.idle, 2 * a.idle, 1e-9);
        check_near(b.slope, 4 * a.slope, 1e-6 * a.slope);
        check_near(b.saturation, 2 * a.saturation, 1e-6 * a.saturation);
        check_near(again_at(&b, 4000).completion, 2 * again_at(&a, 2000).completion, 1e-6 * a.idle);
    }
}

/* More broadcasts under way than there are numbers for: 3e21 hop times fit between two starts. */
static void too_many_at_once(void **state)
{
    const struct cycles_how how = { &switching_cut_through, 1e-9, 1e12, 0, false };
    struct err err = { 0 };
    struct trial c;
    struct again a;

    (void)state;
    trial_open(&c, "star:5", "chain", 0, 0, false);
    assert_int_equal(again_try(&a, &c, (struct again_how){ how, false, 1, 400 }, 1, &err), -1);
    assert_int_equal(err.code, ERR_MEMORY);
    trial_release(&c);
}

/* ---- the simulation ---- */

/* Roots that start at once again, 4x4, as another simulation had them; and which order they come in, above
 * all: the slowest on an idle network carries the most. */
static void back_to_back(void **state)
{
    static const double interval[NTREE] = { 375, 506, 573, 689 };
    double before = 0;

    (void)state;
    for (int t = 0; t < NTREE; t++) {
        const struct again a = again_on("mesh:4x4", tree_name[t], (struct again_how){ one_port, true, 1, 0 }, 0);

        within(tree_name[t], a.saturation, interval[t], 0.06);
        assert_true(a.saturation > before);
        before = a.saturation;
    }
}

/* Mean completion of `enough` broadcasts of all roots, and the time from start to start of a root. */
static double simulated(double *period, struct trial *c, const struct again_how *how, int nroot, double interval,
                        int enough)
{
    struct twin_root root[TRIAL_MOST];
    int as = 0;
    struct stage g;
    struct twin_result r;
    struct rng rng;
    double sum = 0, n = 0;

    while (how->run.switching != switching_find(switching_name[as], NULL))
        as++;
    rng_seed(&rng, 77);
    stage_open(&g, c, (enum twin_switching)as, how->run.flits, how->run.hop_time);
    for (int i = 0; i < nroot; i++)
        root[i] = (struct twin_root){ i, 0, 0, how->closed ? TWIN_THINKING : TWIN_POISSON, interval };
    g.scene.root = root;
    g.scene.nroot = nroot;
    twin_run(&r, &g.scene, (struct twin_how){ .enough = enough, .rng = &rng });
    assert_false(r.deadlock);
    for (int i = enough / 10; i < enough * 9 / 10; i++) {
        sum += r.broadcast[i].complete - r.broadcast[i].start;
        n++;
    }
    *period = (r.broadcast[enough * 9 / 10].start - r.broadcast[enough / 10].start) / n * nroot;
    twin_release(&r);
    stage_release(&g);
    return sum / n;
}

/* Two networks that nothing was tuned on, and the one that was. */
static const struct sim_row {
    const char *name, *spec;
    int nroot;                      /* 0: all */
    struct cycles_how how;
    bool closed;
    double rho[3], part[3];
} sim_rows[] = {
    { "mesh:4x4", "mesh:4x4", 0, { &switching_wormhole, 25, 0, 1, true }, false, { 0.3, 0.5, 0.75 }, { .03, .06, .1 } },
    { "fat tree, long cables", "fattree:4,core-latency=5", 0, { &switching_wormhole, 20, 1, 1, true }, false,
      { 0.3, 0.5, 0.75 }, { .03, .06, .1 } },
    { "three roots, hops, cut-through", "torus:5x3", 3, { &switching_cut_through, 12, 2, 2, false }, false,
      { 0.3, 0.5, 0.75 }, { .03, .06, .1 } },
    { "one root, which started at once keeps in step", "fattree:4", 1, { &switching_wormhole, 10, 1, 0, false }, false,
      { 0.3, 0.5, 0.75 }, { .03, .06, .1 } },
    { "trunks, unlike cables", "file:examples/networks/leaf-spine.csv", 0, { &switching_wormhole, 16, 1, 1, true },
      false, { 0.3, 0.5, 0.75 }, { .03, .06, .1 } },
    { "closed", "mesh:5x3", 0, { &switching_wormhole, 25, 1, 1, true }, true, { 0.3, 0.7, 0.95 }, { .03, .05, .03 } },
};

static void sim_row_holds(void **state)
{
    enum { ENOUGH = 3000 };
    const struct sim_row *row = *state;
    const struct again_how how = { row->how, row->closed, 3, 0 };

    for (int t = 0; t < NTREE; t++) {
        struct trial c;
        struct again a;
        int nroot;

        trial_open(&c, row->spec, tree_name[t], 0, row->how.ports, row->how.blocking);
        nroot = row->nroot ? row->nroot : c.where.n;
        a = again(&c, how, nroot);
        for (int i = 0; i < 3; i++) {
            const double interval = again_interval(&a, row->rho[i]);
            const struct again_at at = again_at(&a, interval);
            double period;
            const double took = simulated(&period, &c, &how, nroot, interval, ENOUGH);

            within(tree_name[t], at.completion, took, row->part[i]);
            within(tree_name[t], 1 / at.rate, period, 0.03);
        }
        trial_release(&c);
    }
}

/* ---- curves that cross ---- */

/* One root, where all are joined and nothing collides: M/D/1 all, with batches of 25, 75 and 175 cycles. */
static void crossing(void **state)
{
    const struct again_how how = { one_port, false, 1, 0 };
    const struct again chain = again_on("complete:8", "chain", how, 1);
    const struct again binomial = again_on("complete:8", "binomial", how, 1);
    const struct again sequential = again_on("complete:8", "sequential", how, 1);
    const double at = again_crossing(&chain, &binomial, again_interval(&binomial, AGAIN_MOST), 1e5);

    (void)state;
    check_near(75 + 75 * 75 / (2 * (at - 75)), 175 + 25 * 25 / (2 * (at - 25)), 1);
    assert_true(again_at(&chain, at - 5).completion < again_at(&binomial, at - 5).completion);
    assert_true(again_at(&chain, at + 5).completion > again_at(&binomial, at + 5).completion);
    assert_true(isnan(again_crossing(&chain, &sequential, again_interval(&sequential, AGAIN_MOST), 1e5)));
}

int main(void)
{
    struct CMUnitTest tests[64] = {
        cmocka_unit_test(one_root), cmocka_unit_test(one_closed_root), cmocka_unit_test(chains_round_a_ring),
        cmocka_unit_test(scaled), cmocka_unit_test(too_many_at_once), cmocka_unit_test(back_to_back),
        cmocka_unit_test(crossing),
    };
    size_t n = 0;
    int failed;

    while (tests[n].test_func)
        n++;
    net_setup();
    EACH_ROW(i, capacity_rows)
        tests[n++] = (struct CMUnitTest){ .name = capacity_rows[i].name, .test_func = capacity_row_holds,
                                          .initial_state = (void *)(uintptr_t)&capacity_rows[i] };
    EACH_ROW(i, sim_rows)
        tests[n++] = (struct CMUnitTest){ .name = sim_rows[i].name, .test_func = sim_row_holds,
                                          .initial_state = (void *)(uintptr_t)&sim_rows[i] };
    failed = _cmocka_run_group_tests("broadcasts again and again", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
