/* Runs of the flit-level simulator: order, what sources send, seeds and threads, warm-up and precision, adaptive
 * ones that take the first free hop, and what is refused. SEED=n repeats what is random. */
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/measure.h"
#include "tests/support/scene.h"
#include "tests/support/simulated.h"

static struct err err;

/* ---- order ---- */

/* On one path and one channel messages of a pair come in the order in which they were born. */
static void pairs_keep_order(void **state)
{
    static const struct { const char *net, *routing, *switching; struct router router; } rows[] = {
        { "mesh:5x4", "dor", "wormhole", { .vcs = 0 } },
        { "mesh:5x4", "dor", "virtual-channel", { .vcs = 1, .buffer = 7 } },
        { "torus:5x4", "dor", "virtual-channel", { .vcs = 2, .buffer = 4, .speedup = true } },
        { "fattree:4", "dmodk", "virtual-channel", { .vcs = 1, .buffer = 3, .packets = true } },
        { "mesh:5x4", "dor", "cut-through", { .vcs = 0 } },
        { "mesh:5x4", "dor", "store-and-forward", { .vcs = 1, .buffer = 20 } }
    };

    (void)state;
    EACH_ROW(i, rows)
        for (int allocator = 0; allocator < 3; allocator++) {
            struct simulate_options o = simulated_usual(rows[i].switching);
            struct simulated m;
            long *last;

            if (rows[i].router.vcs > 0)
                o.router = rows[i].router;
            o.allocator = (enum simulate_allocator)allocator;
            o.cycles = 5000;
            o.flits = 5;
            simulated_once(&m, rows[i].net, "uniform", rows[i].routing, &o, 0.8);
            assert_true(m.n > 1000);
            last = calloc((size_t)m.net->n * (size_t)m.net->n, sizeof *last);
            assert_non_null(last);
            for (size_t k = 0; k < m.n; k++) {
                long *at = &last[m.arrival[k].source * m.net->n + m.arrival[k].target];

                assert_true(*at < (long)m.arrival[k].number + 1);
                *at = (long)m.arrival[k].number + 1;
            }
            free(last);
            simulated_release(&m);
        }
}

/* Of two long messages that meet on a link the first is hardly late where the link stays with a message whose flits are
 * there, and half as long again where they take turns. */
static void packets_stay_together(void **state)
{
    const struct simulate_message trace[] = { { 0, 1, 3, 40 }, { 10, 2, 3, 40 } };
    double first[2];

    (void)state;
    for (int packets = 0; packets < 2; packets++) {
        struct simulate_options o = simulated_usual("virtual-channel");
        struct simulated m;

        o.source = SOURCE_TRACE;
        o.trace = trace;
        o.ntrace = 2;
        o.router.packets = packets;
        simulated_once(&m, "star:4", "uniform", "minimal", &o, 1);
        assert_int_equal(m.n, 2);
        first[packets] = m.arrival[0].arrived;
        assert_true(m.arrival[0].number == 0 && m.arrival[1].arrived >= 80 + 2);
        simulated_release(&m);
    }
    assert_true(first[0] > 60 && first[1] <= 40 + 5);
}

/* ---- sources ---- */

/* To the next node over one link of its own: nothing waits but at its source. */
static void periodic_is_even(void **state)
{
    struct simulate_options o = simulated_usual("virtual-channel");
    struct simulated m;

    (void)state;
    o.source = SOURCE_PERIODIC;
    o.flits = 7;
    o.cycles = 7000;
    simulated_once(&m, "ring:8", "neighbour", "dor", &o, 0.5);
    assert_true(m.r.mean == 7 + 2 && m.r.network == 7 + 2 && m.r.all.packet.mean == 9 && m.r.hops == 1);
    assert_true(m.r.born == 8 * 7000 / 14);
    for (size_t i = 0; i < m.n; i++)
        assert_true(m.arrival[i].arrived - m.arrival[i].born == 9);
    check_near(m.r.offered, 0.5, 1e-9);
    check_near(m.r.accepted, 0.5, 0.002);
    simulated_release(&m);
}

/* Births in N trials of probability p each vary by N p (1 - p); Poisson's by their mean. */
static void counts_vary(void **state)
{
    enum { RUNS = 200, CYCLES = 250, SOURCES = 8 };

    (void)state;
    for (int bernoulli = 0; bernoulli < 2; bernoulli++) {
        struct simulate_options o = simulated_usual("cut-through");
        const double many = CYCLES * SOURCES * 0.5, vary = many * (bernoulli ? 0.5 : 1);
        double sum = 0, squares = 0;

        o.source = bernoulli ? SOURCE_BERNOULLI : SOURCE_OPEN;
        o.flits = 1;
        o.cycles = CYCLES;
        for (int i = 0; i < RUNS; i++) {
            struct simulated m;

            o.seed = (uint64_t)i;
            simulated_once(&m, "ring:8", "neighbour", "dor", &o, 0.5);
            sum += m.r.born;
            squares += m.r.born * m.r.born;
            simulated_release(&m);
        }
        sum /= RUNS;
        squares = squares / RUNS - sum * sum;
        printf("%s: %g births, wanted %g; variance %g, wanted %g\n", bernoulli ? "bernoulli" : "open", sum, many, squares,
               vary);
        check_near(sum, many, 5 * sqrt(vary / RUNS) + SOURCES / 2);    /* the first cycle has no trial */
        check_near(squares, vary, 5 * vary * sqrt(2.0 / RUNS));
    }
}

static void lengths_mix(void **state)
{
    const struct simulate_mix mix[] = { { 2, 0.25 }, { 9, 0.6 }, { 20, 0.15 } };
    const double mean = 2 * 0.25 + 9 * 0.6 + 20 * 0.15;
    struct simulate_options o = simulated_usual("virtual-channel");
    double many[3] = { 0 };
    struct simulated m;

    (void)state;
    o.mix = mix;
    o.nmix = 3;
    o.cycles = 4e6;
    simulated_open(&m, "ring:8", "neighbour", "dor", &o);
    simulated_run(&m, 1, 2000);
    for (size_t i = 0; i < m.n; i++)
        for (int k = 0; k < 3; k++)
            many[k] += m.arrival[i].arrived - m.arrival[i].started == mix[k].flits + 2;
    assert_true(m.n > 15000);
    check_near(many[0] + many[1] + many[2], (double)m.n, 0);
    for (int k = 0; k < 3; k++)
        check_near(many[k] / (double)m.n, mix[k].share, 4 * sqrt(mix[k].share / (double)m.n));
    check_near(m.r.offered, mean / 2000, 0.05 * mean / 2000);
    check_near(m.r.accepted, m.r.offered, 1e-4 * m.r.offered);
    check_near(m.r.network, mean + 2, 0.2);
    simulated_release(&m);
}

/* All at once: as many wait as the queue holds, all others are sent away, and nothing else is lost. */
static void queues_end(void **state)
{
    struct simulate_options o = simulated_usual("virtual-channel");
    struct simulate_message trace[200];
    struct simulated m;

    (void)state;
    for (int i = 0; i < 200; i++)
        trace[i] = (struct simulate_message){ i < 100 ? 5 : 300 + 2 * i, i % 2, 3, 10 };
    o.source = SOURCE_TRACE;
    o.trace = trace;
    o.ntrace = 200;
    o.queue = 3;
    simulated_once(&m, "mesh:3x3", "uniform", "dor", &o, 1);
    assert_true(m.r.born == 200 && m.r.rejected >= 100 - 2 * 4 && m.r.rejected < 195);
    assert_true(m.r.delivered + m.r.rejected == 200 && m.n == (size_t)m.r.delivered);
    simulated_release(&m);
}

static void what_is_offered_comes(void **state)
{
    static const char *const nets[] = { "mesh:8x8", "torus:4x4", "fattree:4" };

    (void)state;
    EACH_ROW(i, nets)
        for (int source = SOURCE_OPEN; source <= SOURCE_PERIODIC; source++) {
            struct simulate_options o = simulated_usual("virtual-channel");
            struct simulated m;

            o.source = (enum simulate_source)source;
            o.warmup = 1000;
            o.cycles = 20000;
            simulated_once(&m, nets[i], "uniform", NULL, &o, 0.2);
            assert_true(m.r.steady && m.r.warmup == 1000 && fabs(m.r.cycles - 20000) <= 1);
            check_near(m.r.offered, 0.2, 5 * sqrt(0.2 * 10 / 20000 / m.net->nterminal));
            check_near(m.r.accepted, m.r.offered, 0.01 * m.r.offered);
            simulated_release(&m);
        }
}

/* ---- runs ---- */

static bool same(const struct simulate_result *a, const struct simulate_result *b)
{
    for (size_t i = 0; i < a->nsource; i++)
        if (a->source_mean[i] != b->source_mean[i] || a->source_many[i] != b->source_many[i])
            return false;
    return a->mean == b->mean && a->mean_half == b->mean_half && a->network == b->network && a->by_source == b->by_source &&
        a->hops == b->hops && a->born == b->born && a->delivered == b->delivered && a->flit_hops == b->flit_hops &&
        a->accepted == b->accepted && a->warmup == b->warmup &&
        memcmp(a->record.window, b->record.window, sizeof a->record.window) == 0;
}

static void seeds_decide(void **state)
{
    static const char *const routings[] = { "dor", "adaptive", "valiant", "ugal", "ecmp" };

    (void)state;
    EACH_ROW(i, routings) {
        struct simulate_options o = simulated_usual("virtual-channel");
        struct simulated m[5];

        o.replications = 3;
        o.warmup = NAN;
        o.cycles = 4000;
        o.seed = 7;
        for (int k = 0; k < 5; k++) {
            o.jobs = k < 3 ? k + 1 : 1;
            o.seed = k < 4 ? 7 : 8;
            simulated_once(&m[k], "torus:4x4", "uniform", routings[i], &o, 0.3);
        }
        simulated_run(&m[1], 0.5, o.flits);             /* what was kept of another load changes nothing */
        simulated_run(&m[1], 0.3, o.flits);
        for (int k = 1; k < 4; k++)
            if (!same(&m[0].r, &m[k].r))
                fail_msg("%s: run %d differs", routings[i], k);
        assert_false(same(&m[0].r, &m[4].r));
        for (int k = 0; k < 5; k++)
            simulated_release(&m[k]);
    }
}

static void precision_is_reached(void **state)
{
    struct simulate_options o = simulated_usual("virtual-channel");
    struct simulated m;

    (void)state;
    o.warmup = NAN;
    o.cycles = 3000;
    o.precision = 0.01;
    simulated_once(&m, "mesh:4x4", "uniform", "dor", &o, 0.3);
    printf("%d replications: %g +- %g\n", m.r.replications, m.r.mean, m.r.mean_half);
    assert_true(m.r.precise && m.r.replications >= 5 && m.r.mean_half <= 0.01 * m.r.mean);
    simulated_release(&m);
    o.precision = 1e-5;
    o.max_cycles = 40000;
    simulated_once(&m, "mesh:4x4", "uniform", "dor", &o, 0.3);
    assert_true(!m.r.precise && m.r.replications >= 5 && m.r.replications * 3000 <= 40000);
    simulated_release(&m);
}

/* The mean of n replications is that of their means, and what the n-th adds to it is its own mean: from these, by hand,
 * the half-width of the interval of 95 %, t s / sqrt(n) with s^2 = sum (x - mean)^2 / (n - 1). Student's t is printed in
 * any table (Abramowitz and Stegun 1964, table 26.10). */
static void intervals_by_hand(void **state)
{
    static const double student[] = { 12.706, 4.303, 3.182, 2.776 };
    double of[COUNT(student) + 1], before = 0;

    (void)state;
    for (size_t n = 1; n <= COUNT(of); n++) {
        struct simulate_options o = simulated_usual("virtual-channel");
        double squares = 0;
        struct simulated m;

        o.replications = (int)n;
        o.cycles = 3000;
        o.seed = 5;
        simulated_once(&m, "mesh:4x4", "uniform", "dor", &o, 0.4);
        assert_int_equal(m.r.replications, n);
        of[n - 1] = (double)n * m.r.mean - (double)(n - 1) * before;
        before = m.r.mean;
        for (size_t k = 0; k < n; k++)
            squares += (of[k] - m.r.mean) * (of[k] - m.r.mean);
        if (n > 1)
            check_near(m.r.mean_half, student[n - 2] * sqrt(squares / (double)(n - 1) / (double)n), 2e-4 * m.r.mean_half);
        simulated_release(&m);
    }
}

/* ---- adaptive, by the first free hop ---- */

/* What each link carries of a trace, in messages. */
static void carried(double **out, size_t *n, const char *net, const char *routing, double vcs,
                    const struct simulate_message *trace, size_t ntrace)
{
    struct simulate_options o = simulated_usual("virtual-channel");
    struct simulated m;

    o.router = (struct router){ .vcs = vcs, .buffer = 8 };
    o.source = SOURCE_TRACE;
    o.trace = trace;
    o.ntrace = ntrace;
    o.links = true;
    o.cycles = 60 * (double)ntrace + 2000;
    simulated_once(&m, net, "uniform", routing, &o, 1);
    assert_int_equal(m.n, ntrace);
    *n = m.r.nlink;
    *out = calloc(*n, sizeof **out);
    assert_non_null(*out);
    for (size_t l = 0; l < *n; l++)
        (*out)[l] = m.r.link[l].rate * m.r.ended;
    simulated_release(&m);
}

/* Messages of every pair, one after the other, so that nothing waits: every link carries by the first hop what it does
 * by the escape; by credits, which are the same everywhere then, messages are drawn over other links too. */
static void first_is_the_escapes(void **state)
{
    static const struct { const char *net, *escape, *first, *credits; double vcs; } rows[] = {
        { "torus:5x4x3", "dor", "adaptive,select=first", "adaptive", 3 },
        { "mesh:5x4", "dor,order=2+1", "adaptive,order=2+1,select=first", "adaptive,order=2+1", 2 },
        { "torus:4x4", "dor,tie=down", "adaptive:tie=down,select=first", "adaptive:tie=down", 4 },
        { "hypercube:4", "dor", "adaptive,select=first", "adaptive", 4 },
        { "fattree:4", "dmodk", "adaptive,select=first", "adaptive", 2 },
        { "random:16,degree=4", "spread", "adaptive,select=first", "adaptive", 8 }
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct net *net = measure_open(rows[i].net);
        const size_t ends = (size_t)net->nterminal, ntrace = ends * (ends - 1);
        struct simulate_message *trace = calloc(ntrace, sizeof *trace);
        double *want, *got, *drawn, less = 0;
        size_t n, k = 0;

        assert_non_null(trace);
        for (int s = 0; s < net->nterminal; s++)
            for (int t = 0; t < net->nterminal; t++)
                if (s != t) {
                    trace[k] = (struct simulate_message){ 60. * (double)k, net_terminal(net, s), net_terminal(net, t),
                                                          10 };
                    k++;
                }
        carried(&want, &n, rows[i].net, rows[i].escape, rows[i].vcs, trace, ntrace);
        carried(&got, &n, rows[i].net, rows[i].first, rows[i].vcs, trace, ntrace);
        carried(&drawn, &n, rows[i].net, rows[i].credits, rows[i].vcs, trace, ntrace);
        for (size_t l = 0; l < n; l++) {
            if (fabs(got[l] - want[l]) > 1e-6 || fabs(want[l] - round(want[l])) > 1e-6)
                fail_msg("%s, link %zu: %g messages, not %g", rows[i].net, l, got[l], want[l]);
            less += drawn[l] < want[l] - 0.5;
        }
        assert_true(less > 0);
        free(want);
        free(got);
        free(drawn);
        free(trace);
        net_close(net);
    }
}

/* On a square of two channels, one of them the escape's, a long message takes the other one of the link that is first
 * for the second message: that goes round by the fourth node at once, where by dimension order it stays. */
static void first_that_is_free(void **state)
{
    static const struct simulate_message trace[] = { { 0, 0, 2, 200 }, { 20, 0, 3, 10 } };
    static const char *const routing[] = { "dor,order=1+2", "adaptive,order=1+2,select=first" };

    (void)state;
    EACH_ROW(i, routing) {
        struct simulate_options o = simulated_usual("virtual-channel");
        struct simulated m;
        double over[2] = { 0, 0 };

        o.router = (struct router){ .vcs = 2, .buffer = 8 };
        o.source = SOURCE_TRACE;
        o.trace = trace;
        o.ntrace = COUNT(trace);
        o.links = true;
        o.cycles = 1000;
        simulated_once(&m, "mesh:2x2", "uniform", routing[i], &o, 1);
        assert_int_equal(m.n, COUNT(trace));
        for (size_t l = 0; l < m.r.nlink; l++)
            if (m.r.link[l].from == 0 && m.r.link[l].to > 0)
                over[m.r.link[l].to - 1] = m.r.link[l].rate * m.r.ended;
        check_near(over[0], (double)i, 1e-9);
        check_near(over[1], 2 - (double)i, 1e-9);
        simulated_release(&m);
    }
}

static void first_is_canonical(void **state)
{
    static const char *const specs[][2] = {
        { "adaptive,select=first", "adaptive,select=first" }, { "adaptive:select=first", "adaptive,select=first" },
        { "adaptive,select=credits", "adaptive" },
        { "adaptive,select=first,order=2+1", "adaptive,escape=dor,order=2+1,select=first" },
        { "adaptive,escape=dor,order=2+1,select=first", "adaptive,escape=dor,order=2+1,select=first" }
    };
    const struct simulate_options o = simulated_usual("virtual-channel");

    (void)state;
    EACH_ROW(i, specs) {
        struct simulated m;

        simulated_open(&m, "mesh:4x4", "uniform", specs[i][0], &o);
        assert_string_equal(simulate_routing(m.s), specs[i][1]);
        simulated_release(&m);
    }
}

/* ---- refusals ---- */

static void refused(void **state)
{
    static const struct row {
        const char *what, *net, *routing, *switching, *classes, *says;
        struct router router;
        double hop, flits;
    } rows[] = {
        { "circuits", "mesh:4x4", "dor", "circuit", NULL, "circuits", { .vcs = 0 }, 1, 10 },
        { "no hop time", "mesh:4x4", "dor", "wormhole", NULL, "--hop-time", { .vcs = 0 }, 0, 10 },
        { "not a number", "mesh:4x4", "dor", "wormhole", NULL, "--hop-time", { .vcs = 0 }, NAN, 10 },
        { "datelines on one", "torus:4x4", "dor", "virtual-channel", "dateline", "--vcs 2", { .vcs = 1, .buffer = 8 }, 1, 10 },
        { "an escape on one", "mesh:4x4", "adaptive", "virtual-channel", NULL, "--vcs 2", { .vcs = 1, .buffer = 8 }, 1, 10 },
        { "an escape on two", "torus:4x4", "adaptive,select=first", "virtual-channel", NULL, "--vcs 3",
          { .vcs = 2, .buffer = 8 }, 1, 10 },
        { "hops on few", "torus:8x8", "ecmp", "virtual-channel", "hops", "--vcs", { .vcs = 2, .buffer = 8 }, 1, 10 },
        { "buffers", "mesh:4x4", "dor", "cut-through", NULL, "buffers of 9", { .vcs = 2, .buffer = 9 }, 1, 10 },
        { "stores", "mesh:4x4", "dor", "store-and-forward", NULL, "buffers of 9", { .vcs = 2, .buffer = 9 }, 1, 10 },
        { "a policy", "mesh:4x4", "semistatic", "virtual-channel", NULL, "", { .vcs = 2, .buffer = 9 }, 1, 10 },
        { "length", "mesh:4x4,latency=10000000", "dor", "wormhole", NULL, "on its way", { .vcs = 0 }, 1, 10 }
    };

    (void)state;
    EACH_ROW(i, rows) {
        const struct row *row = &rows[i];
        struct simulate_options o = simulated_usual(row->switching);
        struct simulated m;

        if (row->router.vcs > 0)
            o.router = row->router;
        o.hop_time = row->hop;
        o.flits = row->flits;
        o.classes = row->classes;
        simulated_nets(&m, row->net, "uniform");
        err = (struct err){ 0 };
        if (simulated_try(&m, row->routing, &o, &err) == 0)
            fail_msg("%s is not refused", row->what);
        print_message("%s: %s\n", row->what, err.msg);
        assert_null(m.s);
        assert_true(err.code == ERR_DOMAIN || err.code == ERR_USAGE);
        assert_true(strstr(err.msg, row->says) && !strchr(err.msg, '\n') && err.msg[strlen(err.msg) - 1] != '.');
        simulated_release(&m);
    }
}

/* A trace names terminals, and its traffic has a source for each. */
static void traces_refused(void **state)
{
    static const struct { const char *net, *traffic; struct simulate_message at; } rows[] = {
        { "fattree:4", "uniform", { 0, 30, 1, 4 } }, { "fattree:4", "uniform", { 0, 1, 30, 4 } },
        { "mesh:4x4", "uniform", { 0, 3, 3, 4 } }, { "mesh:4x4", "transpose", { 0, 15, 3, 4 } }
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct simulate_options o = simulated_usual("virtual-channel");
        struct simulated m;

        o.source = SOURCE_TRACE;
        o.trace = &rows[i].at;
        o.ntrace = 1;
        simulated_nets(&m, rows[i].net, rows[i].traffic);
        assert_int_equal(simulated_try(&m, NULL, &o, &err), -1);
        assert_int_equal(err.code, ERR_DOMAIN);
        print_message("%s\n", err.msg);
        simulated_release(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_keep_order), cmocka_unit_test(packets_stay_together), cmocka_unit_test(periodic_is_even),
        cmocka_unit_test(counts_vary), cmocka_unit_test(lengths_mix), cmocka_unit_test(queues_end),
        cmocka_unit_test(what_is_offered_comes), cmocka_unit_test(seeds_decide), cmocka_unit_test(precision_is_reached),
        cmocka_unit_test(intervals_by_hand),
        cmocka_unit_test(first_is_the_escapes), cmocka_unit_test(first_that_is_free),
        cmocka_unit_test(first_is_canonical), cmocka_unit_test(refused), cmocka_unit_test(traces_refused)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
