/* The narrowest assignment of metapaths against all assignments: whether links carry them by a program of its own
 * for each, whether latency stays below a limit by a solution of each. Never wider than the narrowest that is the
 * same for all. SEED=n repeats a run. */
#include <string.h>
#include <unistd.h>

#include "analysis/policy/guide.h"
#include "analysis/policy/narrowest.h"
#include "analysis/policy/split.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"

#define TD 25.0
#define MOST 6                  /* sources */

static struct err err;
static struct rng rng;

static struct latency_options options(void)
{
    return (struct latency_options){ .collide = { .switching = switching_find("wormhole", &err), .time = TD,
        .jobs = 1 } };
}

/* Every assignment of `noffer` routings to the sources, one after the other. */
struct all {
    struct routing routing[4];
    struct latency_study study;
    size_t noffer, n;
    int at[MOST];
};

static void all_open(struct all *a, struct scene *s, const char *const *offer, size_t noffer)
{
    const struct latency_options o = options();

    *a = (struct all){ .noffer = noffer };
    for (size_t k = 0; k < noffer; k++)
        assert_int_equal(routing_open(&a->routing[k], s->net, offer[k], &err), 0);
    assert_int_equal(latency_open(&a->study, &s->traffic, a->routing, noffer, &o, &err), 0);
    a->n = a->study.flows.nsource;
    assert_true(a->n <= MOST);
}

static void all_close(struct all *a)
{
    latency_close(&a->study);
    for (size_t k = 0; k < a->noffer; k++)
        routing_close(&a->routing[k]);
}

static bool all_next(struct all *a)
{
    for (size_t i = 0; i < a->n; i++) {
        if (++a->at[i] < (int)a->noffer)
            return true;
        a->at[i] = 0;
    }
    return false;
}

/* Different ways of a pair, mean. */
static double width(const struct all *a)
{
    const struct flows *f = &a->study.flows;
    double ways = 0, pairs = 0;
    int last = -1;

    for (size_t i = 0; i < f->ninjection; i++) {
        if (f->injection_option[i] != a->at[f->injection_source[i]])
            continue;
        ways++;
        pairs += f->injection_pair[i] != last;
        last = f->injection_pair[i];
    }
    return ways / pairs;
}

/* The least largest load of each, in TD; that of the narrowest that stays within `most`. */
static double narrowest_load(struct all *a, double most, double *least)
{
    double best = INFINITY;

    *least = INFINITY;
    do {
        struct split y;

        assert_int_equal(latency_choose(&a->study, a->at, false, &err), 0);
        assert_int_equal(split_open(&y, &a->study, &(struct split_options){ .first = true }, &err), 0);
        *least = fmin(*least, y.largest);
        if (y.largest <= most * (1 + 1e-7))
            best = fmin(best, width(a));
        split_release(&y);
    } while (all_next(a));
    return best;
}

static double narrowest_latency(struct all *a, double interval, double limit, bool worst)
{
    double best = INFINITY;

    do {
        const struct load load = { interval, 1 };
        struct latency_summary y;

        a->study.collide.warm = false;
        assert_int_equal(latency_choose(&a->study, a->at, false, &err), 0);
        if (latency_solve(&a->study, &load, &err) < 0) {
            assert_int_equal(err.code, ERR_NETWORK);
            continue;
        }
        assert_int_equal(latency_summary(&y, &a->study, &load, &err), 0);
        if ((worst ? y.most : y.mean) <= limit)
            best = fmin(best, width(a));
    } while (all_next(a));
    return best;
}

static double same_for_all(struct scene *s, const char *const *offer, size_t n, double interval, double limit,
                           bool worst)
{
    const struct latency_options o = options();
    struct guide g;
    double ways = INFINITY;

    assert_int_equal(guide_open(&g, &(struct guide_request){ offer, n, &s->traffic, s->net,
                     &(struct load){ interval, 1 }, limit, worst, &o }, &err), 0);
    if (g.choice >= 0 && g.row[g.choice].meets)
        ways = g.row[g.choice].ways;
    guide_close(&g);
    return ways;
}

static struct narrowest solve(struct scene *s, const char *const *offer, size_t n, double interval, double limit,
                              bool worst)
{
    const struct latency_options o = options();
    struct narrowest y;

    if (narrowest_open(&y, &(struct guide_request){ offer, n, &s->traffic, s->net, &(struct load){ interval, 1 }, limit,
                       worst, &o }, &err) < 0)
        fail_msg("%s: %s", s->name, err.msg);
    return y;
}

static void holds(const struct scene *s, const struct narrowest *y, double want, double same)
{
    if (isinf(want)) {
        assert_false(y->found);
        assert_true(y->every);
        assert_true(isinf(same));
        return;
    }
    if (!y->found || fabs(y->ways - want) > 1e-9)
        fail_msg("%s: %s, %.9g ways; trying all gives %.9g", s->name, y->found ? "found" : "not found", y->ways, want);
    assert_true(y->ways <= same + 1e-9);
}

/* Intervals half-way between the largest loads of assignments, and beyond them, so that none is decided by rounding;
 * where the narrow ones do, and where none does. */
static void capacity(void **state)
{
    static const char *const offer[] = { "metapath:static", "metapath:sga:1", "metapath:sga:2" };

    (void)state;
    for (int trial = 0; trial < 12; trial++) {
        struct scene s;
        struct all a;
        double least, want;

        scene_streams(&s, &rng, "mesh:3x4", "dor", 3 + rng_below(&rng, 3));
        all_open(&a, &s, offer, COUNT(offer));
        narrowest_load(&a, INFINITY, &least);
        for (int k = 0; k < 4; k++) {
            const double part = least * (0.9371 + 0.2113 * k), interval = TD * part;
            struct narrowest y = solve(&s, offer, COUNT(offer), interval, NAN, false);

            want = narrowest_load(&a, part, &least);
            holds(&s, &y, want, same_for_all(&s, offer, COUNT(offer), interval, NAN, false));
            if (y.found) {
                assert_true(y.busy <= 1 + 1e-7 && y.capacity_interval <= interval * (1 + 1e-7));
                assert_int_equal(y.count[0] + y.count[1] + y.count[2], a.n);
            }
            narrowest_close(&y);
        }
        all_close(&a);
        scene_release(&s);
    }
}

static void latency(void **state)
{
    static const char *const offer[] = { "metapath:static", "metapath:sga:1,shares=bandwidth",
        "metapath:sga:2,shares=bandwidth" };

    (void)state;
    for (int trial = 0; trial < 6; trial++) {
        struct scene s;
        struct all a;

        scene_streams(&s, &rng, "mesh:3x4", "dor", 3 + rng_below(&rng, 2));
        all_open(&a, &s, offer, COUNT(offer));
        for (int k = 0; k < 4; k++) {
            const double limit = TD * (1.013 + 0.0517 * k);
            const bool worst = rng_below(&rng, 2);
            struct narrowest y = solve(&s, offer, COUNT(offer), 100, limit, worst);
            const double want = narrowest_latency(&a, 100, limit, worst);

            holds(&s, &y, want, same_for_all(&s, offer, COUNT(offer), 100, limit, worst));
            if (y.found)
                assert_true((worst ? y.summary.most : y.summary.mean) <= limit && y.stream && y.nstream == a.n);
            narrowest_close(&y);
        }
        all_close(&a);
        scene_release(&s);
    }
}

/* Six streams, four over one link: at 25 cycles one of them may keep it, if others that share ways give way.
 * Streams with one path take that, however many are offered. Nothing helps at 24 cycles, since two streams fill a
 * link alone with messages of 25. */
static void six_streams(void **state)
{
    static const char *const offer[] = { "table:examples/traffic/six_channels_paths.csv,first=1,order=1+2",
                                         "table:examples/traffic/six_channels_paths.csv,first=2,order=1+2",
                                         "table:examples/traffic/six_channels_paths.csv,first=3,order=1+2" };
    struct narrowest y;
    struct scene s;

    (void)state;
    scene_open(&s, "torus:8x8", "examples/traffic/six_channels.csv", offer[2]);
    y = solve(&s, offer, COUNT(offer), 25, NAN, false);
    assert_true(y.found);
    scene_near("ways", y.ways, 9.0 / 6, 1e-12);
    assert_int_equal(y.at[4], 0);
    assert_int_equal(y.at[5], 0);
    scene_near("capacity", y.capacity_interval, 25, 1e-7);
    narrowest_close(&y);
    y = solve(&s, offer, COUNT(offer), 24, NAN, false);
    assert_false(y.found);
    assert_true(y.every);
    narrowest_close(&y);
    y = solve(&s, offer, COUNT(offer), 100, NAN, false);        /* four over one link, a quarter of the time each */
    scene_near("ways", y.ways, 1, 1e-12);
    narrowest_close(&y);
    y = solve(&s, offer, COUNT(offer), 25, 1, false);           /* less than a message takes: all 3^4 are tried */
    assert_false(y.found);
    assert_true(y.every);
    assert_int_equal(y.tries, 81);
    narrowest_close(&y);
    scene_release(&s);
}

/* Too many to try: as many as promised, from the narrowest on. */
static void exhausted(void **state)
{
    static const char *const offer[] = { "metapath:static", "metapath:sga:1" };
    struct narrowest y;
    struct scene s;

    (void)state;
    scene_streams(&s, &rng, "torus:4x5", "dor", 14);
    y = solve(&s, offer, COUNT(offer), 1000, 1, false);
    assert_false(y.found);
    assert_false(y.every);
    assert_int_equal(y.tries, NARROWEST_TRIES);
    assert_true(y.ways > 1);
    narrowest_close(&y);
    scene_release(&s);
}

static void too_large(void **state)
{
    static const char *const offer[] = { "metapath:static", "metapath:sga:1" };
    const struct latency_options o = options();
    struct narrowest y;
    struct scene s;

    (void)state;
    scene_streams(&s, &rng, "torus:8x8", "dor", 101);
    assert_int_equal(narrowest_open(&y, &(struct guide_request){ offer, 2, &s.traffic, s.net,
                     &(struct load){ 100, 1 }, NAN, false, &o }, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_non_null(strstr(err.msg, "202 choices"));
    scene_release(&s);
    scene_streams(&s, &rng, "torus:8x8", "dor", 501);
    assert_int_equal(narrowest_open(&y, &(struct guide_request){ offer, 2, &s.traffic, s.net,
                     &(struct load){ 100, 1 }, 30, false, &o }, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    scene_release(&s);
}

/* All nodes alike: one choice for all, and the width that guide gives it. */
static void folded(void **state)
{
    static const char *const offer[] = { "metapath:static", "metapath:sga:1", "metapath:dga:1" };
    struct narrowest y;
    struct scene s;

    (void)state;
    scene_open(&s, "torus:5x5", "uniform", "dor");
    for (int k = 0; k < 3; k++) {
        const double interval = TD * (0.6 + 0.35 * k), same = same_for_all(&s, offer, 3, interval, NAN, false);

        y = solve(&s, offer, COUNT(offer), interval, NAN, false);
        assert_int_equal(y.found, !isinf(same));
        if (y.found) {
            scene_near("ways", y.ways, same, 1e-12);
            assert_int_equal(y.count[y.at[0]], 25);
        }
        narrowest_close(&y);
    }
    scene_release(&s);
}

static int setup(void **state)
{
    (void)state;
    net_setup();
    rng_seed(&rng, check_seed());
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    net_teardown();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(six_streams), cmocka_unit_test(capacity), cmocka_unit_test(latency),
            cmocka_unit_test(exhausted),
        cmocka_unit_test(too_large), cmocka_unit_test(folded),
    };

    return cmocka_run_group_tests_name("narrowest", tests, setup, teardown);
}
