/* Deadlock in the flit-level simulator: found where routes close cycles and channels are one, with a cycle in which each
 * message wants what the next has; never where a scheme of classes, an escape or the routing itself prevents it, however
 * much is offered; and drained of one message after the other, with nothing else lost, as often as is asked. */
#include <string.h>

#include "tests/support/check.h"
#include "tests/support/measure.h"
#include "tests/support/nets.h"
#include "tests/support/simulated.h"

static struct err err;

static struct simulate_options overload(double vcs, double buffer)
{
    struct simulate_options o = simulated_usual("virtual-channel");

    o.router = (struct router){ .vcs = vcs, .buffer = buffer };
    o.flits = 8;
    o.cycles = 20000;
    o.links = true;
    return o;
}

static void cycles_are_found(void **state)
{
    static const struct { const char *net, *routing; double vcs, buffer; } rows[] = {
        { "torus:4x4", "dor", 1, 1 }, { "torus:4x4", "dor", 1, 6 }, { "ring:8", "dor", 1, 4 }, { "ring:8", "dor", 2, 12 },
        { "torus:4x4", "ecmp", 1, 4 }, { "random:20,degree=3", "minimal", 1, 4 }, { "torus:5x4", "valiant", 1, 4 }
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct simulate_options o = overload(rows[i].vcs, rows[i].buffer);
        struct simulated m;

        o.router.classes = 1;
        simulated_once(&m, rows[i].net, "uniform", rows[i].routing, &o, 1);
        if (!(m.r.deadlocks == 1 && m.r.deadlock_at > 0 && m.r.ncycle > 0 && !m.r.steady && m.r.drained == 0))
            fail_msg("%s, %s: no deadlock", rows[i].net, rows[i].routing);
        for (size_t k = 0; k < m.r.ncycle; k++) {
            const struct simulate_wait *a = &m.r.cycle[k], *b = &m.r.cycle[(k + 1) % m.r.ncycle];
            const struct simulate_link *holds = &m.r.link[a->holds], *wants = &m.r.link[a->wants];

            assert_true(a->source != a->target && a->channel >= 0 && a->channel < rows[i].vcs);
            assert_int_equal(a->wants, b->holds);
            assert_true(holds->to >= 0 && wants->from >= 0 && nets_linked(m.net, wants->from, wants->to));
            if (o.router.buffer == 1 && strcmp(rows[i].routing, "dor") == 0 && m.r.ncycle == 4)
                assert_int_equal(holds->to, wants->from);       /* round a ring of four */
        }
        simulated_release(&m);
    }
}

static void schemes_prevent_it(void **state)
{
    static const struct { const char *net, *routing, *classes; double vcs; } rows[] = {
        { "torus:4x4", "dor", NULL, 2 }, { "torus:4x4", "dor", "dateline", 3 }, { "ring:8", "dor", NULL, 2 },
        { "torus:5x4", "valiant", "phases", 8 }, { "torus:4x4", "metapath:sga:1", "phases", 8 },
        { "torus:4x4", "ecmp", "hops", 8 }, { "dragonfly,a=4,p=2,h=2", "minimal", "dateline", 4 },
        { "dragonfly,a=4,p=2,h=2", "valiant", "phases", 16 }, { "random:20,degree=3", "minimal", "layers", 8 },
        { "random:20,degree=3", "updown", NULL, 1 }, { "random:20,degree=3", "minimal", "updown", 8 }, { "mesh:5x4", "dor", "none", 1 }, { "fattree:4", "ecmp", NULL, 1 },
        { "torus:4x4", "adaptive", NULL, 3 }, { "torus:4x4", "adaptive", NULL, 6 }, { "mesh:5x4", "adaptive", NULL, 2 }
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct simulate_options o = overload(rows[i].vcs, i % 3 == 0 ? 1 : 5);
        struct simulated m;

        o.classes = rows[i].classes;
        simulated_once(&m, rows[i].net, "uniform", rows[i].routing, &o, 2);
        if (m.r.deadlocks != 0 || m.r.ncycle != 0 || !isnan(m.r.deadlock_at) || m.r.steady)
            fail_msg("%s, %s, %s: %g deadlocks", rows[i].net, rows[i].routing, rows[i].classes ? rows[i].classes : "-",
                     m.r.deadlocks);
        assert_true(m.n > 1000);
        simulated_release(&m);
    }
}

/* Nothing is lost but what is drained; and the run goes on as long as there are messages. */
static void drained(void **state)
{
    struct simulate_options o = overload(1, 4);
    struct simulate_message *trace;
    struct simulated m;
    struct rng rng;
    int *hops;

    (void)state;
    rng_seed(&rng, check_seed());
    simulated_nets(&m, "torus:4x4", "uniform");
    hops = measure_hops(m.net);
    trace = simulated_trace(&rng, m.net, hops, 4000, 1000, 1, 12);
    o.source = SOURCE_TRACE;
    o.trace = trace;
    o.ntrace = 4000;
    o.cycles = NAN;
    o.router.classes = 1;
    o.drain = true;
    assert_int_equal(simulated_try(&m, "dor", &o, &err), 0);
    simulated_run(&m, 1, 1);
    printf("%g deadlocks, %g drained, %zu came\n", m.r.deadlocks, m.r.drained, m.n);
    assert_true(m.r.deadlocks > 0 && m.r.drained == m.r.deadlocks);
    assert_true(m.r.born == 4000 && m.r.delivered == (double)m.n && m.r.delivered + m.r.drained == 4000);
    free(trace);
    free(hops);
    simulated_release(&m);
}

/* Closed sources go on after a message was taken from them: each has one out, or counts to the next. */
static void drained_sources_go_on(void **state)
{
    struct simulate_options o = overload(1, 2);
    struct simulated m;

    (void)state;
    o.source = SOURCE_CLOSED;
    o.drain = true;
    o.router.classes = 1;
    o.cycles = 400000;
    simulated_once(&m, "torus:4x4", "uniform", "dor", &o, 4);
    assert_true(m.r.drained > 20);
    check_near(m.r.born - m.r.delivered - m.r.drained, 8, 8);
    for (size_t i = 0; i < m.r.nsource; i++)
        assert_true(m.r.source_many[i] > 0);
    simulated_release(&m);
}

/* Fully adaptive on fewer channels than an escape takes, where deadlocks are drained: all channels are everyone's, and
 * a message is delivered, taken out, rejected, or still there when the run ends. On as many as it takes nothing is
 * drained, and nothing is another than without. */
static void adaptive_without_an_escape(void **state)
{
    static const struct row {
        const char *net, *routing;
        double vcs, queue;
        int need;
        enum simulate_source source;
        bool drains;
    } rows[] = {
        { "torus:4x4", "adaptive", 1, INFINITY, 3, SOURCE_OPEN, true },
        { "torus:4x4", "adaptive,select=first", 1, 1, 3, SOURCE_OPEN, true },
        { "mesh:5x4", "adaptive", 1, 4, 2, SOURCE_OPEN, true },
        { "torus:4x4", "adaptive", 2, 1, 3, SOURCE_OPEN, false },
        { "torus:5x4", "adaptive,select=first", 2, INFINITY, 3, SOURCE_CLOSED, false },
        { "hypercube:4", "adaptive", 1, INFINITY, 2, SOURCE_CLOSED, false },
        { "torus:4x4", "adaptive", 3, 1, 3, SOURCE_OPEN, false },
        { "torus:4x4", "adaptive,select=first", 5, 1, 3, SOURCE_OPEN, false }
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct simulate_options o = overload(rows[i].vcs, 2);
        const bool enough = rows[i].vcs >= rows[i].need;
        struct simulated m, usual;
        char says[20];

        o.queue = rows[i].queue;
        o.source = rows[i].source;
        o.drain = true;
        o.look = i % 2 ? 16 : 0;
        simulated_once(&m, rows[i].net, "uniform", rows[i].routing, &o, 2);
        print_message("%s, %s: %g born, %g came, %g drained, %g left, %g rejected\n", rows[i].net, rows[i].routing,
                      m.r.born, m.r.delivered, m.r.drained, m.r.left, m.r.rejected);
        check_near(m.r.born, m.r.delivered + m.r.drained + m.r.left + m.r.rejected, 0);
        assert_true(m.r.delivered == (double)m.n && m.n > 1000 && m.r.drained == m.r.deadlocks);
        assert_true((!rows[i].drains || m.r.drained > 0) && (!enough || m.r.drained == 0));
        assert_true(!enough == (strstr(simulate_note(m.s), "no channel for an escape") != NULL));
        o.drain = false;
        simulated_nets(&usual, rows[i].net, "uniform");
        snprintf(says, sizeof says, "write --vcs %d", rows[i].need);
        if ((simulated_try(&usual, rows[i].routing, &o, &err) == 0) != enough || (!enough && !strstr(err.msg, says)))
            fail_msg("%s on %g: %s", rows[i].net, rows[i].vcs, err.msg);
        if (enough) {
            simulated_run(&usual, 2, o.flits);
            assert_true(usual.n == m.n && memcmp(usual.arrival, m.arrival, m.n * sizeof *m.arrival) == 0);
        }
        simulated_release(&usual);
        simulated_release(&m);
    }
}

/* On a line, where adaptive messages have one way, as many come as by dimension order: a channel is given before its
 * buffer is empty, which Duato's condition asks where there is an escape (a tenth less would come). */
static void adaptive_on_a_line(void **state)
{
    struct simulated m[2];

    (void)state;
    for (int k = 0; k < 2; k++) {
        struct simulate_options o = overload(1, 4);

        o.drain = k;
        simulated_once(&m[k], "mesh:6", "uniform", k ? "adaptive" : "dor", &o, 1);
    }
    print_message("on a line: %zu, %zu came\n", m[0].n, m[1].n);
    assert_true(m[0].n > 1000 && m[1].r.drained == 0);
    check_near((double)m[1].n / (double)m[0].n, 1, 0.03);
    simulated_release(&m[0]);
    simulated_release(&m[1]);
}

/* Four messages go half round a ring of four at once, each with the link that the one before wants next: three come
 * when one is taken out, when it is looked for, or at once where nothing moves any more. What moves is a long message,
 * of which the ring knows nothing. Behind the first each waits for the one before: eight flits each,
 * one in two cycles, as buffers of one flit have it. */
static void looked_for_as_often_as_asked(void **state)
{
    static const struct simulate_message trace[] = { { 0, 0, 2, 8 }, { 0, 1, 3, 8 }, { 0, 2, 0, 8 }, { 0, 3, 1, 8 },
                                                     { 0, 8, 9, 6000 } };
    static const struct { const char *net; size_t n; double look, from, to; } rows[] = {
        { "ring:4", 4, 0, 3, 30 }, { "ring:4", 4, 1000, 3, 30 }, { "ring:4", 4, 1, 3, 30 },
        { "torus:4x4", 5, 1, 3, 12 }, { "torus:4x4", 5, 10, 10, 21 }, { "torus:4x4", 5, 100, 100, 101 },
        { "torus:4x4", 5, 1000, 1000, 1001 }, { "torus:4x4", 5, 0, 2048, 2049 },
        { "torus:4x4,bandwidth=2", 5, 1000, 1000, 1001 }, { "torus:4x4,bandwidth=2", 5, 0, 1024, 1025 }
    };

    (void)state;
    EACH_ROW(i, rows)
        for (int drain = 0; drain < 2; drain++) {
            struct simulate_options o = overload(1, 1);
            struct simulated m;
            double last = 0;

            o.switching = &switching_wormhole;
            o.router.classes = 1;
            o.source = SOURCE_TRACE;
            o.trace = trace;
            o.ntrace = rows[i].n;
            o.drain = drain;
            o.look = rows[i].look;
            simulated_once(&m, rows[i].net, "uniform", "dor", &o, 1);
            if (!(m.r.deadlocks == 1 && m.r.deadlock_at >= rows[i].from && m.r.deadlock_at <= rows[i].to))
                fail_msg("%s, every %g: %g deadlocks, at %g", rows[i].net, rows[i].look, m.r.deadlocks,
                         m.r.deadlock_at);
            assert_int_equal(m.n, drain ? rows[i].n - 1 : 0);
            assert_true(m.r.drained == drain && m.r.left == (drain ? 0 : (double)rows[i].n));
            for (size_t k = 0; k < m.n; k++)
                last = m.arrival[k].source < 4 ? fmax(last, m.arrival[k].arrived) : last;
            if (drain && !(last > m.r.deadlock_at + 8 && last <= m.r.deadlock_at + 3 * (2 * 8 + 4)))
                fail_msg("%s, every %g: the last comes at %g", rows[i].net, rows[i].look, last);
            simulated_release(&m);
        }
}

/* Deadlocks that are drained are part of the steady state; one that ends the run leaves none. */
static void drained_is_steady(void **state)
{
    (void)state;
    for (int drain = 0; drain < 2; drain++) {
        struct simulate_options o = overload(1, 2);
        struct simulated m;

        o.source = SOURCE_CLOSED;
        o.drain = drain;
        o.look = 8;
        o.warmup = NAN;
        o.router.classes = 1;
        simulated_once(&m, "torus:4x4", "uniform", "dor", &o, 4);
        assert_true(m.r.deadlocks > 0 && m.r.steady == (bool)drain);
        simulated_release(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_are_found), cmocka_unit_test(schemes_prevent_it), cmocka_unit_test(drained),
        cmocka_unit_test(drained_sources_go_on), cmocka_unit_test(adaptive_without_an_escape),
        cmocka_unit_test(adaptive_on_a_line), cmocka_unit_test(looked_for_as_often_as_asked),
        cmocka_unit_test(drained_is_steady)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
