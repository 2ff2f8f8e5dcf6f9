/* Windows of time: sums and quantiles against lists of all messages, windows put together against ones that were as
 * long from the start, and the warm-up against its formula, written out, and on courses whose warm-up is known. */
#include <string.h>

#include "analysis/simulate/record.h"
#include "tests/support/check.h"

static struct err err;

static double normal(struct rng *rng)
{
    return sqrt(-2 * log(1 - check_uniform(rng))) * cos(2 * M_PI * check_uniform(rng));
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static struct record opened(int64_t length)
{
    struct record r;

    assert_int_equal(record_open(&r, length, &err), 0);
    return r;
}

/* ---- what came --------------------------------------------------------------------------------------- */

#define MESSAGES 20000
#define RECORDS 3

struct came {
    int64_t now;
    double latency;
};

static double exponential(struct rng *rng)
{
    return 1 - 40 * log(1 - check_uniform(rng));
}

static double whole(struct rng *rng)
{
    return (double)(1 + rng_below(rng, 256));
}

static double constant(struct rng *rng)
{
    (void)rng;
    return 24.3;
}

static double decades(struct rng *rng)
{
    return pow(2, 40 * check_uniform(rng));
}

/* All at ends of bins: the middle of each is half a bin away, and nothing between the values is better. */
static double ends(struct rng *rng)
{
    return ldexp(1 + ((double)rng_below(rng, 128) + 0.4999) / 128, (int)rng_below(rng, 30));
}

static const struct law {
    const char *name;
    double (*draw)(struct rng *rng);
    bool exact;
} laws[] = { { "exponential", exponential, false }, { "whole", whole, true }, { "constant", constant, false },
             { "decades", decades, false }, { "ends of bins", ends, false } };

/* Messages of several records and lengths of windows, some of them left out at the beginning. */
static void sums_and_quantiles_are_those_of_lists(void **state)
{
    static const size_t part[] = { 50, 95, 99 };       /* of 100 */
    const struct law *law = *state;
    struct rng rng;

    rng_seed(&rng, check_seed());
    for (size_t trial = 0; trial < 20; trial++) {
        static struct came came[MESSAGES];
        static double kept[RECORDS * MESSAGES];
        const size_t records = 1 + trial % RECORDS, each = trial < 3 ? trial : 1 + (size_t)rng_below(&rng, MESSAGES);
        const struct record *list[RECORDS];
        struct record r[RECORDS];
        struct record_summary s;
        double offered = 0, cycles = 0, flits = 0, sum = 0, network = 0, squares = 0;
        size_t from[RECORDS], n = 0;

        for (size_t k = 0; k < records; k++) {
            int64_t now = 0;

            r[k] = opened(1 + (int64_t)rng_below(&rng, 1000));
            for (size_t i = 0; i < each; i++) {
                now += (int64_t)rng_below(&rng, trial % 2 ? 3 : 300);
                came[i] = (struct came){ now, law->draw(&rng) };
                record_offer(&r[k], now, (double)(i % 5));
                record_message(&r[k], now, came[i].latency, (double)(i % 7), (double)(i % 11));
            }
            now += (int64_t)rng_below(&rng, 500);
            record_pass(&r[k], now);
            assert_true(r[k].now == now && (int64_t)record_full(&r[k]) == now / r[k].length);
            assert_true(record_full(&r[k]) < RECORD_WINDOWS);
            from[k] = trial == 4 ? record_full(&r[k]) + 1 : (size_t)rng_below(&rng, record_full(&r[k]) + 1);
            list[k] = &r[k];
            for (size_t i = 0; i < each; i++) {
                if (came[i].now / r[k].length < (int64_t)from[k])
                    continue;
                kept[n++] = came[i].latency;
                offered += (double)(i % 5);
                flits += (double)(i % 11);
                network += (double)(i % 7);
                sum += came[i].latency;
            }
            cycles += fmax(0, (double)(now - (int64_t)from[k] * r[k].length));
        }
        for (size_t k = trial % 2; k < records; k += 2)         /* some are packed, some are not */
            assert_int_equal(record_pack(&r[k], &err), 0);
        record_summary(&s, list, from, records);
        assert_true(s.messages == (double)n && s.flits == flits && s.offered == offered && s.cycles == cycles);
        qsort(kept, n, sizeof *kept, by_size);
        for (size_t i = 0; i < n; i++)
            squares += (kept[i] - sum / (double)n) * (kept[i] - sum / (double)n);
        if (n == 0)
            assert_true(isnan(s.packet.mean) && isnan(s.packet.deviation) && isnan(s.network.mean) && isnan(s.packet.most) &&
                        isnan(s.network.p95));
        else {
            const double got[] = { s.packet.median, s.packet.p95, s.packet.p99 };

            check_near(s.packet.mean / (sum / (double)n), 1, 1e-12);
            check_near(s.network.mean, network / (double)n, 1e-12 * network);
            check_near(s.packet.deviation, sqrt(squares / (double)n), 1e-6 * s.packet.mean);
            assert_true(s.packet.most == kept[n - 1] && s.packet.p99 <= s.packet.most);
            EACH_ROW(q, part) {
                const double want = kept[(part[q] * n + 99) / 100 - 1];

                check_near(got[q], want, law->exact ? 0 : want / (2 * RECORD_PARTS));
            }
        }
        for (size_t k = 0; k < records; k++)
            record_release(&r[k]);
    }
}

/* What no message has, and none that comes does harm. */
static void latencies_beyond_all_bins_are_in_the_first_or_last(void **state)
{
    static const double odd[] = { 0, -3, 0.25, NAN, 0x1p40, 1e300, INFINITY };
    const struct record *one;
    struct record_summary s;

    (void)state;
    EACH_ROW(i, odd) {
        struct record r = opened(1000);

        record_message(&r, 3, odd[i], 1, 1);
        assert_int_equal(r.bin[odd[i] > 1 ? RECORD_BINS - 1 : 0], 1);
        one = &r;
        record_summary(&s, &one, (const size_t[]){ 0 }, 1);
        assert_true(s.messages == 1);
        record_release(&r);
        assert_true(r.bin == NULL);
        record_release(&r);
    }
}

/* A record that puts windows together is, to the last bit, one whose windows were as long from the start. */
static void windows_put_together_are_long_windows(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int k = 0; k < 8; k++) {
        const int64_t length = 1 + (int64_t)rng_below(&rng, 9), end = (RECORD_WINDOWS * length << k) - 1;
        struct record grown = opened(length), plain = opened(length << k);
        int64_t now = 0;

        for (int i = 0; i < 3000 && now <= end; i++, now += (int64_t)rng_below(&rng, (uint64_t)end / 1500 + 2)) {
            const double latency = whole(&rng) * 8, flits = whole(&rng);

            for (int j = 0; j < 2; j++) {
                struct record *r = j ? &grown : &plain;

                if (i % 3)
                    record_message(r, now, latency, 1, flits);
                else
                    record_offer(r, now, flits);
            }
        }
        record_pass(&grown, end);
        record_pass(&plain, end);
        assert_true(grown.length == plain.length && grown.end == plain.end && grown.at == plain.at);
        assert_int_equal(record_full(&grown), RECORD_WINDOWS - 1);
        assert_memory_equal(grown.window, plain.window, sizeof grown.window);
        assert_memory_equal(grown.bin, plain.bin, RECORD_WINDOWS * RECORD_BINS * sizeof *grown.bin);
        record_pass(&grown, end + 1);
        assert_true(grown.length == 2 * plain.length && record_full(&grown) == RECORD_WINDOWS / 2);
        record_release(&grown);
        record_release(&plain);
    }
}

static void long_silence_is_many_empty_windows(void **state)
{
    struct record r = opened(1);
    const struct record *one = &r;
    struct record_summary s;

    (void)state;
    record_message(&r, 0, 7, 7, 4);
    record_message(&r, INT64_C(1) << 50, 9, 9, 4);
    record_summary(&s, &one, (const size_t[]){ 0 }, 1);
    assert_true(s.messages == 2 && s.packet.mean == 8 && s.packet.most == 9 && s.packet.median == 7 && s.cycles == 0x1p50);
    assert_true(r.length == INT64_C(1) << 44 && record_full(&r) == RECORD_WINDOWS / 2);
    assert_true(r.window[0].messages == 1 && r.window[RECORD_WINDOWS / 2].messages == 1);
    record_release(&r);
}

/* ---- warm-up ----------------------------------------------------------------------------------------- */

/* A record with a window for every mean; windows whose mean is NaN stay empty. */
static struct record course(const double *mean, size_t n)
{
    struct record r = opened(10);

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 1 + i % 3; k++)
            if (!isnan(mean[i]))
                record_message(&r, (int64_t)(10 * i + k), mean[i], mean[i], 1);
    record_pass(&r, (int64_t)(10 * n));
    assert_int_equal(record_full(&r), n);
    return r;
}

static bool settled(size_t *skip, const double *mean, size_t n)
{
    struct record r = course(mean, n);
    const bool steady = record_settle(skip, &r);

    record_release(&r);
    return steady;
}

/* Squared standard error of the mean of x[d..n), two passes. */
static double error_from(const double *x, size_t n, size_t d)
{
    double mean = 0, squares = 0;

    for (size_t i = d; i < n; i++)
        mean += x[i] / (double)(n - d);
    for (size_t i = d; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    return squares / (double)((n - d) * (n - d));
}

enum shape { NOISE, START, AUTOREGRESSIVE, LINE, SHAPES };

static void draw(double *x, size_t n, enum shape shape, struct rng *rng)
{
    double past = normal(rng);

    for (size_t i = 0; i < n; i++) {
        past = 0.8 * past + 0.6 * normal(rng);
        x[i] = 20 + (shape == AUTOREGRESSIVE ? past : normal(rng)) + (shape == START ? 80 * exp(-(double)i / 5) : 0) +
            (shape == LINE ? (double)i : 0);
    }
}

static void warm_up_is_the_formulas(void **state)
{
    int cut = 0;
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int trial = 0; trial < 400; trial++) {
        double x[RECORD_WINDOWS], said[RECORD_WINDOWS];
        const size_t n = (size_t)rng_below(&rng, RECORD_WINDOWS);
        size_t at[RECORD_WINDOWS], m = 0, best = 0, skip;
        bool steady;

        draw(x, n, (enum shape)(trial % SHAPES), &rng);
        for (size_t i = 0; i < n; i++)
            if (trial % 3 && rng_below(&rng, 4) == 0)
                x[i] = NAN;
            else {
                said[m] = x[i];
                at[m++] = i;
            }
        steady = settled(&skip, x, n);
        if (m < 20) {
            assert_true(!steady && skip == 0);
            continue;
        }
        for (size_t d = 1; 4 * (m - d) >= m; d++)
            if (error_from(said, m, d) < error_from(said, m, best))
                best = d;
        assert_int_equal(steady, best <= m / 2);
        assert_int_equal(skip, steady ? at[best] : n / 2);
        cut += skip > 0 && steady;
    }
    assert_true(cut > 100);
}

/* From 100 to 20 with noise of 1: what is left after the cut is near the noise, 5 ln 80 = 22 windows on, and little of
 * what is steady is lost. Noise alone is steady, and loses next to nothing. */
static void starts_are_cut_off(void **state)
{
    const int trials = 500;
    size_t lost = 0;
    int unsteady[2] = { 0 };
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int trial = 0; trial < trials; trial++) {
        double x[RECORD_WINDOWS];
        size_t skip;

        draw(x, 120, START, &rng);
        if (!settled(&skip, x, 120))
            unsteady[0]++;
        else if (80 * exp(-(double)skip / 5) > 4)
            fail_msg("trial %d: %zu windows are cut off", trial, skip);
        draw(x, 100, NOISE, &rng);
        if (!settled(&skip, x, 100))
            unsteady[1]++;
        else
            lost += skip;
    }
    if (unsteady[0] > trials / 50 || unsteady[1] > trials / 50 || lost > 3 * (size_t)trials)
        fail_msg("no steady state in %d and %d of %d; %zu windows of noise are lost", unsteady[0], unsteady[1], trials,
                 lost);
}

static void what_grows_has_no_steady_state(void **state)
{
    double x[RECORD_WINDOWS];
    size_t skip;

    (void)state;
    for (size_t n = 20; n < RECORD_WINDOWS; n++) {
        for (size_t i = 0; i < n; i++)
            x[i] = 100 + 0.01 * (double)i;
        assert_false(settled(&skip, x, n));
        assert_int_equal(skip, n / 2);
        for (size_t i = 0; i < n; i++)          /* and then stays as it is; all are alike, but for rounding */
            x[i] = i < n / 4 ? 100 + (double)i : 224.3;
        assert_true(settled(&skip, x, n));
        assert_int_equal(skip, n / 4);
    }
}

/* Nothing has come in the first windows: they are the way to the terminals. */
static void empty_windows_at_the_start_are_warm_up(void **state)
{
    double x[40];
    size_t skip;

    (void)state;
    EACH_ROW(i, x)
        x[i] = i < 7 ? (double)NAN : 30;
    assert_true(settled(&skip, x, COUNT(x)));
    assert_int_equal(skip, 7);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(laws) + 16] = { { 0 } };
    size_t n = 0;

    for (; n < COUNT(laws); n++)
        tests[n] = (struct CMUnitTest){ .name = laws[n].name, .test_func = sums_and_quantiles_are_those_of_lists,
                                        .initial_state = (void *)(uintptr_t)&laws[n] };
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(latencies_beyond_all_bins_are_in_the_first_or_last);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(windows_put_together_are_long_windows);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(long_silence_is_many_empty_windows);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(warm_up_is_the_formulas);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(starts_are_cut_off);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(what_grows_has_no_steady_state);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(empty_windows_at_the_start_are_warm_up);
    return _cmocka_run_group_tests("records", tests, n, NULL, NULL);
}
