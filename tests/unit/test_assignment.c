/* Assignments against all permutations, against a linear program, and by their own prices. SEED=n repeats the random
 * part. */
#include <string.h>

#include "graph/numeric/assignment.h"
#include "analysis/bound/lp.h"
#include "tests/support/check.h"
#include "tests/support/scene.h"

static struct err err;
static uint64_t seed;

enum matrix_kind { REAL, WHOLE, FEW, SPARSE, NEGATIVE, SUM, PRODUCT, WIDE, KINDS };

static double weight(struct rng *rng, enum matrix_kind kind, int i, int j)
{
    switch (kind) {
    case REAL: return check_uniform(rng);
    case WHOLE: return (double)rng_below(rng, 20);
    case FEW: return (double)rng_below(rng, 2);
    case SPARSE: return rng_below(rng, 5) ? 0 : check_uniform(rng);
    case NEGATIVE: return check_uniform(rng) - 0.7;
    case SUM: return sin(i) + cos(3 * j);
    case PRODUCT: return (double)(i + 1) * (j + 2);
    default: return scene_between(rng, 1e-6, 1e6);
    }
}

static double *matrix(struct rng *rng, enum matrix_kind kind, int n, int m)
{
    double *w = scene_reals((size_t)n * (size_t)m + 1);

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            w[i * m + j] = weight(rng, kind, i, j);
    return w;
}

static double largest(const double *w, size_t n)
{
    double most = 0;

    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(w[i]));
    return most;
}

/* Sums of n numbers are off by n roundings of the largest. */
static double slack(const double *w, int n, int m)
{
    return 4e-15 * (n + m) * largest(w, (size_t)n * (size_t)m);
}

static void check_proof(const struct assignment *a, const double *w)
{
    const int n = a->rows, m = a->columns;
    const double most = largest(w, (size_t)n * (size_t)m);
    double value = 0, bound = 0;
    bool *taken = calloc((size_t)m + 1, sizeof *taken);

    assert_non_null(taken);
    assert_false(a->given_up);
    for (int i = 0; i < n; i++) {
        assert_in_range(a->to[i], 0, m - 1);
        assert_false(taken[a->to[i]]);
        taken[a->to[i]] = true;
        value += w[i * m + a->to[i]];
        bound += a->row_price[i];
        for (int j = 0; j < m; j++)
            assert_true(a->row_price[i] + a->column_price[j] >= w[i * m + j] - 1e-15 * (most +
                        fabs(a->column_price[j])));
    }
    for (int j = 0; j < m; j++) {
        bound += a->column_price[j];
        if (n < m)
            assert_true(a->column_price[j] >= 0 && (taken[j] || a->column_price[j] == 0));
    }
    assert_true(fabs(value - a->value) <= slack(w, n, m));
    assert_true(fabs(bound - a->bound) <= slack(w, n, m));
    if (!(fabs(bound - value) <= slack(w, n, m)))
        fail_msg("%d x %d: value %.17g, prices %.17g", n, m, value, bound);
    free(taken);
}

static double try_all(const double *w, int n, int m, int row, unsigned taken)
{
    double best = row == n ? 0 : -INFINITY;

    for (int j = 0; row < n && j < m; j++)
        if (!(taken & 1u << j))
            best = fmax(best, w[row * m + j] + try_all(w, n, m, row + 1, taken | 1u << j));
    return best;
}

static void open_all(struct assignment *a, const double *w, int n, int m)
{
    if (assignment_open(a, w, n, m, -INFINITY, NULL, &err) < 0)
        fail_msg("%d x %d: %s", n, m, err.msg);
}

static void against_all(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int k = 0; k < 400; k++) {
        const int n = (int)rng_below(&rng, 8), m = n + (int)rng_below(&rng, (uint64_t)(9 - n));
        double *w = matrix(&rng, (enum matrix_kind)(k % KINDS), n, m), want = try_all(w, n, m, 0, 0);
        struct assignment a;

        open_all(&a, w, n, m);
        check_proof(&a, w);
        if (!(fabs(a.value - want) <= slack(w, n, m)))
            fail_msg("%d x %d of kind %d: %.17g, of all permutations %.17g", n, m, k % KINDS, a.value, want);
        assignment_close(&a);
        free(w);
    }
}

/* The polytope of matrices whose rows sum to 1 and columns to at most 1. */
static double by_program(const double *w, int n, int m)
{
    struct lp *lp = NULL;
    enum lp_end end;
    double value;

    assert_int_equal(lp_open(&lp, "assignment", true, &err), 0);
    for (int i = 0; i < n; i++)
        assert_int_equal(lp_row(lp, 1, 1, NULL, &err), i);
    for (int j = 0; j < m; j++)
        assert_int_equal(lp_row(lp, -INFINITY, 1, NULL, &err), n + j);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            assert_int_equal(lp_column(lp, &(struct lp_column){ .up = INFINITY, .cost = w[i * m + j], .n = 2,
                                       .row = (const int[]){ i, n + j }, .value = (const double[]){ 1, 1 } }, &err),
                             i * m + j);
    assert_int_equal(lp_solve(lp, 0, &end, NULL, &err), 0);
    assert_int_equal(end, LP_OPTIMAL);
    value = lp_objective(lp);
    lp_close(lp);
    return value;
}

/* Weights near 1: the solver stops at reduced costs of 1e-7 of them. */
static void against_programs(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 1);
    for (int k = 0; k < 24; k++) {
        const int n = 1 + (int)rng_below(&rng, 30), m = n + (int)rng_below(&rng, (uint64_t)(31 - n));
        const enum matrix_kind kind = (enum matrix_kind)(k % SUM);
        double *w = matrix(&rng, kind, n, m), want = by_program(w, n, m);
        struct assignment a;

        open_all(&a, w, n, m);
        if (!(fabs(a.value - want) <= 1e-6 * n * fmax(1, largest(w, (size_t)n * (size_t)m))))
            fail_msg("%d x %d of kind %d: %.17g, as a linear program %.17g", n, m, kind, a.value, want);
        assignment_close(&a);
        free(w);
    }
}

static void by_prices(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 2);
    for (int k = 0; k < 5 * KINDS; k++) {
        const int n = 1 + (int)rng_below(&rng, 150), m = k % 2 ? n : n + (int)rng_below(&rng, 60);
        double *w = matrix(&rng, (enum matrix_kind)(k % KINDS), n, m);
        struct assignment a;

        open_all(&a, w, n, m);
        check_proof(&a, w);
        assignment_close(&a);
        free(w);
    }
}

/* Given up only with a proof that the value is of no interest; never where it is. */
static void gives_up(void **state)
{
    struct rng rng;
    int times = 0;

    (void)state;
    rng_seed(&rng, seed + 3);
    for (int k = 0; k < 100; k++) {
        const int n = 2 + (int)rng_below(&rng, 40), m = n + (int)rng_below(&rng, 5);
        double *w = matrix(&rng, (enum matrix_kind)(k % KINDS), n, m);
        const double factor = 0.9 + 0.3 * check_uniform(&rng);
        struct assignment all, some;

        open_all(&all, w, n, m);
        assert_int_equal(assignment_open(&some, w, n, m, factor * all.value, NULL, &err), 0);
        if (some.given_up) {
            assert_true(all.value <= some.bound + slack(w, n, m) && some.bound <= factor * all.value);
            times++;
        } else
            check_proof(&some, w);
        assignment_close(&all);
        assignment_close(&some);
        free(w);
    }
    assert_true(times > 0);
}

static int stop(void *arg, double done)
{
    (void)arg;
    (void)done;
    return 1;
}

static void refusals(void **state)
{
    const struct tick t = { stop, NULL, 0, 1, NULL };
    const double bad[] = { 1, 2, NAN, 4 }, wide[] = { 1, INFINITY }, product[] = { 1, 2, 3, 2, 4, 6, 3, 6, 9 };
    struct assignment a = { 0 };

    (void)state;
    assert_int_equal(assignment_open(&a, bad, 2, 2, -INFINITY, NULL, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_non_null(strstr(err.msg, "row 1 and column 0"));
    assert_int_equal(assignment_open(&a, wide, 1, 2, -INFINITY, NULL, &err), -1);
    assert_int_equal(assignment_open(&a, bad, 2, 1, -INFINITY, NULL, &err), -1);
    assert_int_equal(err.code, ERR_INTERNAL);
    err = (struct err){ 0 };
    if (assignment_open(&a, product, 3, 3, -INFINITY, &t, &err) < 0)     /* unless bids are enough */
        assert_int_equal(err.code, ERR_STOPPED);
    assignment_close(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(against_all), cmocka_unit_test(against_programs), cmocka_unit_test(by_prices),
            cmocka_unit_test(gives_up),
        cmocka_unit_test(refusals),
    };

    seed = check_seed();
    return cmocka_run_group_tests_name("assignment", tests, NULL, NULL);
}
