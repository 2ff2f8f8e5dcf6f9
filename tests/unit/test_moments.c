/* Moments against two passes in long double, exact cases, and numbers so large that plain sums of squares cancel. */
#include <string.h>

#include "graph/numeric/moments.h"
#include "graph/numeric/rng.h"
#include "tests/support/check.h"

#define CLASSES 4

static void close_to(double got, double want)
{
    if (fabs(got - want) > 1e-14 * fmax(1, fabs(want)))
        fail_msg("%.17g, should be %.17g", got, want);
}

static void add(struct moments *m, int64_t x, uint64_t times)
{
    m->n += times;
    m->sum += (wide_int)x * (wide_int)times;
    m->squares += (wide_int)x * x * (wide_int)times;
    m->least = x < m->least ? x : m->least;
    m->greatest = x > m->greatest ? x : m->greatest;
}

/* Half of n values are x, half of them x + 1: the deviation is a half, whatever x is. */
static const struct row {
    const char *name;
    uint64_t n;
    int64_t x;
} rows[] = {
    { "two small ones", 2, 0 },
    { "two", 2, 1000000 },
    { "a million", 1000000, 1000000 },
    { "2^32 of 2^32", (uint64_t)1 << 32, (int64_t)1 << 32 },
    { "2^33 of 2^40", (uint64_t)1 << 33, (int64_t)1 << 40 },
    { "2^20 of 2^52", (uint64_t)1 << 20, (int64_t)1 << 52 },
    { "2^40 of 2^42", (uint64_t)1 << 40, (int64_t)1 << 42 },
    { "2^40 of -2^42", (uint64_t)1 << 40, -((int64_t)1 << 42) },
};

static void halves_deviate_by_a_half(void **state)
{
    const struct row *row = *state;
    struct moments m;
    struct moments_result r;
    const double one = 1, three = 3;

    moments_init(&m);
    add(&m, row->x, row->n / 2);
    add(&m, row->x + 1, row->n / 2);
    moments_result(&r, &m, &one, 1);
    assert_true(r.n == row->n);
    close_to(r.mean, (double)row->x + 0.5);
    close_to(r.sd, 0.5);
    assert_true(r.least == (double)row->x && r.greatest == (double)row->x + 1);
    moments_result(&r, &m, &three, 1);
    close_to(r.sd, 0.5 / 3);
    close_to(r.least, (double)row->x / 3);
}

static void equal_values_do_not_deviate(void **state)
{
    static const struct row equal[] = { { "", 1, 7 }, { "", 3, 10000000019 }, { "", 1000003, 999999937 },
        { "", 1ull << 40, 1ll << 40 } };

    (void)state;
    EACH_ROW(i, equal)
        for (double denominator = 1; denominator < 50; denominator++) {
            struct moments m;
            struct moments_result r;

            moments_init(&m);
            add(&m, equal[i].x, equal[i].n);
            moments_result(&r, &m, &denominator, 1);
            assert_true(r.sd == 0);
            assert_true(r.mean == (double)equal[i].x / denominator);
            assert_true(r.least == r.mean && r.greatest == r.mean);
        }
}

static void nothing_has_no_moments(void **state)
{
    struct moments m[2];
    struct moments_result r;
    const double denominator[2] = { 1, 2 };

    (void)state;
    moments_init(&m[0]);
    moments_init(&m[1]);
    moments_result(&r, m, denominator, 2);
    assert_true(r.n == 0 && isnan(r.mean) && isnan(r.sd) && isnan(r.least) && isnan(r.greatest));
    add(&m[1], 6, 1);
    moments_result(&r, m, denominator, 2);
    assert_true(r.n == 1 && r.mean == 3 && r.sd == 0 && r.least == 3 && r.greatest == 3);
}

/* Several denominators, merged from parts in any order. */
static void classes_add_up(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, 3);
    for (int trial = 0; trial < 300; trial++) {
        struct moments part[2][CLASSES];
        struct moments_result r, again;
        double denominator[CLASSES], least = INFINITY, greatest = -INFINITY;
        static long double value[500];
        long double sum = 0, squares = 0;
        int n = 1 + (int)rng_below(&rng, 500);

        for (int c = 0; c < CLASSES; c++) {
            denominator[c] = (double)(1 + rng_below(&rng, 30));
            moments_init(&part[0][c]);
            moments_init(&part[1][c]);
        }
        for (int i = 0; i < n; i++) {
            size_t c = rng_below(&rng, CLASSES);
            int64_t x = (int64_t)rng_below(&rng, 100000) - 1000;

            add(&part[rng_below(&rng, 2)][c], x, 1);
            value[i] = (long double)x / denominator[c];
            sum += value[i];
            least = fmin(least, (double)x / denominator[c]);
            greatest = fmax(greatest, (double)x / denominator[c]);
        }
        for (int i = 0; i < n; i++)
            squares += (value[i] - sum / n) * (value[i] - sum / n);
        for (int c = 0; c < CLASSES; c++)
            moments_merge(&part[0][c], &part[1][c]);
        moments_result(&r, part[0], denominator, CLASSES);
        assert_int_equal(r.n, n);
        close_to(r.mean, (double)(sum / n));
        close_to(r.sd, (double)sqrtl(squares / n));
        assert_true(r.least == least && r.greatest == greatest);
        moments_result(&again, part[0], denominator, CLASSES);
        assert_memory_equal(&r, &again, sizeof r);
    }
}

int main(void)
{
    struct CMUnitTest tests[COUNT(rows) + 3] = {
        { .name = "equal values do not deviate", .test_func = equal_values_do_not_deviate },
        { .name = "nothing has no moments", .test_func = nothing_has_no_moments },
        { .name = "classes add up", .test_func = classes_add_up },
    };

    EACH_ROW(i, rows)
        tests[3 + i] = (struct CMUnitTest){ .name = rows[i].name, .test_func = halves_deviate_by_a_half,
                                            .initial_state = (void *)(uintptr_t)&rows[i] };
    return _cmocka_run_group_tests("moments", tests, COUNT(tests), NULL, NULL);
}
