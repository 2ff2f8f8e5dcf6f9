/* Sources that balance: the rule by hand, what acknowledgements take, what stands still when they tell nothing, order at
 * the destination counted again from arrivals, headers. */
#include <math.h>

#include "analysis/simulate/sequence.h"
#include "model/routing/drb_rule.h"
#include "tests/support/check.h"
#include "tests/support/simulated.h"

/* Figure 4-27 of the thesis: bandwidths 5, 8, 3, 4, 9 of 29. Idle ways: their time by their number. */
static void shares_by_bandwidth(void **state)
{
    const double bandwidth[] = { 5, 8, 3, 4, 9 }, idle[] = { 30, 30, 30, INFINITY };
    double latency[5], share[5];

    (void)state;
    for (int i = 0; i < 5; i++)
        latency[i] = 1 / bandwidth[i];
    check_near(drb_rule_shares(share, latency, 5, 1), 1. / 29, 1e-15);
    for (int i = 0; i < 5; i++)
        check_near(share[i], bandwidth[i] / 29, 1e-15);
    check_near(drb_rule_shares(share, idle, 4, 1), 10, 1e-12);
    check_near(share[3], 0, 0);
}

/* Worked by hand: B/Bc = 10/40 needs steps of 0.2 D(D+1)/2 > 0.75, so 3; 10/4 = 2.5 bears 0.2 D(D+1)/2 < 1.5, so 3. */
static void steps_by_hand(void **state)
{
    const struct drb_rule r = { 20, 10, 0.2, false, 0 }, one = { 20, 10, 0.2, true, 0 }, usual = { NAN, NAN, 1, false, 0 };

    (void)state;
    assert_int_equal(drb_rule_next(&r, 0, 9, 40, 10), 3);
    assert_int_equal(drb_rule_next(&r, 0, 3, 40, 10), 2);
    assert_int_equal(drb_rule_next(&one, 0, 9, 40, 10), 1);
    assert_int_equal(drb_rule_next(&r, 8, 9, 40, 10), 8);
    assert_int_equal(drb_rule_next(&r, 5, 9, 30, 10), 5);
    assert_int_equal(drb_rule_next(&r, 5, 9, 10, 10), 5);
    assert_int_equal(drb_rule_next(&r, 5, 9, 4, 10), 2);
    assert_int_equal(drb_rule_next(&one, 5, 9, 4, 10), 4);
    assert_int_equal(drb_rule_next(&usual, 0, 9, 16, 10), 1);       /* band 5 to 15 */
    assert_int_equal(drb_rule_next(&usual, 0, 9, 14, 10), 0);
}

/* Worked by hand, band 10 to 30, idle 20: rises to 33, is served by 2 and leaves it from inside the band; rises to 36,
 * which is alike, and begins with 2; to 90, which is not; falls at once, which teaches the configuration it falls to;
 * of the last two times the newest that is alike counts, and of one time alone no other is known. */
static void past_by_hand(void **state)
{
    static const struct { double latency; int at, next, with, with_one; } rows[] = {
        { 33, 0, 1, 1, 1 }, { 31, 1, 2, 2, 2 }, { 25, 2, 2, 2, 2 }, { 8, 2, 0, 0, 0 },      /* 33: 2 */
        { 36, 0, 1, 2, 2 }, { 9, 2, 1, 1, 1 },                                              /* 36: 1 */
        { 44, 1, 2, 2, 2 }, { 20, 2, 2, 2, 2 }, { 5, 2, 0, 0, 0 },                          /* 44: 2 */
        { 90, 0, 1, 1, 1 }, { 20, 1, 1, 1, 1 }, { 6, 1, 0, 0, 0 },                          /* 90: 1; 36 is gone */
        { 50, 0, 1, 2, 1 }
    };

    (void)state;
    for (int history = 2; history >= 1; history--) {
        const struct drb_rule r = { 20, 10, 1, false, history };
        struct drb_past past = { .served = calloc((size_t)history, sizeof *past.served) };

        assert_non_null(past.served);
        EACH_ROW(i, rows) {
            const int next = drb_rule_recall(&past, &r, rows[i].at, rows[i].next, rows[i].latency, 20);

            assert_int_equal(next, history == 2 ? rows[i].with : rows[i].with_one);
        }
        free(past.served);
    }
}

static struct simulate_options agent_usual(void)
{
    struct simulate_options o = simulated_usual("virtual-channel");

    o.router = (struct router){ .vcs = 4, .buffer = 8 };
    o.cycles = 20000;
    return o;
}

/* A source that nothing moves is the first configuration; one that everything moves is the last. */
static void ends_of_the_band(void **state)
{
    static const char *const routing[] = { "drb:static+best:3,threshold=1e6,tolerance=0.9e6", "dor",
                                           "drb:static+best:3,threshold=1e-6,tolerance=0", "metapath:best:3" };
    double mean[COUNT(routing)], ways[COUNT(routing)];

    (void)state;
    EACH_ROW(i, routing) {
        struct simulate_options o = agent_usual();
        struct simulated m;

        o.classes = "none";               /* the same for all */
        simulated_once(&m, "torus:8x8", "transpose", routing[i], &o, 0.12);
        mean[i] = m.r.mean;
        ways[i] = m.r.balanced.ways;
        simulated_release(&m);
    }
    check_near(mean[0], mean[1], 0);
    check_near(ways[0], 1, 0);
    if (ways[2] <= 1.5)
        print_error("%g ways\n", ways[2]);
    assert_true(ways[2] > 1.5 && isnan(ways[3]));
    assert_true(mean[2] < 1.05 * mean[3]);
}

/* Under a load that stays, remembering is never worse than not: by more than a hundredth in no case. */
static void history_at_steady_load(void **state)
{
    static const struct { const char *net, *traffic; double load; } rows[] = {
        { "torus:8x8", "transpose", 0.15 }, { "torus:8x8", "bit-reversal", 0.2 }, { "torus:4x4", "drb-hotspot", 0.3 },
        { "mesh:6x6", "tornado", 0.15 }, { "hypercube:5", "bit-reversal", 0.3 }, { "mesh:4x4", "uniform", 0.4 }
    };
    static const char *const routing[] = { "drb:static+best:2+best:3", "drb:static+sga:1,threshold=12,tolerance=6",
                                           "drb:static+sga:1+sga:2,threshold=20,tolerance=12,step=one" };

    (void)state;
    for (size_t i = 0; i < COUNT(rows) * COUNT(routing); i++) {
        double mean[2];

        for (int with = 0; with < 2; with++) {
            struct simulate_options o = agent_usual();
            struct simulated m;
            char spec[120];

            o.cycles = 10000;
            snprintf(spec, sizeof spec, "%s%s", routing[i % COUNT(routing)], with ? ",history=8" : "");
            simulated_once(&m, rows[i / COUNT(routing)].net, rows[i / COUNT(routing)].traffic, spec, &o,
                           rows[i / COUNT(routing)].load);
            mean[with] = m.r.mean;
            simulated_release(&m);
        }
        if (mean[1] > 1.01 * mean[0])
            fail_msg("%s, %s: %g with a history, %g without", rows[i / COUNT(routing)].net, routing[i % COUNT(routing)],
                     mean[1], mean[0]);
    }
}

/* Where nothing waits an acknowledgement is as many hop times under way as there are links, and its flits; and a delay. */
static void acknowledgements_take_their_time(void **state)
{
    static const struct { enum simulate_ack ack; double hop, flits, delay; } rows[] = {
        { ACK_IDEAL, 1, 1, 0 }, { ACK_IDEAL, 1, 1, 17 }, { ACK_BAND, 1, 1, 0 }, { ACK_BAND, 4, 1, 0 },
        { ACK_BAND, 4, 3, 9 }, { ACK_PRIORITY, 2, 3, 0 }
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct simulate_options o = agent_usual();
        struct simulated m;
        double way;

        o.hop_time = rows[i].hop;
        o.balance.ack = rows[i].ack;
        o.balance.flits = rows[i].flits;
        o.balance.delay = rows[i].delay;
        simulated_once(&m, "torus:8x8", "transpose", "drb:static+sga:1,threshold=1e6", &o, 0.001);
        way = rows[i].ack == ACK_IDEAL ? 0 : m.r.hops * rows[i].hop + rows[i].flits - 1;
        if (fabs(m.r.balanced.ack - way - rows[i].delay) > 0.6)
            print_error("row %zu: %g cycles, not %g\n", i, m.r.balanced.ack, way + rows[i].delay);
        assert_true(fabs(m.r.balanced.ack - way - rows[i].delay) <= 0.6);
        check_near(m.r.balanced.acks, 1, 0.02);
        simulated_release(&m);
    }
}

/* A tenth of each link is theirs alone: messages have the rest, however few acknowledgements there are. */
static void reserved_is_reserved(void **state)
{
    struct simulate_options o = agent_usual();
    struct simulated m;

    (void)state;
    o.balance.ack = ACK_RESERVED;
    o.balance.share = 0.1;
    simulated_once(&m, "ring:8", "neighbour", "drb:static,threshold=1e6", &o, 1);
    check_near(m.r.accepted, 0.9, 0.01);
    simulated_release(&m);
}

/* Early ones are sent where messages wait as long as they ask for, and at most one each. */
static void early_ones(void **state)
{
    for (int band = 0; band < 2; band++)
        for (int late = 0; late < 2; late++) {
            struct simulate_options o = agent_usual();
            struct simulated m;

            (void)state;
            o.balance.ack = band ? ACK_BAND : ACK_IDEAL;
            o.balance.early = late ? 1e5 : 5;
            simulated_once(&m, "torus:8x8", "transpose", "drb:static+best:3,threshold=1e6", &o, 0.15);
            if (late)
                check_near(m.r.balanced.early, 0, 0);
            else
                assert_true(m.r.balanced.early > 0.05 &&
                            fabs(m.r.balanced.acks * (1 - m.r.balanced.early) - 1) < 0.01);
            simulated_release(&m);
        }
}

/* On a line the ways of 0 to 3 are the same links, 20 cycles; a message from 2 to 3 keeps the last for 400. The first
 * message, if there is one, is told to open (20 is above the band), the second waits behind the long one, and what the
 * third may take is what the second's early acknowledgement has left: 11.1 of two ways, with what has been waited, are
 * below the first band, where it must not close; 25 are above the second, where it opens. The last row: two that have
 * waited come one after the other, and the second does not open what the first has opened and nobody has been given. */
static void early_ones_open_and_do_not_close(void **state)
{
    static const struct simulate_message trace[] = { { 0, 0, 3, 16 }, { 50, 2, 3, 400 }, { 60, 0, 3, 16 },
                                                     { 100, 0, 3, 16 }, { 900, 0, 3, 16 } };
    static const struct { const char *routing; size_t from, to; double early, ways, changes; } rows[] = {
        { "drb:static+sga:1,threshold=14,tolerance=2,k=2", 0, 4, NAN, (1 + 1 + 2 + 2) / 4., 2. / 4 },
        { "drb:static+sga:1,threshold=14,tolerance=2,k=2", 0, 4, 5, (1 + 1 + 2 + 2) / 4., 2. / 4 },
        { "drb:static+sga:1,threshold=22,tolerance=1", 1, 4, NAN, (1 + 1 + 1) / 3., 2. / 3 },
        { "drb:static+sga:1,threshold=22,tolerance=1", 1, 4, 5, (1 + 1 + 2) / 3., 2. / 3 },
        { "drb:static+sga:1+sga:2,threshold=22,tolerance=1,step=one", 1, 5, NAN, (1 + 1 + 1 + 2) / 4., 2. / 4 }
    };

    (void)state;
    EACH_ROW(i, rows) {
        struct simulate_options o = agent_usual();
        struct simulated m;

        o.router = (struct router){ .vcs = 1, .buffer = 32 };
        o.source = SOURCE_TRACE;
        o.trace = trace + rows[i].from;
        o.ntrace = rows[i].to - rows[i].from;
        o.cycles = 2000;
        o.balance.early = rows[i].early;
        simulated_once(&m, "mesh:6", "uniform", rows[i].routing, &o, 1);
        assert_int_equal(m.n, o.ntrace);
        if (fabs(m.r.balanced.ways - rows[i].ways) > 1e-12 || fabs(m.r.balanced.changes - rows[i].changes) > 1e-12)
            fail_msg("row %zu: %g ways, %g changes", i, m.r.balanced.ways, m.r.balanced.changes);
        assert_true(isnan(rows[i].early) == (m.r.balanced.early == 0));
        simulated_release(&m);
    }
}

/* Who came before one that its source had sent earlier, counted from arrivals alone. Rejected messages have no number
 * in order, so there are none. */
static void order_counted_again(void **state)
{
    static const char *const routing[] = { "dor", "metapath:sga:1", "valiant", "drb:static+sga:1+sga:2", "adaptive" };

    (void)state;
    EACH_ROW(i, routing) {
        struct simulate_options o = agent_usual();
        struct simulated m;
        double late = 0;

        o.order = true;
        o.cycles = 4000;
        simulated_once(&m, "torus:8x8", "transpose", routing[i], &o, 0.15);
        for (size_t a = 0; a < m.n; a++) {
            bool waits = false;

            for (size_t b = a + 1; b < m.n && !waits; b++)
                waits = m.arrival[b].source == m.arrival[a].source && m.arrival[b].number < m.arrival[a].number;
            late += waits;
        }
        /* Those that wait for messages still under way in the end are not among these. */
        if (fabs(m.r.order.late * (double)m.n - late) > 70)
            print_error("%s: %g late, counted %g\n", routing[i], m.r.order.late * (double)m.n, late);
        assert_true(fabs(m.r.order.late * (double)m.n - late) <= 70);
        assert_true(late == 0 || m.r.order.flits >= o.flits);
        simulated_release(&m);
    }
}

/* Three messages to a node, the later ones first, then two more of which the longer comes first: which wait, how long,
 * and what a node holds at most, of all its pairs, by hand. */
static void order_kept_by_hand(void **state)
{
    static const struct {
        int source, flits;
        unsigned serial;
        int64_t now;
        double most;
    } came[] = { { 0, 2, 2, 10, 2 }, { 0, 3, 1, 12, 5 }, { 2, 4, 1, 15, 9 }, { 0, 6, 0, 20, 9 }, { 2, 1, 0, 21, 9 },
                 { 0, 10, 4, 30, 10 }, { 0, 7, 3, 31, 10 } };
    struct sequence o = { 0 };
    struct err err;

    (void)state;
    EACH_ROW(i, came) {
        const struct message m = { .source = came[i].source, .target = 1, .flits = came[i].flits,
                                   .serial = came[i].serial };

        assert_int_equal(sequence_came(&o, &m, came[i].now, true, &err), 0);
        check_near(o.sum.most, came[i].most, 0);
    }
    check_near(o.sum.messages, 7, 0);
    check_near(o.sum.late, 4, 0);
    check_near(o.sum.wait, 10 + 8 + 6 + 1, 0);
    check_near(o.held[1], 0, 0);
    sequence_close(&o);
}

/* A flit for each destination: one of plain routing; of ways over one stop two, and what is delivered stays the same. */
static void headers_cost_flits(void **state)
{
    static const struct { const char *routing; double more; } rows[] = { { "dor", 1 }, { "valiant", 2 } };

    (void)state;
    EACH_ROW(i, rows) {
        double network[2], accepted[2];

        for (int header = 0; header < 2; header++) {
            struct simulate_options o = agent_usual();
            struct simulated m;

            o.header = header;
            simulated_once(&m, "torus:8x8", "transpose", rows[i].routing, &o, 0.001);
            network[header] = m.r.network;
            accepted[header] = m.r.accepted;
            simulated_release(&m);
        }
        check_near(accepted[1], accepted[0], 1e-4);
        if (fabs(network[1] - network[0] - rows[i].more) > 0.3)
            print_error("%s: %g more\n", rows[i].routing, network[1] - network[0]);
        assert_true(fabs(network[1] - network[0] - rows[i].more) <= 0.3);
    }
}

/* However finely waits are told, they are all there: on dimension order's line along each dimension as on the way. */
static void waits_add_up(void **state)
{
    double sum[3];

    (void)state;
    for (int parts = 0; parts < 3; parts++) {
        struct simulate_options o = agent_usual();
        struct simulated m;

        o.balance.parts = (enum simulate_parts)parts;
        simulated_once(&m, "torus:8x8", "transpose", "drb:sga:1,threshold=1e6", &o, 0.12);
        sum[parts] = 0;
        for (int k = 0; k < SIMULATE_PARTS; k++)
            sum[parts] += m.r.balanced.wait[k];
        assert_true(parts == PARTS_TOTAL || m.r.balanced.wait[1] > 0);
        simulated_release(&m);
    }
    assert_true(sum[0] > 0.5);
    assert_true(fabs(sum[1] / sum[0] - 1) < 0.1 && fabs(sum[2] / sum[0] - 1) < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_by_bandwidth), cmocka_unit_test(steps_by_hand), cmocka_unit_test(ends_of_the_band),
        cmocka_unit_test(acknowledgements_take_their_time), cmocka_unit_test(reserved_is_reserved),
        cmocka_unit_test(past_by_hand), cmocka_unit_test(history_at_steady_load), cmocka_unit_test(early_ones),
        cmocka_unit_test(early_ones_open_and_do_not_close),
        cmocka_unit_test(order_counted_again), cmocka_unit_test(order_kept_by_hand),
        cmocka_unit_test(headers_cost_flits), cmocka_unit_test(waits_add_up)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
