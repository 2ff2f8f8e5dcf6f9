/* Samples of sources: Student's quantiles as printed tables have them, errors of means by their textbook formula;
 * estimates that hit what all sources say as often as they claim, and that are exact where all sources are alike. */
#include <string.h>

#include "analysis/latency/latency.h"
#include "analysis/metapath/metapath.h"
#include "analysis/network/topo_report.h"
#include "graph/numeric/rng.h"
#include "graph/numeric/sample.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"

static struct err err;

/* Fisher and Yates, table III; and where the formula changes, as R's qt(0.975, .) has them. */
static void student_is_as_printed(void **state)
{
    static const struct {
        size_t freedom;
        double t;
    } printed[] = {
        { 1, 12.7062 }, { 2, 4.30265 }, { 3, 3.18245 }, { 4, 2.77645 }, { 5, 2.57058 }, { 7, 2.36462 },
        { 10, 2.22814 }, { 15, 2.13145 }, { 30, 2.04227 }, { 60, 2.00030 }, { 120, 1.97993 }, { 1000, 1.96234 },
        { 1001, 1.96234 }, { 1000000, 1.95997 }
    };

    (void)state;
    EACH_ROW(i, printed)
        if (fabs(sample_student(printed[i].freedom) - printed[i].t) > 6e-6 * printed[i].t)
            fail_msg("%zu degrees of freedom: %.6f, should be %.6f", printed[i].freedom,
                     sample_student(printed[i].freedom), printed[i].t);
}

/* The density from -t to t by Simpson's rule over angles, x = sqrt(v) tan a: 0.95 of all, to what 1e-7 of t make. */
static void student_holds_most_of_the_density(void **state)
{
    static const size_t more[] = { 60, 120, 999, 1000, 1001, 5000, 100000 };
    enum { STEPS = 4000 };

    (void)state;
    for (size_t i = 1; i <= 40 + COUNT(more); i++) {
        const double v = (double)(i <= 40 ? i : more[i - 41]), t = sample_student((size_t)v), end = atan(t / sqrt(v));
        double sum = 0;

        for (int k = 0; k <= STEPS; k++)
            sum += (k == 0 || k == STEPS ? 1 : k % 2 ? 4 : 2) * exp((v - 1) * log(cos(end * k / STEPS)));
        sum *= 2 * end / STEPS / 3 * exp(lgamma((v + 1) / 2) - lgamma(v / 2)) / sqrt(M_PI);
        check_near(sum, 0.95, 1e-8);
    }
    check_near(sample_student(1), tan(0.475 * M_PI), 1e-9);
    check_near(sample_student(2), 0.95 * sqrt(2 / (1 - 0.95 * 0.95)), 1e-9);
}

/* As the jackknife has it of values without end; and none of a single one. */
static void half_widths_of_means_are_the_jackknifes(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (size_t n = 2; n < 30; n++) {
        double x[30], without[30], sum = 0, squares = 0;

        for (size_t i = 0; i < n; i++)
            sum += x[i] = check_uniform(&rng);
        for (size_t i = 0; i < n; i++) {
            squares += (x[i] - sum / (double)n) * (x[i] - sum / (double)n);
            without[i] = (sum - x[i]) / (double)(n - 1);
        }
        check_near(sample_half(n, sqrt(squares / (double)(n - 1))) / sample_error(without, n, INFINITY).half, 1, 1e-9);
    }
    assert_true(isnan(sample_half(0, 1)) && isnan(sample_half(1, 0)) && sample_half(2, 0) == 0);
    check_near(sample_half(9, 3), 2.30600, 1e-5);
}

/* 3, 5 and 10 of 12: mean 6, s^2 = 13; the error is sqrt(13/3 (1 - 3/12)). */
static void error_of_a_mean_is_the_usual(void **state)
{
    const double without[] = { 7.5, 6.5, 4 }, same[] = { 0.1, 0.1, 0.1 };
    struct estimate e = sample_error(without, 3, 12);

    (void)state;
    assert_true(fabs(e.error - sqrt(13.0 / 3 * 0.75)) < 1e-14);
    assert_true(fabs(e.half - 4.30265 * e.error) < 1e-4);
    assert_true(sample_error(without, 3, 3).error == 0);
    assert_true(sample_error(same, 3, 12).error == 0);
    assert_true(isnan(sample_error(without, 1, 12).error));
}

/* Every one as often as any other (chi squared of 19 degrees of freedom, below 1 in 10^6: 59), in order, none twice;
 * a larger sample holds the smaller. */
static void draws_are_even(void **state)
{
    int seen[20] = { 0 }, *few, *more;
    double chi = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 4000; seed++) {
        assert_int_equal(sample_draw(&few, 5, 20, seed, &err), 0);
        assert_int_equal(sample_draw(&more, 9, 20, seed, &err), 0);
        for (int i = 0, k = 0; i < 5; i++) {
            seen[few[i]]++;
            assert_true(i == 0 || few[i] > few[i - 1]);
            while (k < 9 && more[k] != few[i])
                k++;
            assert_true(k < 9);
        }
        free(few);
        free(more);
    }
    for (int i = 0; i < 20; i++)
        chi += (seen[i] - 1000.0) * (seen[i] - 1000.0) / 1000;
    if (chi > 59)
        fail_msg("chi squared is %g", chi);
}

/* ---- estimates ---- */

#define SEEDS 400

/* Of so many intervals of 95 %, as many hold the truth as chance allows: 4.5 deviations either way. */
static void hits_suit(int hits, int of, const char *what)
{
    const double off = 4.5 * sqrt(of * 0.95 * 0.05);

    if (fabs(hits - 0.95 * of) > off)
        fail_msg("%s: %d of %d intervals hold the truth", what, hits, of);
}

static const char *const irregular[] = { "random:300,degree=3,seed=5", "mesh:13x17",
                                         "dragonfly,a=4,p=2,h=2,fail=random:3:1",
                                         "circulant:200,jumps=1+14,fail=random:40:2" };

static void means_of_distances_hold_their_word(void **state)
{
    const char *spec = *state;
    struct topo_report_options o = { .no_symmetry = true };
    struct topo_report all, some;
    double off = 0, error = 0;
    struct net *net;
    int hits = 0;

    assert_int_equal(net_open(&net, spec, &err), 0);
    assert_int_equal(topo_report(&all, net, &o, &err), 0);
    assert_int_equal(all.sample.sources, 0);
    for (o.seed = 1; o.seed <= SEEDS; o.seed++) {
        double pairs = 0, fraction = 0;

        o.sources = 12 + (int)o.seed % 20;
        assert_int_equal(topo_report(&some, net, &o, &err), 0);
        assert_int_equal(some.sample.sources, o.sources);
        hits += fabs(some.mean_hops - all.mean_hops) <= some.sample.error->half;
        off += (some.mean_hops - all.mean_hops) * (some.mean_hops - all.mean_hops);
        error += some.sample.error->error * some.sample.error->error;
        assert_true(some.diameter <= all.diameter);
        for (int d = 1; d <= some.pairs.longest; d++) {
            pairs += (double)some.pairs.pairs[d];
            fraction += some.sample.bin_error[d].error;
        }
        assert_true(pairs == o.sources * (all.terminals - 1) && fraction > 0);
        topo_report_release(&some);
    }
    hits_suit(hits, SEEDS, spec);
    if (fabs(sqrt(off / error) - 1) > 0.15)
        fail_msg("%s: estimates are off by %.3f times what they say", spec, sqrt(off / error));
    o.sources = (int)all.terminals;             /* all of them are no sample */
    assert_int_equal(topo_report(&some, net, &o, &err), 0);
    assert_true(some.sample.sources == 0 && some.mean_hops == all.mean_hops && some.diameter == all.diameter);
    topo_report_release(&some);
    topo_report_release(&all);
    net_close(net);
}

/* Ratios and differences of means among them; the fraction of one bin. */
static void means_of_metapaths_hold_their_word(void **state)
{
    const char *spec = *state;
    static const char *const supernode[] = { "static", "sga:2", "dga:1", "random" };
    enum { N = COUNT(supernode) };
    struct metapath_options o = { .bins_per_hop = 1 };
    struct metapath_stats all[N], some[N];
    struct supernode sn[N];
    int hits[N][METAPATH_ESTIMATES] = { { 0 } }, bins = 0;
    struct net *net;
    size_t bin = 0;             /* the fullest */

    assert_int_equal(net_open(&net, spec, &err), 0);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(supernode_open(&sn[i], supernode[i], net, &err), 0);
    assert_int_equal(metapath_stats(all, net, sn, N, &o, &err), 0);
    for (size_t b = 0; b < all[1].nbin; b++)
        bin = all[1].bin[b] > all[1].bin[bin] ? b : bin;
    for (o.seed = 1; o.seed <= SEEDS; o.seed++) {
        double seen = 0;

        o.sources = 25;
        assert_int_equal(metapath_stats(some, net, sn, N, &o, &err), 0);
        for (size_t i = 0; i < N; i++) {
            const double of[2][METAPATH_ESTIMATES] = {
                { all[i].mean_hops, all[i].lengthening, all[i].width, all[i].intermediate, all[i].extra_width_per_hop },
                { some[i].mean_hops, some[i].lengthening, some[i].width, some[i].intermediate,
                  some[i].extra_width_per_hop } };

            assert_int_equal(some[i].sources, o.sources);
            for (int e = 0; e < METAPATH_ESTIMATES; e++)
                hits[i][e] += isnan(of[0][e]) ? isnan(of[1][e]) :
                    fabs(of[0][e] - of[1][e]) <= some[i].error[e].half + 1e-9 * fabs(of[0][e]);
            assert_true(strcmp(supernode[i], "random") == 0 || (some[i].least_hops >= all[i].least_hops - 1e-12 &&
                                                               some[i].greatest_hops <= all[i].greatest_hops + 1e-12));
        }
        for (size_t b = 0; b < some[1].nbin; b++)
            seen += (double)some[1].bin[b];
        bins += fabs((double)some[1].bin[bin] / seen - (double)all[1].bin[bin] / all[1].pairs) <=
            some[1].bin_error[bin].half;
        for (size_t i = 0; i < N; i++)
            metapath_stats_release(&some[i]);
    }
    for (size_t i = 0; i < N; i++)
        for (int e = 0; e < METAPATH_ESTIMATES; e++)
            if (hits[i][e] < SEEDS)             /* else all sources are alike in this */
                hits_suit(hits[i][e], SEEDS, supernode[i]);
    hits_suit(bins, SEEDS, "a bin");
    for (size_t i = 0; i < N; i++) {
        metapath_stats_release(&all[i]);
        supernode_release(&sn[i]);
    }
    net_close(net);
}

/* Where all sources are alike, few of them say what all do, and that they are sure of it. */
static void alike_sources_are_exact(void **state)
{
    static const struct {
        const char *net, *supernode[6];
    } alike[] = {
        { "torus:5x4x3", { "static", "row:3", "row:3,exclude=line", "plane:3x2,origin=centre", "sga:2", "dga:1" } },
        { "hypercube:6", { "static", "subcube:2", "sga:1", "sga:3", "dga:1", "dga:2" } },
        { "circulant:61,jumps=1+9", { "static", "sga:1", "sga:3", "dga:1", "dga:2", "static" } },
        { "ring:600", { "static", "sga:100", "row:5", "dga:3", "static", "sga:1" } },      /* beyond a byte */
        { "ring:23,directed=yes", { "static", "sga:1", "sga:3", "dga:1", "dga:2", "row:4" } },
    };

    (void)state;
    EACH_ROW(k, alike) {
        struct metapath_options o = { .bins_per_hop = 3 };
        struct metapath_stats all[6], some[6];
        struct supernode sn[6];
        struct net *net;

        assert_int_equal(net_open(&net, alike[k].net, &err), 0);
        for (size_t i = 0; i < 6; i++)
            assert_int_equal(supernode_open(&sn[i], alike[k].supernode[i], net, &err), 0);
        assert_int_equal(metapath_stats(all, net, sn, 6, &o, &err), 0);
        o.no_symmetry = true;
        o.sources = 7;
        assert_int_equal(metapath_stats(some, net, sn, 6, &o, &err), 0);
        for (size_t i = 0; i < 6; i++) {
            const struct metapath_stats *a = &all[i], *s = &some[i];
            const double of[2][8] = {
                { a->mean_hops, a->sd_hops, a->least_hops, a->greatest_hops, a->width, a->intermediate, a->lengthening,
                  a->pairs },
                { s->mean_hops, s->sd_hops, s->least_hops, s->greatest_hops, s->width, s->intermediate, s->lengthening,
                  s->pairs } };

            for (int e = 0; e < 8; e++)
                if (fabs(of[0][e] - of[1][e]) > 1e-9 * fmax(1, fabs(of[0][e])))
                    fail_msg("%s on %s: number %d is %.15g, should be %.15g", alike[k].supernode[i], alike[k].net, e,
                             of[1][e], of[0][e]);
            for (int e = 0; e < METAPATH_LENGTHENING; e++)
                assert_true(s->error[e].error < 1e-9);
            for (size_t b = 0; b < s->nbin || b < a->nbin; b++)
                assert_true((b < s->nbin ? s->bin[b] : 0) * (uint64_t)net->n == (b < a->nbin ? a->bin[b] : 0) * 7);
        }
        for (size_t i = 0; i < 6; i++) {
            metapath_stats_release(&all[i]);
            metapath_stats_release(&some[i]);
            supernode_release(&sn[i]);
        }
        net_close(net);
    }
}

static void samples_do_not_depend_on_threads(void **state)
{
    struct metapath_options o = { .sources = 200, .seed = 3, .jobs = 1 };
    struct metapath_stats one, three;
    struct supernode sn;
    struct net *net;

    (void)state;
    assert_int_equal(net_open(&net, "random:900,degree=5", &err), 0);
    assert_int_equal(supernode_open(&sn, "sga:2", net, &err), 0);
    assert_int_equal(metapath_stats(&one, net, &sn, 1, &o, &err), 0);
    o.jobs = 3;
    assert_int_equal(metapath_stats(&three, net, &sn, 1, &o, &err), 0);
    assert_true(one.mean_hops == three.mean_hops && one.sd_hops == three.sd_hops &&
                one.extra_width_per_hop == three.extra_width_per_hop);
    assert_true(memcmp(one.error, three.error, sizeof one.error) == 0);
    supernode_release(&sn);
    net_close(net);
}

/* Of sampled traffic, terminals send to as many different ones as they hear from, in equal shares; another seed draws
 * others. */
static void pairs_are_balanced(void **state)
{
    static const char *const net[] = { "mesh:4x5", "fattree:4", "random:30,degree=3" };

    (void)state;
    EACH_ROW(i, net)
        for (int size = 1; size < 16; size += 3) {
            char traffic[40];
            size_t differ = 0;
            struct scene s[2];

            for (int k = 0; k < 2; k++) {
                int *heard;

                snprintf(traffic, sizeof traffic, "sampled:%d,seed=%d", size < 15 ? size : 15, 7 + k);
                scene_open(&s[k], net[i], traffic, "ecmp");
                heard = calloc((size_t)s[k].net->n, sizeof *heard);
                assert_int_equal(traffic_sources(&s[k].traffic), (size_t)s[k].net->nterminal);
                for (size_t a = 0; a < traffic_sources(&s[k].traffic); a++) {
                    const struct stream *x = &s[k].traffic.stream[traffic_first(&s[k].traffic, a)];
                    const size_t n = traffic_first(&s[k].traffic, a + 1) - traffic_first(&s[k].traffic, a);

                    assert_int_equal(n, size < 15 ? size : 15);
                    for (size_t j = 0; j < n; j++) {
                        assert_true(x[j].source == x[0].source && x[j].target != x[0].source);
                        for (size_t before = 0; before < j; before++)
                            assert_true(x[before].target != x[j].target);
                        check_near(x[j].share, 1.0 / (double)n, 1e-15);
                        heard[x[j].target]++;
                    }
                }
                for (int v = 0; v < s[k].net->nterminal; v++)
                    assert_int_equal(heard[net_terminal(s[k].net, v)], size < 15 ? size : 15);
                free(heard);
            }
            for (size_t x = 0; x < s[0].traffic.nstream; x++)
                differ += s[0].traffic.stream[x].target != s[1].traffic.stream[x].target;
            assert_true(differ > s[0].traffic.nstream / 4 || s[0].net->nterminal == 16);
            scene_release(&s[0]);
            scene_release(&s[1]);
        }
}

static double mean_latency(const char *net, const char *traffic, double part)
{
    const struct latency_options o = { .collide = { .switching = switching_find("cut-through", &err), .time = 10,
                                                    .hop_time = 1 }, .open = true, .terminals = true };
    struct latency_summary y;
    struct latency_study study;
    struct scene s;

    scene_open(&s, net, traffic, "ecmp");
    assert_int_equal(latency_open(&study, &s.traffic, &s.routing, 1, &o, &err), 0);
    assert_int_equal(latency_solve(&study, &(struct load){ 10 / part, 1 }, &err), 0);
    assert_int_equal(latency_summary(&y, &study, &(struct load){ 10 / part, 1 }, &err), 0);
    latency_close(&study);
    scene_release(&s);
    return y.mean;
}

/* All others are uniform traffic; a part of them comes near. */
static void sampled_is_uniform_in_the_end(void **state)
{
    static const struct {
        const char *net;
        int others;
        double load;
    } rows[] = { { "random:40,degree=5", 39, 0.4 }, { "mesh:5x5", 24, 0.2 }, { "fattree:4", 15, 0.5 } };

    (void)state;
    EACH_ROW(i, rows) {
        const double want = mean_latency(rows[i].net, "uniform", rows[i].load);
        char traffic[40];

        snprintf(traffic, sizeof traffic, "sampled:%d", rows[i].others);
        check_near(mean_latency(rows[i].net, traffic, rows[i].load) / want, 1, 1e-9);
        snprintf(traffic, sizeof traffic, "sampled:%d", rows[i].others / 2);
        check_near(mean_latency(rows[i].net, traffic, rows[i].load) / want, 1, 0.05);
    }
}

int main(void)
{
    struct CMUnitTest tests[32] = { { 0 } };
    size_t n = 0;
    int failed;

    net_setup();
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(student_is_as_printed);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(student_holds_most_of_the_density);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(half_widths_of_means_are_the_jackknifes);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(error_of_a_mean_is_the_usual);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(draws_are_even);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(alike_sources_are_exact);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(samples_do_not_depend_on_threads);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(pairs_are_balanced);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(sampled_is_uniform_in_the_end);
    for (size_t i = 0; i < COUNT(irregular); i++, n++)
        tests[n] = (struct CMUnitTest){ .name = irregular[i], .test_func = means_of_distances_hold_their_word,
                                        .initial_state = (void *)(uintptr_t)irregular[i] };
    for (size_t i = 0; i < 2; i++, n++)
        tests[n] = (struct CMUnitTest){ .name = i ? "metapaths on a mesh" : "metapaths",
                                        .test_func = means_of_metapaths_hold_their_word,
                                        .initial_state = (void *)(uintptr_t)(i ? irregular[1] :
                                                                                    "random:300,degree=8") };
    failed = _cmocka_run_group_tests("samples of sources", tests, n, NULL, NULL);
    net_teardown();
    return failed;
}
