/* Contention at one link: published and closed forms, limits, each way of computing against the others, and all of them
 * against a simulation of the link. SEED=n repeats the random part. */
#include <string.h>

#include "graph/numeric/rng.h"
#include "model/contention/closure.h"
#include "model/contention/contend.h"
#include "tests/support/check.h"

static struct err err;
static uint64_t seed;

static void near_at(const char *what, double got, double want, double relative)
{
    if (!(fabs(got - want) <= relative * fabs(want)))
        fail_msg("%s: %.17g, wanted %.17g (%.3g off)", what, got, want, got / want - 1);
}

static const struct contention_model *model(const char *name)
{
    const struct contention_model *m = contention_find(name, &err);

    assert_non_null(m);
    return m;
}

static void two(double wait[2], const char *name, double mi1, double td1, double mi2, double td2)
{
    const struct contender c[2] = { { mi1, td1 }, { mi2, td2 } };

    if (model(name)->wait(wait, c, &err) < 0)
        fail_msg("%s", err.msg);
}

static double identical(int64_t n, double mi, double td)
{
    double wait;

    if (contend_identical(&wait, n, &(struct contender){ mi, td }, &err) < 0)
        fail_msg("%s", err.msg);
    return wait;
}

static void chain(double *wait, const struct contender *c, size_t n)
{
    if (contend_chain(wait, c, n, &err) < 0)
        fail_msg("%s", err.msg);
}

/* ---- constants ---- */

static const struct row {
    const char *name, *model;
    double mi1, td1, mi2, td2, wait1, wait2, relative;
} rows[] = {
    { "alike", "exact", 100, 25, 100, 25, 2.88008, 2.88008, 1e-5 },
    { "a short and a long packet", "exact", 10, 5, 10, 50, 28.0107, 1.52385, 1e-5 },
    { "alike, closed form", "exact", 7, 3, 7, 3, 3 - 7 * 0.348560942468944410, 3 - 7 * 0.348560942468944410, 1e-12 },
    /* the cases added up apart: m = 11.97971, N = ceil(150 / 36.97971) = 5; as printed N = ceil(150 / 150) = 1, and
     * where neither is within C1 = 25/36.97971 25/2, C2 = 25/150 25/2 */
    { "corrected, case by case", "corrected", 100, 25, 100, 25, 3.871916370741349, 3.871916370741349, 1e-12 },
    { "literal, case by case", "literal", 100, 25, 100, 25, 9.795675874243841, 5.933745293337911, 1e-12 },
    { "saturated", "exact", 1e-9, 30, 1e-9, 40, 40, 30, 1e-10 },
    { "corrected, saturated", "corrected", 1e-9, 30, 1e-9, 40, 40, 30, 1e-10 },
    { "literal, saturated", "literal", 1e-9, 30, 1e-9, 40, 40, 30, 1e-10 },
    { "light", "exact", 1e9, 10, 1e9, 10, 50e-9, 50e-9, 1e-6 },
    { "light and different", "exact", 1e9, 10, 5e8, 40, 800.0 / 5e8, 50.0 / 1e9, 1e-6 },
    { "corrected, light: 5/6 TD^2/MI", "corrected", 1e9, 10, 1e9, 10, 500e-9 / 6, 500e-9 / 6, 1e-6 },
    { "literal, light: TD/3 for nothing", "literal", 1e9, 10, 1e9, 10, 10.0 / 3, 850e-9 / 6, 1e-6 },
};

static void row_holds(void **state)
{
    const struct row *r = *state;
    double wait[2];

    two(wait, r->model, r->mi1, r->td1, r->mi2, r->td2);
    near_at("channel 1", wait[0], r->wait1, r->relative);
    near_at("channel 2", wait[1], r->wait2, r->relative);
}

/* Of every entry of the catalogue: what it promises of two channels alike, time scaled, and what it refuses. */
static void entry_holds(void **state)
{
    const struct contention_model *m = *state;
    double wait[2], scaled[2], exchanged[2];
    const double bad[] = { 0, -1, NAN, INFINITY, 1e13, 1e-13 };

    assert_non_null(m->summary);
    assert_non_null(m->notes);
    assert_non_null(m->source);
    two(wait, m->name, 64, 16, 64, 16);
    assert_int_equal(wait[0] == wait[1], m->fair);
    two(wait, m->name, 64, 16, 32, 24);
    two(scaled, m->name, 64 * 8, 16 * 8, 32 * 8, 24 * 8);
    two(exchanged, m->name, 32, 24, 64, 16);
    for (int k = 0; k < 2; k++) {
        assert_true(wait[k] > 0 && wait[k] < (k ? 16 : 24));
        near_at("time scaled", scaled[k], 8 * wait[k], 1e-13);
        if (m->fair)
            near_at("exchanged", exchanged[1 - k], wait[k], 1e-13);
    }
    EACH_ROW(i, bad)
        for (int at = 0; at < 4; at++) {
            struct contender c[2] = { { 10, 10 }, { 10, 10 } };

            *(at & 1 ? &c[at / 2].hold : &c[at / 2].interval) = bad[i];
            assert_int_equal(m->wait(wait, c, &err), -1);
            assert_int_equal(err.code, ERR_DOMAIN);
            assert_non_null(strstr(err.msg, at / 2 ? "channel 2" : "channel 1"));
            assert_non_null(strstr(err.msg, at & 1 ? "packet" : "interval"));
        }
}

/* 324 ordered pairs of 18 channels. Measured elsewhere over such pairs, the latency is off by 15 % in the mean and
 * 98 % at most as printed, by 2.3 % and 21 % once corrected. */
static void errors_are_as_known(void **state)
{
    static const double mi[] = { 10, 30, 100, 300, 1000, 3000 }, td[] = { 5, 20, 50 };
    static const struct { const char *name; double mean[2], most[2]; } want[] = {
        { "literal", { 0.13, 0.17 }, { 0.97, 0.99 } },
        { "corrected", { 0.015, 0.025 }, { 0.20, 0.22 } }
    };

    (void)state;
    EACH_ROW(v, want) {
        double sum = 0, most = 0;

        for (int i = 0; i < 18; i++)
            for (int j = 0; j < 18; j++) {
                double exact[2], wait[2];

                two(exact, "exact", mi[i / 3], td[i % 3], mi[j / 3], td[j % 3]);
                two(wait, want[v].name, mi[i / 3], td[i % 3], mi[j / 3], td[j % 3]);
                for (int k = 0; k < 2; k++) {
                    double off = fabs(wait[k] - exact[k]) / (exact[k] + td[(k ? j : i) % 3]);

                    sum += off / 648;
                    most = off > most ? off : most;
                }
            }
        if (sum < want[v].mean[0] || sum > want[v].mean[1] || most < want[v].most[0] || most > want[v].most[1])
            fail_msg("%s is off by %.2f %% in the mean and %.2f %% at most", want[v].name, 100 * sum, 100 * most);
    }
}

/* ---- functions they share ---- */

static void rests_are_right(void **state)
{
    (void)state;
    for (double x = 1e-12; x < 1e12; x *= 1.37)
        for (int sign = -1; sign <= 1; sign += 2) {
            long double y = sign * (long double)x, want = expm1l(-y) + y, term = y * y / 2;

            if (sign < 0 && x > 700)
                continue;
            if (x < 0.01) {
                want = 0;
                for (int k = 3; k < 12; k++) {
                    want += term;
                    term *= -y / k;
                }
            }
            near_at("e^-x - 1 + x", contention_rest((double)y), (double)want, 1e-15);
        }
}

/* The formula as it is usually written, in long double; only good where little cancels. */
static double as_written(int n, double mi, double td)
{
    long double whole = 1, term = 1, a = (long double)td / mi;

    for (int i = 1; i < n; i++) {
        term *= (long double)(n - i) / i * expm1l(i * a);
        whole += term;
    }
    return (double)(((n - 1) * a - (1 - 1 / whole)) * mi);
}

static void alike_as_written(void **state)
{
    (void)state;
    for (int n = 1; n <= 100; n += 1 + n / 7)
        for (double a = 1e-3; a < 1; a *= 1.7) {
            double want = as_written(n, 10, 10 * a);

            if (n == 1)
                assert_true(identical(n, 10, 10 * a) == 0);
            else
                near_at("n alike", identical(n, 10, 10 * a), want, 1e-13 + 1e-18 / (a * a) + 1e-17 * n / want);
        }
}

/* Light load: (n-1) TD^2 / 2 MI and its next term. Heavy load: (n-1) TD - MI. Many channels: M/D/1. */
static void limits_of_many_alike(void **state)
{
    static const int64_t many[] = { 2, 3, 17, 1000, 1000000, 1000000000 };

    (void)state;
    EACH_ROW(k, many) {
        const double n = (double)many[k];

        for (double a = 1e-9; a * n < 1e-3; a *= 10)
            near_at("light", identical(many[k], 1, a), (n - 1) * a * a / 2 * (1 + ((n - 2) - 1.0 / 3) * a),
                    10 * n * n * a * a + 1e-12);
        for (double a = 1e9; a * n > 100 && a > 1e-3; a /= 10)
            if (a >= 40 / n * log(n + 2))
                near_at("heavy", identical(many[k], 1, a), (n - 1) * a - 1, 1e-12);
    }
    for (double load = 0.1; load < 0.95; load += 0.2) {
        const double td = load / 1e9;

        near_at("M/D/1", identical(1000000000, 1, td), td * load / (2 * (1 - load)), 1e-5);
    }
    assert_int_equal(contend_identical(&(double){ 0 }, 0, &(struct contender){ 1, 1 }, &err), -1);
    assert_int_equal(contend_identical(&(double){ 0 }, CONTEND_ALIKE + 1LL, &(struct contender){ 1, 1 }, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
}

/* ---- one way against another ---- */

static double between(struct rng *rng, double lo, double hi)
{
    return lo * pow(hi / lo, check_uniform(rng));
}

static void chains_of_channels_alike(void **state)
{
    (void)state;
    for (size_t n = 2; n <= CONTEND_DIFFERENT; n++)
        for (double a = 1e-6; a < 2e6; a *= n < 6 ? 10 : 1000) {
            struct contender c[CONTEND_DIFFERENT];
            double wait[CONTEND_DIFFERENT], want = identical((int64_t)n, 3, 3 * a);

            for (size_t i = 0; i < n; i++)
                c[i] = (struct contender){ 3, 3 * a };
            chain(wait, c, n);
            for (size_t i = 0; i < n; i++)
                near_at("alike", wait[i], want, 1e-11);
        }
}

static void chains_of_two(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int trial = 0; trial < 300; trial++) {
        struct contender c[2];
        double got[2], want[2];

        for (int i = 0; i < 2; i++) {
            c[i].interval = between(&rng, 1e-3, 1e3);
            c[i].hold = between(&rng, 1e-3, 1e3);
        }
        chain(got, c, 2);
        two(want, "exact", c[0].interval, c[0].hold, c[1].interval, c[1].hold);
        for (int i = 0; i < 2; i++)
            near_at("two", got[i], want[i], 1e-11);
        near_at("two alike", identical(2, c[0].interval, c[0].hold),
                c[0].interval * contention_rest(c[0].hold / c[0].interval), 1e-13);
    }
}

/* Who is called what does not matter; nobody waits longer than all others hold; the link is not held more than
 * always. */
static void any_channels(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 1);
    for (int trial = 0; trial < 60; trial++) {
        const size_t n = trial < 50 ? 2 + rng_below(&rng, 4) : 6;
        struct contender c[CONTEND_DIFFERENT], moved[CONTEND_DIFFERENT];
        double wait[CONTEND_DIFFERENT], again[CONTEND_DIFFERENT], all = 0, spread = trial % 2 ? 1e6 : 10;
        int place[CONTEND_DIFFERENT];

        for (size_t i = 0; i < n; i++) {
            c[i] = (struct contender){ between(&rng, 1 / spread, spread), between(&rng, 0.1, 10) };
            all += c[i].hold;
            place[i] = (int)i;
        }
        rng_shuffle(&rng, place, n);
        for (size_t i = 0; i < n; i++)
            moved[place[i]] = c[i];
        chain(wait, c, n);
        chain(again, moved, n);
        for (size_t i = 0; i < n; i++) {
            near_at("another order", again[place[i]], wait[i], 1e-10);
            assert_true(wait[i] > 0 && wait[i] <= (all - c[i].hold) * (1 + 1e-12));
        }
        assert_true(contend_utilisation(wait, c, n) < 1 + 1e-12);
    }
}

/* A channel that hardly ever sends changes nothing for the others, and finds what they leave. */
static void rare_channels(void **state)
{
    const struct contender c[3] = { { 4, 2 }, { 9, 5 }, { 1e12, 1 } };
    double wait[3], pair[2];

    (void)state;
    chain(wait, c, 3);
    chain(pair, c, 2);
    for (int i = 0; i < 2; i++)
        near_at("without the third", wait[i], pair[i], 1e-11);
    assert_true(wait[2] > 0 && wait[2] < 7);
}

/* Intervals that vanish: served in turns. Intervals that grow: TD^2 / 2 MI of every other. */
static void limits_of_different_channels(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed + 2);
    for (int trial = 0; trial < 20; trial++) {
        const size_t n = 2 + rng_below(&rng, 4);
        struct contender busy[CONTEND_DIFFERENT], idle[CONTEND_DIFFERENT];
        double heavy[CONTEND_DIFFERENT], light[CONTEND_DIFFERENT];

        for (size_t i = 0; i < n; i++) {
            busy[i] = (struct contender){ between(&rng, 1e-4, 1e-2), between(&rng, 1, 10) };
            idle[i] = (struct contender){ between(&rng, 1e8, 1e9), busy[i].hold };
        }
        chain(heavy, busy, n);
        chain(light, idle, n);
        for (size_t i = 0; i < n; i++) {
            double turns = -busy[i].interval, chances = 0;

            for (size_t j = 0; j < n; j++)
                if (j != i) {
                    turns += busy[j].hold;
                    chances += busy[j].hold * busy[j].hold / 2 / idle[j].interval;
                }
            near_at("heavy", heavy[i], turns, 1e-11);
            near_at("light", light[i], chances, 1e-5);
        }
    }
}

static void numbers_of_channels(void **state)
{
    struct contender c[7];
    double wait[7];

    (void)state;
    for (int i = 0; i < 7; i++)
        c[i] = (struct contender){ 10, 2 };
    assert_int_equal(contend_waits(wait, c, 7, NULL, &err), 0);
    assert_true(wait[6] == identical(7, 10, 2));
    c[3].interval = 11;
    assert_false(contend_exact(c, 7));
    assert_int_equal(contend_waits(wait, c, 7, NULL, &err), 0);       /* by pairs: near to all alike */
    for (int i = 0; i < 7; i++)
        assert_true(fabs((wait[i] + 2) / (identical(7, 10, 2) + 2) - 1) < 0.03);
    assert_int_equal(contend_waits(wait, c, 4, NULL, &err), 0);
    assert_true(wait[0] == wait[1] || fabs(wait[0] / wait[1] - 1) < 1e-12);
    assert_int_equal(contend_chain(wait, c, 1, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    assert_int_equal(contend_waits(wait, c, 0, NULL, &err), -1);
}

/* The closure by pairs against the exact chain: latencies of random channels. */
static void closure_is_near(void **state)
{
    struct rng rng;
    double sum = 0, worst = 0;
    int count = 0;

    (void)state;
    rng_seed(&rng, 7);
    for (int trial = 0; trial < 60; trial++) {
        const size_t n = 2 + (size_t)trial % 5;
        struct contender c[CONTEND_DIFFERENT];
        double chain[CONTEND_DIFFERENT], pairs[CONTEND_DIFFERENT];

        for (size_t i = 0; i < n; i++)
            c[i] = (struct contender){ exp(6 * check_uniform(&rng)), exp(3 * check_uniform(&rng)) };
        assert_int_equal(contend_chain(chain, c, n, &err), 0);
        assert_int_equal(closure_waits(pairs, c, n, NULL, &err), 0);
        for (size_t i = 0; i < n; i++) {
            const double off = fabs((pairs[i] + c[i].hold) / (chain[i] + c[i].hold) - 1);

            if (n == 2)
                assert_true(off < 1e-8);
            else {
                sum += off;
                worst = fmax(worst, off);
                count++;
            }
        }
    }
    print_message("latencies by pairs against the chain, 3 to 6 channels: mean %.4f, worst %.4f off\n", sum / count,
                  worst);
    assert_true(sum / count < 0.05 && worst < 0.8);     /* measured: 0.036 and 0.63 */
}

/* ---- the link simulated ---- */

static double exponential(struct rng *rng, double mean)
{
    return -mean * log1p(-check_uniform(rng));
}

/* Mean wait of each channel over some messages, the first ones not counted. */
static void simulate(double *mean, const struct contender *c, size_t n, struct rng *rng, int messages)
{
    double asks[16], free = 0, sum[16] = { 0 };
    long count[16] = { 0 };

    for (size_t i = 0; i < n; i++)
        asks[i] = exponential(rng, c[i].interval);
    for (int m = -messages / 10; m < messages; m++) {
        size_t first = 0;
        double start;

        for (size_t i = 1; i < n; i++)
            if (asks[i] < asks[first])
                first = i;
        start = asks[first] > free ? asks[first] : free;
        if (m >= 0) {
            sum[first] += start - asks[first];
            count[first]++;
        }
        free = start + c[first].hold;
        asks[first] = free + exponential(rng, c[first].interval);
    }
    for (size_t i = 0; i < n; i++)
        mean[i] = sum[i] / (double)count[i];
}

static const struct scene {
    const char *name;
    size_t n;
    struct contender channel[10];
} scenes[] = {
    { "two", 2, { { 100, 25 }, { 40, 60 } } },
    { "a short and a long packet", 2, { { 10, 5 }, { 10, 50 } } },
    { "three", 3, { { 10, 5 }, { 20, 5 }, { 30, 50 } } },
    { "four, one fast", 4, { { 1, 4 }, { 20, 5 }, { 30, 9 }, { 50, 2 } } },
    { "five", 5, { { 10, 7 }, { 50, 20 }, { 200, 10 }, { 90, 60 }, { 30, 1 } } },
    { "six", 6, { { 100, 25 }, { 60, 10 }, { 150, 40 }, { 40, 5 }, { 300, 80 }, { 80, 15 } } },
    { "in turns that are never lost, and one slow", 5, { { 0.01, 1 }, { 0.02, 4 }, { 0.03, 9 }, { 0.01, 2 },
      { 40, 3 } } },
    { "in turns that are seldom lost, and one slow", 5, { { 0.3, 1 }, { 0.2, 4 }, { 0.9, 9 }, { 0.1, 2 }, { 40, 3 } } },
    { "ten alike", 10, { { 60, 5 }, { 60, 5 }, { 60, 5 }, { 60, 5 }, { 60, 5 },
                         { 60, 5 }, { 60, 5 }, { 60, 5 }, { 60, 5 }, { 60, 5 } } },
};

/* 30 runs each; six standard errors are left by chance once in a million times. */
static void simulation_agrees(void **state)
{
    enum { RUNS = 30, MESSAGES = 20000 };
    const struct scene *s = *state;
    double want[10], sum[10] = { 0 }, square[10] = { 0 };
    struct rng rng;

    rng_seed(&rng, seed + (uint64_t)(s - scenes) + 100);
    assert_int_equal(contend_waits(want, s->channel, s->n, NULL, &err), 0);
    for (int run = 0; run < RUNS; run++) {
        double mean[10];

        simulate(mean, s->channel, s->n, &rng, MESSAGES);
        for (size_t i = 0; i < s->n; i++) {
            sum[i] += mean[i] / RUNS;
            square[i] += mean[i] * mean[i] / RUNS;
        }
    }
    for (size_t i = 0; i < s->n; i++) {
        double error = sqrt(fabs(square[i] - sum[i] * sum[i]) / (RUNS - 1));

        assert_true(error < 0.05 * want[i] + 1e-9);
        if (fabs(sum[i] - want[i]) > 6 * error + 1e-9 * want[i])
            fail_msg("channel %zu waits %g, simulated %g +- %g", i + 1, want[i], sum[i], error);
    }
}

static struct CMUnitTest tests[64];
static char names[64][96];
static size_t ntest;

static void add(CMUnitTestFunction f, const void *row, const char *kind, const char *name)
{
    snprintf(names[ntest], sizeof names[ntest], "%s%s%s", kind, *name ? ": " : "", name);
    tests[ntest] = (struct CMUnitTest){ .name = names[ntest], .test_func = f, .initial_state = (void *)(uintptr_t)row };
    ntest++;
}

int main(void)
{

    seed = check_seed();
    EACH_ROW(i, rows)
        add(row_holds, &rows[i], rows[i].model, rows[i].name);
    for (size_t i = 0; contention_all[i]; i++)
        add(entry_holds, contention_all[i], "any formula", contention_all[i]->name);
    EACH_ROW(i, scenes)
        add(simulation_agrees, &scenes[i], "simulated", scenes[i].name);
    add(errors_are_as_known, NULL, "errors of the approximations are as known", "");
    add(rests_are_right, NULL, "rests are right", "");
    add(alike_as_written, NULL, "channels alike, as the formula is written", "");
    add(limits_of_many_alike, NULL, "limits of many channels alike", "");
    add(chains_of_channels_alike, NULL, "the chain of channels alike", "");
    add(chains_of_two, NULL, "the chain of two", "");
    add(any_channels, NULL, "any channels", "");
    add(rare_channels, NULL, "a channel that is rare", "");
    add(limits_of_different_channels, NULL, "limits of different channels", "");
    add(numbers_of_channels, NULL, "numbers of channels", "");
    add(closure_is_near, NULL, "by pairs against the chain", "");
    return _cmocka_run_group_tests("contention", tests, ntest, NULL, NULL);
}
