/* Scales and ticks, without a page: what they must keep on any range, and what they are on some. */
#include <string.h>

#include "graph/numeric/rng.h"
#include "render/figure/axis.h"
#include "tests/support/check.h"

/* As wide as its characters, superscripts and their markup counted as they come: more than they need. */
static double extent(void *arg, const char *markup)
{
    double w = 0;
    bool tag = false;

    (void)arg;
    for (; *markup; markup++) {
        tag = tag || *markup == '<';
        if (!tag && (*markup & 0xc0) != 0x80)
            w += 5;
        tag = tag && *markup != '>';
    }
    return w;
}

static struct ticks ticks_of(const struct scale *s, double length)
{
    struct ruler r = { length, 5, 36, extent, NULL };
    struct ticks t;

    ticks_choose(&t, s, &r);
    return t;
}

/* ---- examples ---------------------------------------------------------------------------------------- */

static const struct example {
    const char *name;
    double v[8];
    size_t n;
    struct fit how;
    double length;
    enum scale_kind kind;
    const char *labels;         /* joined by blanks, superscripts as ^ */
    int exponent;
} examples[] = {
    { "from zero", { 2, 9.7 }, 2, { .round = true, .most = 5 }, 180, LINEAR, "0 2 4 6 8 10", 0 },
    { "not from zero", { 97, 99 }, 2, { .round = true, .most = 5 }, 180, LINEAR, "97.0 97.5 98.0 98.5 99.0", 0 },
    { "through zero", { -3, 7 }, 2, { .round = true, .most = 5 }, 180, LINEAR, "−4 −2 0 2 4 6 8", 0 },
    { "all negative", { -9.7, -2 }, 2, { .round = true, .most = 5 }, 180, LINEAR, "−10 −8 −6 −4 −2 0", 0 },
    { "one value", { 4 }, 1, { .round = true, .most = 6 }, 220, LINEAR, "0 1 2 3 4 5 6", 0 },
    { "zero alone", { 0, 0 }, 2, { .round = true, .most = 5 }, 180, LINEAR, "0.0 0.2 0.4 0.6 0.8 1.0", 0 },
    { "bars start at zero", { 97, 99 }, 2, { .bars = true, .round = true, .most = 5 }, 180, LINEAR,
      "0 20 40 60 80 100", 0 },
    { "bars are not logarithmic unasked", { 1, 2, 3, 4000 }, 4, { .bars = true, .round = true, .most = 4 }, 180, LINEAR,
      "0 1000 2000 3000 4000", 0 },
    { "large", { 0, 1.2e6 }, 2, { .round = true, .most = 4 }, 180, LINEAR, "0.0 0.2 0.4 0.6 0.8 1.0 1.2", 6 },
    { "hundred thousands", { 0, 250000 }, 2, { .round = true, .most = 5 }, 180, LINEAR, "0 50 100 150 200 250", 3 },
    { "small", { 0, 4e-5 }, 2, { .round = true, .most = 4 }, 180, LINEAR, "0 10 20 30 40", -6 },
    { "huge", { -1e300, 1e300 }, 2, { .round = true, .most = 4 }, 180, LINEAR, "−1.0 −0.5 0.0 0.5 1.0", 300 },
    { "wider than a double", { -1.7e308, 1.7e308 }, 2, { .round = true, .most = 4 }, 180, LINEAR, "−150 −100 −50 0 50 100 150", 306 },
    { "decades", { 1, 1e6 }, 2, { .wanted = SCALE_LOG, .round = true }, 200, LOGARITHMIC,
      "10^0 10^1 10^2 10^3 10^4 10^5 10^6", 0 },
    { "decades in full", { 0.5, 30000 }, 2, { .wanted = SCALE_LOG, .round = true }, 200, LOGARITHMIC,
      "0.1 1 10 100 1000 10000 100000", 0 },
    { "few decades", { 1.3, 170 }, 2, { .wanted = SCALE_LOG, .round = true }, 400, LOGARITHMIC,
      "1 2 5 10 20 50 100 200", 0 },
    { "part of a decade", { 30, 48 }, 2, { .wanted = SCALE_LOG }, 180, LOGARITHMIC, "30 35 40 45", 0 },
    { "all doubles", { 1e-300, 1e300 }, 2, { .round = true }, 300, LOGARITHMIC,
      "10^−300 10^−200 10^−100 10^0 10^100 10^200 10^300", 0 },
    { "powers of two", { 16, 64, 256, 1024, 4096, 65536 }, 6, { .binary = true }, 320, LOGARITHMIC,
      "16 64 256 1024 4096 16384 65536", 0 },
    { "mostly powers of two", { 9, 16, 64, 256, 1024, 4096, 65536 }, 7, { .binary = true }, 320, LOGARITHMIC,
      "16 64 256 1024 4096 16384 65536", 0 },
    { "many powers of two", { 1, 2, 4, 8, 1 << 20 }, 5, { .binary = true }, 200, LOGARITHMIC,
      "2^0 2^4 2^8 2^12 2^16 2^20", 0 },
    { "even spread stays linear", { 1, 20, 40, 60, 80, 100 }, 6, { .round = true, .most = 5 }, 180, LINEAR,
      "0 20 40 60 80 100", 0 },
    { "a negative stays linear", { -1, 1, 10, 100, 1000 }, 5, { .round = true, .most = 4 }, 180, LINEAR,
      "0 200 400 600 800 1000", 0 },
};

/* "10^3" for 10 with a 3 raised. */
static void join(char *out, size_t size, const struct ticks *t)
{
    out[0] = '\0';
    for (size_t i = 0; i < t->n; i++) {
        const char *p = t->major[i].label, *tag = strchr(p, '<');
        size_t len = strlen(out);

        if (tag)
            snprintf(out + len, size - len, "%s%.*s^%.*s", i ? " " : "", (int)(tag - p), p,
                     (int)strcspn(strchr(tag, '>') + 1, "<"), strchr(tag, '>') + 1);
        else
            snprintf(out + len, size - len, "%s%s", i ? " " : "", p);
    }
}

static void example_holds(void **state)
{
    const struct example *e = *state;
    struct scale s;
    struct ticks t;
    char labels[400];

    scale_fit(&s, e->v, e->n, &e->how);
    assert_int_equal(s.kind, e->kind);
    t = ticks_of(&s, e->length);
    join(labels, sizeof labels, &t);
    assert_string_equal(labels, e->labels);
    assert_int_equal(t.exponent, e->exponent);
}

/* ---- properties -------------------------------------------------------------------------------------- */

static double any_value(struct rng *rng, int largest)
{
    return (rng_below(rng, 2) ? 1 : -1) * (1 + 9 * check_uniform(rng)) *
           pow(10, (double)rng_below(rng, 2 * (uint64_t)largest + 1) - largest);
}

/* In order, inside, labelled without touching; and the data within the scale. */
static void check_ticks(const struct scale *s, const double *v, size_t n, double length)
{
    struct ticks t = ticks_of(s, length);
    double end = -INFINITY;

    assert_true(s->lo < s->hi);
    for (size_t i = 0; i < n; i++)
        if (s->kind == LINEAR || v[i] > 0)
            assert_true(scale_at(s, v[i]) > -1e-9 && scale_at(s, v[i]) < 1 + 1e-9);
    assert_true(t.n >= 1);
    for (size_t i = 0; i < t.n; i++) {
        double half = extent(NULL, t.major[i].label) / 2;

        assert_true(t.major[i].at >= 0 && t.major[i].at <= 1);
        assert_true(i == 0 || t.major[i].at > t.major[i - 1].at);
        if (!t.major[i].label[0])
            continue;
        assert_true(t.major[i].at * length - half >= end);
        end = t.major[i].at * length + half;
    }
    for (size_t i = 0; i < t.nminor; i++)
        assert_true(t.minor[i] > 0 && t.minor[i] < 1);
}

static void any_range(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 20000; i++) {
        int largest = (int[]){ 0, 3, 20, 300 }[rng_below(&rng, 4)];
        double v[3] = { any_value(&rng, largest), any_value(&rng, largest), any_value(&rng, largest) };
        struct fit how = { .wanted = (enum axis_scale)rng_below(&rng, 3), .bars = rng_below(&rng, 2),
                           .round = rng_below(&rng, 2), .binary = rng_below(&rng, 2),
                           .most = (int)(2 + rng_below(&rng, 9)) };
        struct scale s;

        if (rng_below(&rng, 4) == 0)                    /* close together, far from zero */
            v[1] = v[2] = v[0] * (1 + pow(10, -(double)rng_below(&rng, 17)));
        if (rng_below(&rng, 8) == 0)
            v[0] = exp2((double)rng_below(&rng, 20));
        scale_fit(&s, v, 3, &how);
        /* Nothing positive on a logarithmic axis leaves a scale without data. */
        check_ticks(&s, v, how.wanted == SCALE_LOG && s.kind == LINEAR ? 0 : 3, 20 + 400 * check_uniform(&rng));
    }
}

/* Steps are 1, 2 or 5 times a power of ten and cut as asked; the next smaller one would cut into too many. */
static void nice_steps(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, 1);
    for (int i = 0; i < 20000; i++) {
        double lo = any_value(&rng, 100), hi = lo + fabs(any_value(&rng, 100));
        int most = (int)(1 + rng_below(&rng, 12));
        struct step s = step_nice(lo, hi, most);
        double size = s.m * pow(10, s.k), less = s.m == 1 ? 0.5 : s.m == 2 ? 0.5 : 0.4;

        if (hi <= lo)
            continue;
        assert_true(s.m == 1 || s.m == 2 || s.m == 5);
        assert_true((hi - lo) / size <= most * (1 + 1e-6));
        assert_true((hi - lo) / (size * less) > most * (1 - 1e-6));
    }
    assert_int_equal(step_nice(-1.7e308, 1.7e308, 1).m, 5);     /* 3.4e308, which no double is */
    assert_int_equal(step_nice(-1.7e308, 1.7e308, 1).k, 308);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(examples) + 2] = { cmocka_unit_test(any_range), cmocka_unit_test(nice_steps) };

    EACH_ROW(i, examples)
        tests[2 + i] = (struct CMUnitTest){ .name = examples[i].name, .test_func = example_holds,
                                            .initial_state = (void *)&examples[i] };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
