/* Histogram bins, cumulative shares and quantiles against brute force, on any doubles. */
#include <float.h>
#include <string.h>

#include "graph/numeric/rng.h"
#include "graph/numeric/bins.h"
#include "tests/support/check.h"

static void seeded(struct rng *rng)
{
    rng_seed(rng, check_seed());
}

static struct bins bins_of(const double *v, const double *weight, size_t n, struct bins_how how)
{
    struct err err = { 0 };
    struct bins b;

    assert_int_equal(bins_choose(&b, v, weight, n, &how, &err), 0);
    bins_add(&b, v, weight, n);
    return b;
}

/* ---- examples ---------------------------------------------------------------------------------------- */

static const struct example {
    const char *name;
    double v[12];
    size_t n;
    struct bins_how how;
    const char *edges, *counts;
    double below;
    size_t left_out;
} examples[] = {
    { "none", { 0 }, 0, { 0, false }, "", "", 0, 0 },
    { "nothing finite", { NAN, INFINITY, -INFINITY }, 3, { 0, false }, "", "", 0, 3 },
    { "one value", { 0.34 }, 1, { 0, false }, "0.3 0.4", "1", 0, 0 },
    { "one negative value", { -0.34 }, 1, { 0, false }, "-0.4 -0.3", "1", 0, 0 },
    { "equal to ten digits", { 0.34, 0.34000000000001 }, 2, { 0, false }, "0.3 0.4", "2", 0, 0 },
    { "zero", { 0, -0.0 }, 2, { 0, false }, "-0.5 0.5", "2", 0, 0 },
    { "zero but for denormals", { 0, 1e-310, -1e-300 }, 3, { 0, false }, "-0.5 0.5", "3", 0, 0 },
    { "whole numbers", { 3, 5, 3, 4, 7, 7 }, 6, { 0, false }, "2.5 3.5 4.5 5.5 6.5 7.5", "2 1 1 0 2", 0, 0 },
    { "a whole number", { 12, 12 }, 2, { 0, false }, "11.5 12.5", "2", 0, 0 },
    { "whole numbers beside what is none", { -1, NAN, 1, INFINITY }, 4, { 0, false }, "-1.5 -0.5 0.5 1.5", "1 0 1", 0,
      2 },
    { "far whole numbers", { 0, 100, 200, 300, 400, 500, 600, 700 }, 8, { 0, false }, "-0.5 499.5 999.5", "5 3", 0,
      0 },                                      /* the rule wants 2 x (500 - 100) / 2 = 400, and 500 is near */
    { "whole numbers in so many", { 0, 3, 9, 10 }, 4, { 4, false }, "-0.5 2.5 5.5 8.5 11.5", "1 1 0 2", 0, 0 },
    { "fewer whole numbers than asked for", { 1, 2 }, 2, { 9, false }, "0.5 1.5 2.5", "1 1", 0, 0 },
    { "so many", { 0.5, 1, 2, 4.5 }, 4, { 4, false }, "0.5 1.5 2.5 3.5 4.5", "2 1 0 1", 0, 0 },
    { "upper edges belong to the next bin", { 0.5, 1.5, 1.5, 2.5 }, 4, { 2, false }, "0.5 1.5 2.5", "1 3", 0, 0 },
    { "decades", { 1, 10, 10, 100, 1000, 1000 }, 6, { 3, true }, "1 10 100 1000", "1 2 3", 0, 0 },
    { "not positive", { -5, 0, 1, 100, NAN }, 5, { 2, true }, "1 10 100", "1 1", 2, 1 },
    { "nothing positive", { -5, 0 }, 2, { 0, true }, "", "", 2, 0 },
    { "one value by logarithm", { 30, 30 }, 2, { 0, true }, "10 100", "2", 0, 0 },
    { "the largest, by logarithm", { DBL_MAX, DBL_MAX }, 2, { 0, true }, "1e+308 1.797693135e+308", "2", 0, 0 },
    { "the least, by logarithm", { 5e-324 }, 1, { 0, true }, "4.940656458e-324 9.881312917e-324", "1", 0, 0 },
    { "the largest", { DBL_MAX, -DBL_MAX }, 2, { 2, false }, "-1.797693135e+308 0 1.797693135e+308", "1 1", 0, 0 },
    { "the largest alone", { -DBL_MAX }, 1, { 0, false }, "-1.797693135e+308 -1.5e+308", "1", 0, 0 },
};

static void join(char *out, size_t size, const double *v, size_t n)
{
    out[0] = '\0';
    for (size_t i = 0; i < n; i++)
        snprintf(out + strlen(out), size - strlen(out), "%s%.10g", i ? " " : "", v[i]);
}

static void example_holds(void **state)
{
    const struct example *e = *state;
    struct bins b = bins_of(e->v, NULL, e->n, e->how);
    char text[400];

    join(text, sizeof text, b.edge, b.n ? b.n + 1 : 0);
    assert_string_equal(text, e->edges);
    join(text, sizeof text, b.count, b.n);
    assert_string_equal(text, e->counts);
    check_near(b.below, e->below, 0);
    check_near(b.above, 0, 0);
    assert_int_equal(b.left_out, e->left_out);
    bins_release(&b);
}

/* The sum of twelve uniform numbers less six: mean 0, variance 1, quartiles near those of the normal distribution,
 * +-0.674. Of 1000, Freedman and Diaconis want a width of 2 x 1.349 / 10 = 0.27, and 0.2 is the nearest nice one. */
static void a_normal_sample_has_the_known_width(void **state)
{
    double v[1000];
    struct rng rng;
    struct bins b;

    (void)state;
    rng_seed(&rng, 5);
    EACH_ROW(i, v) {
        v[i] = -6;
        for (int k = 0; k < 12; k++)
            v[i] += check_uniform(&rng);
    }
    b = bins_of(v, NULL, COUNT(v), (struct bins_how){ 0, false });
    check_near(b.edge[1] - b.edge[0], 0.2, 1e-12);
    check_near(fmod(fabs(b.edge[0]) + 1e-9, 0.2), 0, 1e-8);
    bins_release(&b);
    EACH_ROW(i, v)
        v[i] = pow(10, v[i]);
    b = bins_of(v, NULL, COUNT(v), (struct bins_how){ 0, true });
    check_near(b.edge[1] / b.edge[0], pow(10, 0.2), 1e-9);
    bins_release(&b);
}

/* Half of 1024 values and more are equal: no interquartile range; Sturges wants 11 bins of 0..1: width 0.1. */
static void without_quartiles_sturges_counts(void **state)
{
    double v[1024] = { 0.001, 0.999 };
    struct bins b;

    (void)state;
    for (size_t i = 2; i < COUNT(v); i++)
        v[i] = 0.5;
    b = bins_of(v, NULL, COUNT(v), (struct bins_how){ 0, false });
    assert_int_equal(b.n, 10);
    check_near(b.edge[0], 0, 0);
    check_near(b.edge[10], 1, 0);
    bins_release(&b);
}

static void weights_are_summed(void **state)
{
    const double v[] = { 1, 2, 3, 4, 5 }, w[] = { 0.5, 2, NAN, -1, 1 };
    struct bins b = bins_of(v, w, 5, (struct bins_how){ 0, false }), other;
    struct err err = { 0 };

    (void)state;
    assert_int_equal(b.n, 5);
    check_near(b.count[0], 0.5, 0);
    check_near(b.count[1], 2, 0);
    check_near(b.count[2] + b.count[3], 0, 0);
    check_near(b.count[4], 1, 0);
    assert_int_equal(b.left_out, 2);
    assert_int_equal(bins_like(&other, &b, &err), 0);
    assert_true(other.whole);
    bins_add(&other, (double[]){ 0.4, 0.5, 5.5, 5.6 }, (double[]){ 1, 2, 4, 8 }, 4);
    check_near(other.below, 1, 0);
    check_near(other.count[0], 2, 0);
    check_near(other.count[4], 4, 0);
    check_near(other.above, 8, 0);
    bins_release(&other);
    bins_release(&b);
}

/* ---- properties -------------------------------------------------------------------------------------- */

static double any_value(struct rng *rng, int kind)
{
    switch (kind) {
    case 0: return floor(300 * check_uniform(rng) * check_uniform(rng)) - 20;
    case 1: return check_uniform(rng) - 0.3;
    case 2: return (check_uniform(rng) - 0.5) * pow(10, 616 * check_uniform(rng) - 308);
    case 3: return (rng_below(rng, 2) ? 1.7e308 : -1.7e308) * (1 - check_uniform(rng) * 1e-3);
    case 4: return 1e9 + 1e-5 * check_uniform(rng);
    case 5: return 1e15 * (check_uniform(rng) - 0.5);
    case 6: return floor(1e15 * (check_uniform(rng) - 0.5));
    case 7: return 5e-324 * (double)rng_below(rng, 50);
    default: return (double[]){ NAN, INFINITY, -INFINITY, 0, 1, -1e300, 1e-300 }[rng_below(rng, 7)];
    }
}

/* Edges rise and are finite, every finite value is in its bin, no more than may be, and sums are of all. */
static void check_bins(const double *v, const double *weight, size_t n, struct bins_how how)
{
    struct bins b = bins_of(v, weight, n, how);
    double *want = calloc(b.n + 1, sizeof *want), below = 0;

    assert_true(b.n <= BINS_MOST);
    for (size_t i = 0; b.n && i <= b.n; i++)
        assert_true(isfinite(b.edge[i]) && (i == 0 || b.edge[i] > b.edge[i - 1]));
    if (how.count && !b.whole && b.n)
        assert_true(b.n <= (size_t)how.count);
    for (size_t i = 0; i < n; i++) {
        bool out = how.logarithmic && v[i] <= 0;

        if (!isfinite(v[i]))
            continue;
        if (out) {
            below += weight ? weight[i] : 1;
            continue;
        }
        assert_true(b.n > 0);
        for (size_t k = 0; k < b.n; k++)
            if (v[i] >= b.edge[k] && (v[i] < b.edge[k + 1] || (k + 1 == b.n && v[i] == b.edge[b.n])))
                want[k] += weight ? weight[i] : 1;
    }
    for (size_t k = 0; k < b.n; k++)
        check_near(b.count[k], want[k], 1e-9);
    check_near(b.below, below, 1e-9);
    check_near(b.above, 0, 0);
    if (b.n > 1 && !how.logarithmic && b.whole)
        assert_true(fmod(b.edge[1] - b.edge[0], 1) == 0 && fabs(fmod(b.edge[0], 1)) == 0.5);
    free(want);
    bins_release(&b);
}

static void any_values(void **state)
{
    struct rng rng;

    (void)state;
    seeded(&rng);
    for (int trial = 0; trial < 6000; trial++) {
        double v[300], w[300], total = 0;
        size_t n = rng_below(&rng, 4) ? rng_below(&rng, 8) : rng_below(&rng, 300);
        int kind = (int)rng_below(&rng, 9);
        struct bins_how how = { rng_below(&rng, 2) ? 0 : (int)rng_below(&rng, 201), rng_below(&rng, 2) };

        for (size_t i = 0; i < n; i++) {
            v[i] = any_value(&rng, kind);
            w[i] = rng_below(&rng, 3) ? check_uniform(&rng) : 0;
            total += w[i];
        }
        if (n && rng_below(&rng, 4) == 0)
            v[0] = any_value(&rng, 8);
        check_bins(v, NULL, n, how);
        if (n && total > 0)
            w[0] = 1;
        for (size_t i = 0; i < n; i++)          /* edges are chosen by what has weight */
            w[i] = fmax(w[i], 1e-6);
        check_bins(v, w, n, how);
    }
}

static void cumulative_shares_are_those_counted(void **state)
{
    struct rng rng;

    (void)state;
    seeded(&rng);
    for (int trial = 0; trial < 1000; trial++) {
        double v[40], w[40], total = 0;
        size_t n = rng_below(&rng, 40);
        bool weighted = rng_below(&rng, 2);
        struct err err = { 0 };
        struct ecdf e;

        for (size_t i = 0; i < n; i++) {
            v[i] = rng_below(&rng, 20) ? (double)rng_below(&rng, 12) : NAN;
            w[i] = weighted ? (double)rng_below(&rng, 4) : 1;
            total += isnan(v[i]) ? 0 : w[i];
        }
        assert_int_equal(ecdf_make(&e, v, weighted ? w : NULL, n, &err), 0);
        check_near(e.total, total, 0);
        for (size_t k = 0; k < e.n; k++) {
            double sum = 0;

            for (size_t i = 0; i < n; i++)
                sum += v[i] <= e.value[k] ? w[i] : 0;
            check_near(e.share[k], sum / total, 1e-15);
            assert_true(k == 0 || (e.value[k] > e.value[k - 1] && e.share[k] > e.share[k - 1]));
            check_near(ecdf_quantile(&e, e.share[k]), e.value[k], 0);
            check_near(ecdf_quantile(&e, e.share[k] - 0.5 / total), e.value[k], 0);
        }
        if (total > 0)
            check_near(e.share[e.n - 1], 1, 0);
        else
            assert_true(e.n == 0 && isnan(ecdf_quantile(&e, 0.5)));
        ecdf_release(&e);
    }
}

int main(void)
{
    struct CMUnitTest tests[5 + COUNT(examples)] = {
        cmocka_unit_test(a_normal_sample_has_the_known_width), cmocka_unit_test(without_quartiles_sturges_counts),
        cmocka_unit_test(weights_are_summed), cmocka_unit_test(any_values),
        cmocka_unit_test(cumulative_shares_are_those_counted),
    };
    size_t n = 0;

    while (tests[n].test_func)          /* those listed above */
        n++;

    EACH_ROW(i, examples)
        tests[n++] = (struct CMUnitTest){ .name = examples[i].name, .test_func = example_holds,
                                          .initial_state = (void *)&examples[i] };
    return _cmocka_run_group_tests("bins", tests, n, NULL, NULL);
}
