/* Messages that share links: max-min rates against linear programs; ordered, blocking and at-once sends against each
 * other; collectives as SimGrid's SMPI has them, and as a real machine was measured (tests/fidelity). */
#include <string.h>

#include "analysis/bound/lp.h"
#include "analysis/collective/execute.h"
#include "analysis/collective/share.h"
#include "graph/numeric/rng.h"
#include "model/process/tree.h"
#include "tests/support/check.h"
#include "tests/support/measured.h"

static struct err err;

/* ---- max-min ---- */

enum { LINKS = 8, FLOWS = 12 };
struct draw {
    double capacity[LINKS];
    uint32_t link[FLOWS][LINKS];
    size_t nlink[FLOWS], n;
};

/* The most that the flows without a rate can all have, or flow `one` (-1: all) where they have at least `floor`. */
static double lp_most(const struct draw *d, const double *fixed, int one, double floor)
{
    struct lp *lp;
    enum lp_end end;
    double best;

    assert_int_equal(lp_open(&lp, "max-min", true, &err), 0);
    for (int l = 0; l < LINKS; l++) {
        double left = d->capacity[l];

        for (size_t f = 0; f < d->n; f++)
            for (size_t k = 0; k < d->nlink[f]; k++)
                left -= (int)d->link[f][k] == l && fixed[f] > 0 ? fixed[f] : 0;
        assert_int_equal(lp_row(lp, -INFINITY, left, NULL, &err), l);
    }
    if (one < 0) {                      /* one column for all of them */
        int row[LINKS];
        double value[LINKS] = { 0 };

        for (int l = 0; l < LINKS; l++)
            row[l] = l;
        for (size_t f = 0; f < d->n; f++)
            for (size_t k = 0; k < d->nlink[f] && !(fixed[f] > 0); k++)
                value[d->link[f][k]]++;
        assert_int_equal(lp_column(lp, &(struct lp_column){ .lo = 0, .up = 1e6, .cost = 1, .n = LINKS, .row = row,
                                                            .value = value }, &err), 0);
    } else {
        int column = 0;

        for (size_t f = 0; f < d->n; f++) {
            int row[LINKS];
            double value[LINKS];

            if (fixed[f] > 0)
                continue;
            for (size_t k = 0; k < d->nlink[f]; k++) {
                row[k] = (int)d->link[f][k];
                value[k] = 1;
            }
            assert_int_equal(lp_column(lp, &(struct lp_column){ .lo = floor, .up = 1e6, .cost = (int)f == one,
                                       .n = d->nlink[f], .row = row, .value = value }, &err), column++);
        }
    }
    assert_int_equal(lp_solve(lp, 0, &end, NULL, &err), 0);
    assert_int_equal(end, LP_OPTIMAL);
    best = lp_objective(lp);
    lp_close(lp);
    return best;
}

/* The least rate as large as can be, then the next: who cannot have more than the others stays there. */
static void lp_rates(double *rate, const struct draw *d)
{
    size_t left = d->n;

    for (size_t f = 0; f < d->n; f++)
        rate[f] = 0;
    while (left) {
        const double all = lp_most(d, rate, -1, 0);
        bool stays[FLOWS] = { false };

        for (size_t f = 0; f < d->n; f++)
            stays[f] = !(rate[f] > 0) && lp_most(d, rate, (int)f, all * (1 - 1e-12)) <= all * (1 + 1e-7);
        for (size_t f = 0; f < d->n; f++)
            if (stays[f]) {
                rate[f] = all;
                left--;
            }
    }
}

static void rates_are_those_of_linear_programs(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int round = 0; round < 300; round++) {
        struct draw d = { .n = 1 + rng_below(&rng, FLOWS) };
        struct share s;
        double want[FLOWS];

        assert_int_equal(share_open(&s, LINKS, &err), 0);
        for (size_t l = 0; l < LINKS; l++)
            s.link[l].capacity = d.capacity[l] = 1 + (double)rng_below(&rng, 10);
        for (size_t f = 0; f < d.n; f++) {
            while (d.nlink[f] == 0)
                for (uint32_t l = 0; l < LINKS; l++)
                    if (rng_below(&rng, 3) == 0)
                        d.link[f][d.nlink[f]++] = l;
            assert_int_equal(share_begin(&s, f, d.link[f], d.nlink[f], 1e9, 0, &err), 0);
            if (rng_below(&rng, 2) && isfinite(s.due))          /* at any time between */
                assert_int_equal(share_find(&s, 0, &err), 0);
        }
        for (uint64_t out = rng_below(&rng, d.n); out > 0; out--) {     /* and some that end */
            d.n--;
            share_end(&s, d.n);
            if (rng_below(&rng, 2) && isfinite(s.due))
                assert_int_equal(share_find(&s, 0, &err), 0);
        }
        if (isfinite(s.due))
            assert_int_equal(share_find(&s, 0, &err), 0);
        lp_rates(want, &d);
        for (size_t f = 0; f < d.n; f++)
            if (!(fabs(s.flow[f].rate / want[f] - 1) < 1e-6))
                fail_msg("round %d: flow %zu has %g, the program %g", round, f, s.flow[f].rate, want[f]);
        share_close(&s);
    }
}

/* ---- sends ---- */

/* A process that sends to all others: ordered is never later than blocking, and before at-once by the tail of a message
 * at the most. With one message to each the links are busy alike. */
static void ordered_is_between(void **state)
{
    static const char *const nets[] = { "torus:4x4", "torus:5x4", "file:tests/fidelity/switch16.csv,terminals=leaves",
                                        "mesh:4x4,bandwidth=1+4", "fattree:4", "random:16,degree=3" };
    static const char *const sends[] = { "links", "links,sends=blocking", "links,sends=at-once" };
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int round = 0; round < 200; round++) {
        const char *spec = nets[rng_below(&rng, COUNT(nets))];
        const int64_t bytes = (int64_t)rng_below(&rng, UINT64_C(1) << (4 + rng_below(&rng, 20)));
        struct placement where;
        struct cost_network w = { .rate = 12.5e9, .cable = 1e-7 * (double)rng_below(&rng, 2) };
        double time[3], tail;

        assert_int_equal(net_open(&w.net, spec, &err), 0);
        assert_int_equal(placement_init(&where, w.net, "random", 2 + (int)rng_below(&rng, 15), 1, rng_next(&rng), &err), 0);
        w.placement = &where;
        for (int k = 0; k < 3; k++) {
            struct schedule s;
            struct execution x;
            struct cost c;

            if (cost_open(&c, sends[k], where.n, &w, &err) < 0 ||
                schedule_open(&s, &(struct schedule){ .algorithm = collective_find("sequential", &err),
                                                      .operation = SCATTER, .n = where.n, .bytes = bytes }, &err) < 0 ||
                execute(&x, &s, &c, 0, NULL, &err) < 0)
                fail_msg("%s: %s", sends[k], err.msg);
            time[k] = x.time;
            schedule_close(&s);
            cost_close(&c);
        }
        tail = (double)bytes / w.rate + 16 * w.cable;
        if (time[0] > time[1] * (1 + 1e-9) || time[0] < time[2] - tail)
            fail_msg("%s, %lld bytes to %d: ordered %g, blocking %g, at once %g", spec, (long long)bytes, where.n,
                     time[0], time[1], time[2]);
        placement_release(&where);
        net_close(w.net);
    }
}

/* ---- what repeats ---- */

static void nothing(void *arg, const struct cost_message *m)
{
    (void)m;
    ++*(size_t *)arg;
}

/* Played message by message, as it is where somebody is told of them, a pipeline takes what it takes where its steady state
 * is left out, but for two messages: rounding may change which of two comes first at one instant. */
static void what_repeats_is_as_if_it_were_played(void **state)
{
    static const char *const nets[] = { "torus:2x2x2", "mesh:3x4", "fattree:4", "random:12,degree=3", "ring:9,bandwidth=0.5",
                                        "file:tests/fidelity/switch16.csv,terminals=leaves" };
    static const char *const models[] = { "links", "links,sends=blocking", "links,ports=2", "links,receives=at-once" };
    static const enum operation operations[] = { BROADCAST, REDUCE, ALLREDUCE };
    const size_t turn = (size_t)(check_seed() % 12);    /* all seeds together meet every operation and model */
    size_t runs = 0, alike = 0;

    (void)state;
    EACH_ROW(i, nets)
        for (size_t k = 0; collective_all[k]; k++) {
            const enum operation o = operations[(i + k + turn) % COUNT(operations)];
            const char *model = models[(i + 2 * k + turn / 3) % COUNT(models)];
            struct placement where;
            struct cost_network w = { .rate = 25e9, .cable = 1e-7, .overhead = (double)(k % 3) * 3e-7 };
            struct tree_scene scene = { .where = &where, .hop = 1, .cut = true };
            struct execution x[2] = { { 0 } };
            int failed = 0;

            if (!collective_all[k]->segments || !collective_program(collective_all[k], o))
                continue;
            assert_int_equal(net_open(&w.net, nets[i], &err), 0);
            assert_int_equal(placement_init(&where, w.net, NULL, 0, 1, 1, &err), 0);
            w.placement = &where;
            scene.net = w.net;
            for (int played = 0; played < 2; played++) {
                struct schedule s = { 0 };
                struct cost c;
                size_t told = 0;

                assert_int_equal(cost_open(&c, model, where.n, &w, &err), 0);
                c.seen = played ? nothing : NULL;
                c.seen_arg = &told;
                failed += schedule_open(&s, &(struct schedule){ .algorithm = collective_all[k], .operation = o,
                        .n = where.n, .bytes = 1000 * 4096, .segment = 4096, .radix = 3, .scene = &scene }, &err) < 0 ||
                    execute(&x[played], &s, &c, 1e-11, NULL, &err) < 0;
                schedule_close(&s);
                cost_close(&c);
            }
            runs += !failed;
            alike += !failed && fabs(x[0].time / x[1].time - 1) <= 1e-9;
            if (failed % 2 || (!failed && (fabs(x[0].time / x[1].time - 1) > 1e-3 || x[0].messages != x[1].messages ||
                                           fabs(x[0].busiest / x[1].busiest - 1) > 1e-9 || x[0].steps != x[1].steps ||
                                           fabs(x[0].bytes / x[1].bytes - 1) > 1e-9)))
                fail_msg("%s by %s on %s, %s: %.12g s, played %.12g; %g messages, %g; chain %lld, %lld; busiest %g, %g",
                         operation_name[o], collective_all[k]->name, nets[i], model, x[0].time, x[1].time, x[0].messages,
                         x[1].messages, (long long)x[0].steps, (long long)x[1].steps, x[0].busiest, x[1].busiest);
            placement_release(&where);
            net_close(w.net);
        }
    print_message("%zu runs, %zu alike\n", runs, alike);
    /* the rest: many send to one root at once, in turns that do not quite repeat; 0.06 % at most was seen */
    assert_true(runs > 30 && (double)alike >= 0.9 * (double)runs);
}

/* Of two processes on one cable each sends a message to the other, of 1 us of work at either end: none is there before its
 * sender's work is done, however many interfaces there are. */
static void work_comes_before_bytes(void **state)
{
    (void)state;
    for (int ports = 1; ports <= 4; ports++) {
        struct placement where;
        struct cost_network w = { .rate = 25e9, .cable = 1e-7, .overhead = 1e-6 };
        struct schedule s = { 0 };
        struct execution x;
        struct cost c;
        char model[40];

        snprintf(model, sizeof model, "links,ports=%d", ports);
        assert_int_equal(net_open(&w.net, "complete:2", &err), 0);
        assert_int_equal(placement_init(&where, w.net, NULL, 0, 1, 1, &err), 0);
        w.placement = &where;
        assert_int_equal(cost_open(&c, model, 2, &w, &err), 0);
        assert_int_equal(schedule_open(&s, &(struct schedule){ .algorithm = collective_find("full-fan-out", &err),
                .operation = ALLGATHER, .n = 2, .bytes = 2500 }, &err), 0);
        assert_int_equal(execute(&x, &s, &c, 0, NULL, &err), 0);
        check_near(x.time / (1e-6 + 1e-7 + 2500 / 25e9 + 1e-6), 1, 1e-9);
        schedule_close(&s);
        cost_close(&c);
        placement_release(&where);
        net_close(w.net);
    }
}

/* Segments are as many bytes as the whole, also where a part in segments follows one without. */
static void segments_are_as_many_bytes(void **state)
{
    struct placement where;
    struct cost_network w = { .rate = 25e9, .cable = 1e-7, .overhead = 1e-6 };
    struct tree_scene scene = { .where = &where, .hop = 1, .cut = true };
    struct execution x[2];

    (void)state;
    assert_int_equal(net_open(&w.net, "fattree:4", &err), 0);
    assert_int_equal(placement_init(&where, w.net, NULL, 0, 1, 1, &err), 0);
    w.placement = &where;
    scene.net = w.net;
    for (int k = 0; k < 2; k++) {
        struct schedule s;
        struct cost c;

        if (cost_open(&c, "links", where.n, &w, &err) < 0 ||
            schedule_open(&s, &(struct schedule){ .algorithm = collective_find("two-level", &err), .operation = ALLREDUCE,
                          .n = where.n, .bytes = 1000 * 4096, .segment = k ? 4096 : 0, .scene = &scene }, &err) < 0 ||
            execute(&x[k], &s, &c, 0, NULL, &err) < 0)
            fail_msg("%s", err.msg);
        schedule_close(&s);
        cost_close(&c);
    }
    check_near(x[0].bytes, x[1].bytes, 0);
    check_near(x[0].most, x[1].most, 0);
    check_near(x[0].busiest, x[1].busiest, 0);
    placement_release(&where);
    net_close(w.net);
}

/* Of two cables between the same switches both carry messages, and as many links are crossed as one after the other. */
static void cables_side_by_side(void **state)
{
    static const char *const models[] = { "links", "links,sharing=serial" };
    struct placement where;
    struct cost_network w = { .rate = 25e9, .cable = 1e-7 };
    struct execution x[2];

    (void)state;
    assert_int_equal(net_open(&w.net, "examples/networks/leaf-spine.csv", &err), 0);
    assert_int_equal(placement_init(&where, w.net, NULL, 8, 1, 1, &err), 0);
    w.placement = &where;
    for (int k = 0; k < 2; k++) {
        struct schedule s;
        struct cost c;

        if (cost_open(&c, models[k], where.n, &w, &err) < 0 ||
            schedule_open(&s, &(struct schedule){ .algorithm = collective_find("full-fan-out", &err),
                                                  .operation = ALLTOALL, .n = where.n, .bytes = 1000 }, &err) < 0 ||
            execute(&x[k], &s, &c, 0, NULL, &err) < 0)
            fail_msg("%s", err.msg);
        schedule_close(&s);
        cost_close(&c);
    }
    check_near(x[0].hops, x[1].hops, 0);
    assert_true(x[0].busiest >= 7000 && x[0].busiest <= 1.5 * x[1].busiest);        /* a host has to and from 7 */
    placement_release(&where);
    net_close(w.net);
}

/* Recursive doubling of 8 processes, hosts a0 to a3 and b0 to b3: two exchanges at the switch, each by two cables of 4 units,
 * and one over the two cables of a unit, where four messages each way are two on each. Where a routing names no cable. */
static void as_many_messages_on_each(void **state)
{
    const double bytes = 1e6, unit = 25e9, cable = 1e-7;
    struct cost_network w = { .rate = unit, .cable = cable, .routing = "minimal" };
    struct placement where;
    struct schedule s;
    struct execution x;
    struct cost c;

    (void)state;
    assert_int_equal(net_open(&w.net, "file:tests/fidelity/two-cables.csv,terminals=leaves", &err), 0);
    assert_int_equal(placement_init(&where, w.net, NULL, 8, 1, 1, &err), 0);
    w.placement = &where;
    if (cost_open(&c, "links", 8, &w, &err) < 0 ||
        schedule_open(&s, &(struct schedule){ .algorithm = collective_find("recursive-doubling", &err),
                                              .operation = ALLREDUCE, .n = 8, .bytes = (int64_t)bytes }, &err) < 0 ||
        execute(&x, &s, &c, 0, NULL, &err) < 0)
        fail_msg("%s", err.msg);
    check_near(x.time / (2 * (2 * cable + bytes / (4 * unit)) + 3 * cable + 2 * bytes / unit), 1, 1e-9);
    check_near(x.busiest, 3 * bytes, 0);        /* a host's; each cable of the two has 2 */
    schedule_close(&s);
    cost_close(&c);
    placement_release(&where);
    net_close(w.net);
}

/* ---- others' tables ---- */

static void as_smpi_has_it(void **state)
{
    static const char *const sends[] = { "ordered", "blocking" };
    struct measured m;
    size_t left = 0;                    /* rows with a time of another order */

    (void)state;
    if (measured_smpi(&m, &err) < 0)
        fail_msg("%s", err.msg);
    for (size_t i = 0; i < m.n; i++) {
        const struct measured_row *r = &m.row[i];

        left += r->left[0] || r->left[1];
        for (int k = 0; k < MEASURED_SENDS; k++) {
            if (!(fabs(r->model[k] / r->measured[k] - 1) <= measured_limit(r)))
                fail_msg("%s, %s by %s (%s), %lld bytes, %s: %g us, SMPI %g", r->where, r->operation, r->algorithm,
                         r->other, (long long)r->bytes, sends[k], r->model[k], r->measured[k]);
        }
    }
    print_message("%zu of %zu rows by SMPI's order\n", left, m.n);
    if (left > m.n * 12 / 100)
        fail_msg("%zu of %zu rows are by SMPI's order and not by ours", left, m.n);
    for (int k = 0; k < MEASURED_SENDS; k++) {
        const struct measured_choice c = measured_choices(&m, k, NULL);

        assert_true((double)c.good >= 0.95 * (double)c.cases);
    }
    measured_close(&m);
}

static void as_a_machine_was_measured(void **state)
{
    const struct measured_set set = MEASURED_FITTED;
    struct measured_choice all, fitted, apart;
    struct measured m;

    (void)state;
    if (measured_machine(&m, &set, NULL, &err) < 0)
        fail_msg("%s", err.msg);
    all = measured_choices(&m, 0, NULL);
    fitted = measured_choices(&m, 0, "2x2x2");
    apart = measured_choices(&m, 0, "4x4x4");
    print_message("good %.3f, loss %.3f, ratio %.3f; fitted %.3f %.3f, apart %.3f %.3f\n", (double)all.good / (double)all.cases,
                  all.loss, all.ratio, (double)fitted.good / (double)fitted.cases, fitted.loss,
                  (double)apart.good / (double)apart.cases, apart.loss);
    assert_int_equal(all.cases, 122);
    assert_true((double)all.good >= 0.9 * (double)all.cases);
    assert_true(all.loss <= 0.06);
    assert_true(all.ratio >= 0.8 && all.ratio <= 1.1);
    assert_true((double)fitted.good >= 0.95 * (double)fitted.cases && (double)apart.good >= 0.8 * (double)apart.cases);
    measured_close(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_are_those_of_linear_programs), cmocka_unit_test(ordered_is_between),
        cmocka_unit_test(what_repeats_is_as_if_it_were_played),
        cmocka_unit_test(work_comes_before_bytes),
                                        cmocka_unit_test(segments_are_as_many_bytes), cmocka_unit_test(cables_side_by_side),
                                        cmocka_unit_test(as_many_messages_on_each), cmocka_unit_test(as_smpi_has_it), cmocka_unit_test(as_a_machine_was_measured)
    };
    int failed;

    net_setup();
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    net_teardown();
    return failed;
}
