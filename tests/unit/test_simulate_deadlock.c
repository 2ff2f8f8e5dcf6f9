/* Deadlock in the flit-level simulator: found where routes close cycles and channels are one, with a cycle in which each
 * message wants what the next has; never where a scheme of classes, an escape or the routing itself prevents it, however
 * much is offered; and drained of one message after the other, with nothing else lost. */
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
    for (size_t i = 0; i < COUNT(rows); i++) {
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
    for (size_t i = 0; i < COUNT(rows); i++) {
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_are_found), cmocka_unit_test(schemes_prevent_it), cmocka_unit_test(drained),
        cmocka_unit_test(drained_sources_go_on)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
