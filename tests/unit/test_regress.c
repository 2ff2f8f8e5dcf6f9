/* Fits against certified values, examples worked by hand, and what least squares must keep. */
#include <float.h>
#include <string.h>

#include "graph/numeric/rng.h"
#include "render/figure/axis.h"
#include "graph/numeric/regress.h"
#include "render/chart/equation.h"
#include "tests/support/check.h"

/* ---- certified --------------------------------------------------------------------------------------- */

/* NIST Statistical Reference Datasets, linear least squares: Norris (calibration of ozone monitors). */
static void norris(void **state)
{
    static const double x[] = { 0.2,   337.4, 118.2, 884.6, 10.1,  226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4,
                                0.6,   775.5, 666.9, 338.0, 447.5, 11.6,  556.0, 228.1, 995.8, 887.6, 120.2, 0.3,
                                0.3,   556.8, 339.1, 887.2, 999.0, 779.0, 11.1,  118.3, 229.2, 669.1, 448.9, 0.5 };
    static const double y[] = { 0.1,   338.8, 118.1, 888.0, 9.2,   228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3,
                                0.1,   778.1, 668.8, 339.3, 448.9, 10.8,  557.7, 228.3, 998.0, 888.8, 119.6, 0.3,
                                0.6,   557.6, 339.3, 888.0, 998.5, 778.9, 10.2,  117.6, 228.9, 668.4, 449.2, 0.2 };
    struct err err = { 0 };
    struct regress r;

    (void)state;
    assert_int_equal(COUNT(x), 36);
    assert_int_equal(COUNT(y), 36);
    assert_int_equal(regress_fit(&r, regress_find("linear", NULL), x, y, COUNT(x), &err), 0);
    check_near(r.a, -0.262323073774029, 1e-13);
    check_near(r.b, 1.00211681802045, 1e-14);
    check_near(r.r2, 0.999993745883712, 1e-15);
}

/* ---- examples ---------------------------------------------------------------------------------------- */

#define RAISE(p) RAISED p RAISED_END
static const struct example {
    const char *name, *kind;
    double x[8], y[8];
    size_t n;
    double a, b, c, r2;
    size_t left_out;
    const char *text;
} examples[] = {
    { "line", "linear", { 1, 2, 3 }, { 3, 5, 7 }, 3, 1, 2, 0, 1, 0, "y = 1 + 2 x" },
    { "falling line", "linear", { 0, 4 }, { -1, -3 }, 2, -1, -0.5, 0, 1, 0, "y = −1 − 0.5 x" },
    { "line through zero", "linear", { 1, 2, 3 }, { -1, -2, -3 }, 3, 0, -1, 0, 1, 0, "y = −x" },
    /* means 2 and 3, products of differences 3, squares of x 2: b = 3/2; residuals 1/2, -1, 1/2: 1 - 1.5 / 6 */
    { "scattered", "linear", { 1, 2, 3 }, { 2, 2, 5 }, 3, 0, 1.5, 0, 0.75, 0, "y = 1.5 x" },
    { "no slope", "linear", { -1, 0, 1 }, { 1, 4, 1 }, 3, 2, 0, 0, 0, 0, "y = 2" },
    { "all y equal", "linear", { 1, 2, 4 }, { 0.1, 0.1, 0.1 }, 3, 0.1, 0, 0, 1, 0, "y = 0.1" },
    { "all y zero", "quadratic", { 1, 2, 4 }, { 0, 0, 0 }, 3, 0, 0, 0, 1, 0, "y = 0" },
    { "what is not finite is left out", "linear", { 1, NAN, 2, INFINITY, 3, 4 }, { 3, 1, 5, 1, NAN, 9 }, 6, 1, 2, 0, 1,
      3, "y = 1 + 2 x" },
    { "far from zero", "linear", { 1e9, 1e9 + 1, 1e9 + 2 }, { 0, 1, 2 }, 3, -1e9, 1, 0, 1, 0,
      "y = −10" RAISE("9") " + x" },
    { "square", "quadratic", { -2, 0, 1, 3, 10 }, { 4, 0, 1, 9, 100 }, 5, 0, 0, 1, 1, 0, "y = x" RAISE("2") },
    { "parabola", "quadratic", { 0, 1, 2, 3 }, { 1, -0.5, -1, -0.5 }, 4, 1, -2, 0.5, 1, 0,
      "y = 1 − 2 x + 0.5 x" RAISE("2") },
    /* orthogonal parts over -1.5, -0.5, 0.5, 1.5: mean 1/2, slope 0, q = 1, -1, -1, 1: factor 1/2: exact */
    { "vee", "quadratic", { 0, 1, 2, 3 }, { 1, 0, 0, 1 }, 4, 1, -1.5, 0.5, 1, 0, "y = 1 − 1.5 x + 0.5 x" RAISE("2") },
    /* mean 1/4, slope 3/10, factor of q 1/4; residuals are 1/20 of -1, 3, -3, 1: 1 - 0.05 / 0.75 */
    { "quadratic with rests", "quadratic", { 0, 1, 2, 3 }, { 0, 0, 0, 1 }, 4, 0.05, -0.45, 0.25, 1 - 0.05 / 0.75, 0,
      "y = 0.05 − 0.45 x + 0.25 x" RAISE("2") },
    { "power", "power", { 1, 4, 9, 16 }, { 3, 6, 9, 12 }, 4, 3, 0.5, 0, 1, 0, "y = 3 x" RAISE("0.5") },
    { "inverse square", "power", { 1, 2, 4, 0, -3, 8 }, { 1, 0.25, 0.0625, 5, 5, -1 }, 6, 1, -2, 0, 1, 3,
      "y = x" RAISE("−2") },
    { "all y equal, power", "power", { 1, 2, 4 }, { 5, 5, 5 }, 3, 5, 0, 0, 1, 0, "y = 5" },
    { "exponential", "exponential", { 0, 1, 2, 3 }, { 5, 10, 20, -1 }, 4, 5, 0.69314718055994531, 0, 1, 1,
      "y = 5 e" RAISE("0.693 x") },
    { "decay", "exponential", { 0, -1 }, { 1, M_E }, 2, 1, -1, 0, 1, 0, "y = e" RAISE("−x") },
    { "logarithmic", "logarithmic", { 1, M_E, 0, M_E * M_E }, { 2, 5, 1, 8 }, 4, 2, 3, 0, 1, 1, "y = 2 + 3 ln x" },
    { "large", "linear", { 0, 1 }, { 0, 1.25e7 }, 2, 0, 1.25e7, 0, 1, 0, "y = 1.25×10" RAISE("7") " x" },
    { "tiny", "linear", { 0, 1 }, { 1e-6, -3e-6 }, 2, 1e-6, -4e-6, 0, 1, 0,
      "y = 10" RAISE("−6") " − 4×10" RAISE("−6") " x" },
    { "huge", "linear", { 0, 1e300 }, { 0, 1e300 }, 2, 0, 1, 0, 1, 0, "y = x" },
    { "largest", "linear", { -1.7e308, 1.7e308 }, { 1.7e308, -1.7e308 }, 2, 0, -1, 0, 1, 0, "y = −x" },
};

/* 1e-12 of the value, and of the largest y for what is 0. */
static void example_holds(void **state)
{
    const struct example *e = *state;
    struct err err = { 0 };
    struct regress r;
    char text[EQUATION_TEXT];

    assert_int_equal(regress_fit(&r, regress_find(e->kind, NULL), e->x, e->y, e->n, &err), 0);
    check_near(r.a, e->a, 1e-12 * fmax(fabs(e->a), r.size));
    check_near(r.b, e->b, 1e-12 * fmax(fabs(e->b), 1));
    check_near(r.c, e->c, 1e-12);
    check_near(r.r2, e->r2, e->r2 == 1 ? 0 : 1e-15);
    assert_int_equal(r.left_out, e->left_out);
    assert_int_equal(r.used + r.left_out, e->n);
    assert_string_equal(equation_text(text, &r, 3), e->text);
}

static const struct refused {
    const char *name, *kind;
    double x[4], y[4];
    size_t n;
    const char *why;
} refusals[] = {
    { "no points", "linear", { 0 }, { 0 }, 0, "no linear fit: it takes 2 points, and 0 can be used" },
    { "one point", "power", { 1, -1 }, { 1, 1 }, 2, "no power fit: it takes 2 points, and 1 can be used" },
    { "all x equal", "linear", { 0.1, 0.1, 0.1 }, { 1, 2, 3 }, 3,
      "no linear fit: it takes 2 clearly different x, and the 3 points have fewer" },
    { "all x and y equal", "linear", { 2, 2 }, { 3, 3 }, 2,
      "no linear fit: it takes 2 clearly different x, and the 2 points have fewer" },
    { "two x", "quadratic", { 1, 2, 2, 1 }, { 1, 2, 3, 4 }, 4,
      "no quadratic fit: it takes 3 clearly different x, and the 4 points have fewer" },
    { "as good as two x", "quadratic", { 1, 2, 2 + 4e-16 }, { 1, 2, 3 }, 3,
      "no quadratic fit: it takes 3 clearly different x, and the 3 points have fewer" },
    { "too steep", "linear", { 0, 1e-300 }, { 0, 1e300 }, 2,
      "no linear fit: its coefficients are beyond the range of numbers" },
};

static void refused(void **state)
{
    const struct refused *e = *state;
    struct err err = { 0 };
    struct regress r;

    assert_int_equal(regress_fit(&r, regress_find(e->kind, NULL), e->x, e->y, e->n, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_string_equal(err.msg, e->why);
}

/* ---- properties -------------------------------------------------------------------------------------- */

/* What is left over is orthogonal to 1, u and, where it was fitted, u^2, of x and y or their logarithms. */
static void check_orthogonal(const struct regress *r, const double *x, const double *y, size_t n)
{
    double sum[3] = { 0 }, size[3] = { 0 };

    for (size_t i = 0; i < n; i++) {
        double u = r->kind->log_x ? log(x[i]) : x[i], fit = regress_at(r, x[i]);
        double rest = r->kind->log_y ? log(y[i]) - log(fit) : y[i] - fit, t = (u - r->centre) / r->spread;

        for (int k = 0; k <= r->kind->degree; k++) {
            sum[k] += rest * pow(t, k);
            size[k] += fabs(r->kind->log_y ? log(y[i]) : y[i]) + 1e-3;
        }
    }
    for (int k = 0; k <= r->kind->degree; k++)
        check_near(sum[k] / size[k], 0, 1e-12);
}

static double by_equation(const struct regress *r, double x)
{
    if (r->kind->log_y)
        return r->kind->log_x ? r->a * pow(x, r->b) : r->a * exp(r->b * x);
    return r->kind->log_x ? r->a + r->b * log(x) : r->a + r->b * x + r->c * x * x;
}

static double squares(const struct regress *r, const double *x, const double *y, size_t n, double of_mean)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        double w = r->kind->log_y ? log(y[i]) : y[i], fit = regress_at(r, x[i]);
        double d = w - (!isnan(of_mean) ? of_mean : r->kind->log_y ? log(fit) : fit);

        sum += d * d;
    }
    return sum;
}

static void any_points(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int trial = 0; trial < 3000; trial++) {
        const struct regress_kind *kind = regress_all[rng_below(&rng, 5)];
        double x[30], y[30], mean = 0, offset = kind->log_x || rng_below(&rng, 2) ? 0 : 1e4;
        size_t n = 3 + rng_below(&rng, 28);
        struct err err = { 0 };
        struct regress r;

        for (size_t i = 0; i < n; i++) {
            x[i] = offset + 0.01 + 5 * check_uniform(&rng);
            y[i] = 0.01 + 7 * check_uniform(&rng) + 2 * (x[i] - offset);
            mean += (kind->log_y ? log(y[i]) : y[i]) / (double)n;
        }
        if (regress_fit(&r, kind, x, y, n, &err) < 0) {     /* a e^(b 10000) */
            assert_true(kind->log_y && !kind->log_x && offset > 0);
            continue;
        }
        assert_int_equal(r.used, n);
        check_orthogonal(&r, x, y, n);
        check_near(r.r2, 1 - squares(&r, x, y, n, NAN) / squares(&r, x, y, n, mean), 1e-9 * (1 + fabs(r.r2)));
        assert_true(r.r2 <= 1 && r.r2 >= 0);
        for (size_t i = 0; i < n; i++)
            if (offset == 0)
                check_near(by_equation(&r, x[i]), regress_at(&r, x[i]),
                     1e-9 * (fabs(r.a) + fabs(5 * r.b) + fabs(25 * r.c) + fabs(y[i])));
    }
}

/* Whatever doubles there are: a fit of numbers, or a refusal. */
static void any_doubles(void **state)
{
    static const double some[] = { 0, 1, -1, 2, 3.5, 1e-300, 1e300, -1e300, 5e-324, DBL_MAX, -DBL_MAX, 1 + DBL_EPSILON,
                                   INFINITY, NAN };
    struct rng rng;

    (void)state;
    rng_seed(&rng, 11);
    for (int trial = 0; trial < 30000; trial++) {
        const struct regress_kind *kind = regress_all[rng_below(&rng, 5)];
        double x[6], y[6];
        size_t n = rng_below(&rng, 7);
        struct err err = { 0 };
        struct regress r;
        char text[EQUATION_TEXT];

        for (size_t i = 0; i < n; i++) {
            x[i] = some[rng_below(&rng, COUNT(some))];
            y[i] = some[rng_below(&rng, COUNT(some))];
        }
        if (regress_fit(&r, kind, x, y, n, &err) < 0) {
            assert_int_equal(err.code, ERR_DOMAIN);
            continue;
        }
        assert_true(isfinite(r.a) && isfinite(r.b) && isfinite(r.c) && r.r2 <= 1 && isfinite(r.r2));
        equation_text(text, &r, (int)rng_below(&rng, 20));
        assert_true(strlen(text) + 1 < EQUATION_TEXT && !strstr(text, "nan") && !strstr(text, "inf"));
    }
}

static void no_value(void **state)
{
    struct err err = { 0 };
    struct regress r;

    (void)state;
    assert_null(regress_find("cubic", NULL));
    assert_int_equal(regress_fit(&r, regress_find("power", NULL), (double[]){ 1, 2 }, (double[]){ 1, 2 }, 2, &err), 0);
    assert_true(isnan(regress_at(&r, 0)) && isnan(regress_at(&r, -1)) && isnan(regress_at(&r, NAN)));
    check_near(regress_at(&r, 10), 10, 1e-14);
}

int main(void)
{
    struct CMUnitTest tests[4 + COUNT(examples) + COUNT(refusals)] = {
        cmocka_unit_test(norris), cmocka_unit_test(any_points), cmocka_unit_test(any_doubles),
        cmocka_unit_test(no_value),
    };
    size_t n = 0;

    while (tests[n].test_func)          /* those listed above */
        n++;

    EACH_ROW(i, examples)
        tests[n++] = (struct CMUnitTest){ .name = examples[i].name, .test_func = example_holds,
                                          .initial_state = (void *)&examples[i] };
    EACH_ROW(i, refusals)
        tests[n++] = (struct CMUnitTest){ .name = refusals[i].name, .test_func = refused,
                                          .initial_state = (void *)&refusals[i] };
    return _cmocka_run_group_tests("regress", tests, n, NULL, NULL);
}
