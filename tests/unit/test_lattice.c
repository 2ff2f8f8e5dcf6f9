/* Points as cells: places and edges, means, winners and gains against brute force; and what the figures say of them. */
#include <string.h>

#include "graph/numeric/rng.h"
#include "render/page/canvas.h"
#include "render/map/lattice.h"
#include "render/chart/chart.h"
#include "render/map/map.h"
#include "tests/support/check.h"

static void add(struct chart *c, const char *series, double x, double y, double z)
{
    const struct datum d = { .x = x, .y = y, .z = z, .lo = NAN, .hi = NAN };

    assert_int_equal(chart_datum(c, chart_series(c, series, 0), d), 0);
}

static void make(struct lattices *l, const struct chart *c)
{
    struct err err = { ERR_NONE, "" };

    if (lattices_make(l, c, &err) < 0)
        fail_msg("%s", err.msg);
}

/* ---- places ------------------------------------------------------------------------------------------ */

static const struct edges {
    const char *name;
    double at[4];
    size_t n;
    enum axis_scale scale;
    double edge[5];
} edges[] = {
    { "evenly spaced", { 1, 2, 3 }, 3, SCALE_LINEAR, { 0.5, 1.5, 2.5, 3.5 } },
    { "unevenly spaced", { 0, 1, 4, 6 }, 4, SCALE_LINEAR, { -0.5, 0.5, 2.5, 5, 7 } },
    { "not sorted, some twice", { 4, 0, 4, 1 }, 4, SCALE_LINEAR, { -0.5, 0.5, 2.5, 5.5 } },
    { "logarithmic", { 1, 4, 16 }, 3, SCALE_LOG, { 0.5, 2, 8, 32 } },
    { "logarithmic without what is not positive", { -3, 0, 1, 100 }, 4, SCALE_LOG, { 0.1, 10, 1000 } },
    { "logarithmic by the data", { 1, 8, 64, 512 }, 4, SCALE_AUTO,
      { 0.353553390593274, 2.82842712474619, 22.6274169979695, 181.019335983756, 1448.15468787005 } },
    { "one value", { 6 }, 1, SCALE_LINEAR, { 3, 9 } },
    { "zero alone", { 0 }, 1, SCALE_LINEAR, { -0.5, 0.5 } },
    { "one value, logarithmic", { 8 }, 1, SCALE_LOG, { 5.65685424949238, 11.3137084989848 } },
    { "largest numbers", { -1.7e308, 1.7e308 }, 2, SCALE_LINEAR, { -1.7e308, 0, 1.7e308 } },
};

static void edges_lie_between(void **state)
{
    const struct edges *e = *state;
    struct lattices l;
    struct chart c;
    size_t n = 0;

    chart_init(&c, "heat");
    c.x.scale = e->scale;
    for (size_t i = 0; i < e->n; i++)
        add(&c, "", e->at[i], (double)i, 1);
    make(&l, &c);
    while (n < 5 && (n == 0 || e->edge[n] != 0 || e->edge[n - 1] < 0))
        n++;
    assert_int_equal(l.panel[0].x.n + 1, n);
    for (size_t i = 0; i < n; i++)
        assert_true(fabs(l.panel[0].x.edge[i] - e->edge[i]) <= 1e-12 * fabs(e->edge[i]));
    assert_true(l.view.x.from == l.panel[0].x.edge[0] && l.view.x.to == l.panel[0].x.edge[n - 1]);
    lattices_release(&l);
    chart_release(&c);
}

static void scattered_points_are_refused(void **state)
{
    struct err err = { ERR_NONE, "" };
    struct lattices l;
    struct chart c;

    (void)state;
    chart_init(&c, "heat");
    for (int i = 0; i < 1000; i++)
        add(&c, "", i, i * 7919 % 1000, 1);
    assert_int_equal(lattices_make(&l, &c, &err), -1);
    assert_int_equal(err.code, ERR_DOMAIN);
    lattices_release(&l);
    chart_release(&c);
}

/* ---- against brute force ----------------------------------------------------------------------------- */

enum { NX = 5, NY = 4, NAMES = 6 };

static void any_contest(struct chart *c, struct rng *rng)
{
    size_t names = 1 + rng_below(rng, NAMES);
    char name[8];

    chart_init(c, "decision");
    c->best_most = rng_below(rng, 2);
    for (size_t i = 0; i < NX; i++)                     /* every place is there */
        for (size_t j = 0; j < NY; j++)
            add(c, "0", (double)i, (double)j * 3, (double)rng_below(rng, 5));
    for (size_t k = rng_below(rng, 200); k > 0; k--) {
        snprintf(name, sizeof name, "%zu", (size_t)rng_below(rng, names));
        add(c, name, (double)rng_below(rng, NX), 3 * (double)rng_below(rng, NY), (double)rng_below(rng, 5) - 1);
    }
}

/* The mean of one series in one cell, all points looked at. */
static double mean(const struct series *s, double x, double y)
{
    double sum = 0, n = 0;

    for (size_t p = 0; p < s->n; p++)
        if (s->at[p].x == x && s->at[p].y == y) {
            sum += s->at[p].z;
            n++;
        }
    return n > 0 ? sum / n : (double)NAN;
}

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-12 * fabs(a);
}

static void check_cell(const struct chart *c, const struct contest *k, size_t cell)
{
    const double x = (double)(cell % NX), y = 3 * (double)(cell / NX), sign = c->best_most ? -1 : 1;
    double best = NAN, second = NAN, gain;
    int winner = -1;

    for (size_t i = 0; i < c->nseries; i++) {
        double v = mean(&c->series[i], x, y);

        if (!isnan(v) && (winner < 0 || sign * v < sign * best)) {
            winner = (int)i;
            best = v;
        }
    }
    for (size_t i = 0; i < c->nseries; i++) {
        double v = mean(&c->series[i], x, y);

        if ((int)i != winner && !isnan(v) && !(sign * v >= sign * second))
            second = v;
    }
    gain = c->best_most ? (best - second) / second : (second - best) / best;
    assert_int_equal(k->winner[cell], winner);
    assert_true(same(k->best[cell], best) && same(k->second[cell], second));
    assert_true(same(contest_gain(k, cell, c->best_most), best > 0 && second > 0 ? gain : (double)NAN) ||
                fabs(gain) < 1e-12);
}

/* Cells cut into one part each are as they were. */
static void check_unrefined(const struct lattices *l, const struct contest *k)
{
    static const size_t times[] = { 1, 1 };
    struct err err = { ERR_NONE, "" };
    struct contest fine;

    assert_int_equal(contest_refine(&fine, l, 0, times, &err), 0);
    for (size_t cell = 0; cell < NX * NY; cell++) {
        assert_int_equal(fine.winner[cell], k->winner[cell]);
        assert_true(same(fine.best[cell], k->best[cell]) && same(fine.second[cell], k->second[cell]));
    }
    contest_release(&fine);
}

/* Of 2^i and 2^j the less wins: they cross on the diagonal, and the gain grows with the distance from it. */
static void refined_winners_cross_where_their_logarithms_do(void **state)
{
    static const size_t times[] = { 6, 10 };
    struct err err = { ERR_NONE, "" };
    struct contest fine;
    struct lattices l;
    struct chart c;

    (void)state;
    chart_init(&c, "decision");
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 6; j++) {
            add(&c, "right", i, j, ldexp(1, i));
            add(&c, "up", i, j, ldexp(1, j));
        }
    make(&l, &c);
    assert_int_equal(contest_refine(&fine, &l, 0, times, &err), 0);
    for (size_t k = 0; k < 42 * 60; k++) {
        const double x = fmin(fmax(((double)(k % 42) + 0.5) / 6 - 0.5, 0), 6),
            y = fmin(fmax(((double)(k / 42) + 0.5) / 10 - 0.5, 0), 5);

        check_near(fine.best[k], exp2(fmin(x, y)), 1e-9);
        check_near(contest_gain(&fine, k, false), exp2(fabs(x - y)) - 1, 1e-9);
        if (fabs(x - y) > 1e-9)
            assert_int_equal(fine.winner[k], y < x);
    }
    contest_release(&fine);
    lattices_release(&l);
    chart_release(&c);
}

static void winners_and_gains(void **state)
{
    uint64_t seed = check_seed();
    struct err err = { ERR_NONE, "" };
    struct rng rng;

    (void)state;
    rng_seed(&rng, seed);
    for (int round = 0; round < 300; round++) {
        struct lattices l;
        struct contest k;
        struct chart c;

        any_contest(&c, &rng);
        make(&l, &c);
        assert_true(l.panel[0].x.n == NX && l.panel[0].y.n == NY);
        assert_int_equal(contest_hold(&k, &l, 0, &err), 0);
        for (size_t cell = 0; cell < NX * NY; cell++)
            check_cell(&c, &k, cell);
        check_unrefined(&l, &k);
        contest_release(&k);
        lattices_release(&l);
        chart_release(&c);
    }
}

static void means_are_counted(void **state)
{
    struct err err = { ERR_NONE, "" };
    size_t several = 0;
    struct lattices l;
    struct chart c;
    double v[4];

    (void)state;
    chart_init(&c, "heat");
    add(&c, "", 1, 1, 1.7e308);
    add(&c, "", 1, 1, 1.5e308);
    add(&c, "", 2, 2, 7);
    add(&c, "", 2, 1, INFINITY);
    make(&l, &c);
    assert_int_equal(lattice_values(v, &several, &l, 0, false, &err), 0);
    assert_true(v[0] == 1.6e308 && isnan(v[1]) && isnan(v[2]) && v[3] == 7 && several == 1);
    assert_int_equal(lattice_values(v, &several, &l, 0, true, &err), 0);
    assert_true(v[0] == 1.7e308 && several == 2);
    assert_int_equal(lattices_show(&l, 0, v, &err), 0);
    assert_int_equal(l.view.series[0].n, 3);            /* two cells, and what is infinite, for the frame to count */
    lattices_release(&l);
    chart_release(&c);
}

/* ---- labels ------------------------------------------------------------------------------------------ */

static const struct label {
    const char *name;
    double value[4];
    size_t n;
    int exponent;
    const char *says[4];
} labels[] = {
    { "whole numbers", { 3, 12, -7 }, 3, 0, { "3", "12", "\xe2\x88\x92" "7" } },
    { "one decimal tells them apart", { 1.04, 1.12, 30 }, 3, 0, { "1.0", "1.1", "30.0" } },
    { "equal", { 2.5, 2.5 }, 2, 0, { "2.5", "2.5" } },
    { "not told apart by four digits", { 1.00001, 1.00002, 5 }, 3, 0, { "1.00", "1.00", "5.00" } },
    { "thousands", { 12000, 345600, 0 }, 3, 3, { "12", "346", "0" } },
    { "over decades", { 1e-9, 2e-9, 123456, 3 }, 4, 0,
      { "1.0\xc3\x97" "10" RAISED "\xe2\x88\x92" "9" RAISED_END,
        "2.0\xc3\x97" "10" RAISED "\xe2\x88\x92" "9" RAISED_END, "1.2\xc3\x97" "10" RAISED "5" RAISED_END, "3.0" } },
};

static void labels_tell_apart(void **state)
{
    const struct label *l = *state;
    struct err err = { ERR_NONE, "" };
    char text[NUMBER_ROOM];
    struct digits d;

    assert_int_equal(digits_choose(&d, l->value, l->n, l->exponent, &err), 0);
    for (size_t i = 0; i < l->n; i++) {
        number_label(text, l->value[i], &d);
        assert_string_equal(text, l->says[i]);
    }
}

/* ---- figures ----------------------------------------------------------------------------------------- */

static char *svg_of(const struct chart *c)
{
    struct err err = { ERR_NONE, "" };
    const struct plot_format *f = plot_all[0];
    struct sink s;

    for (size_t i = 0; plot_all[i]; i++)
        if (strcmp(plot_all[i]->name, "svg") == 0)
            f = plot_all[i];
    if (chart_draw(&s, c, NULL, f, &err) < 0)
        fail_msg("%s", err.msg);
    sink_put(&s, "", 1);
    return (char *)s.bytes;
}

static void has(const char *svg, const char *text)
{
    if (!strstr(svg, text))
        fail_msg("the figure has no '%s'", text);
}

static void small_map_says_its_values(void **state)
{
    struct chart c;
    char *svg;

    (void)state;
    chart_init(&c, "heat");
    add(&c, "", 1, 1, 10);
    add(&c, "", 2, 1, -20.25);
    add(&c, "", 2, 2, 30);
    add(&c, "", 2, 2, 31);
    svg = svg_of(&c);
    has(svg, ">10</text>");
    has(svg, ">\xe2\x88\x92" "20</text>");
    has(svg, "Hatched: no value. 1 cell has several values: their mean is shown.");
    free(svg);
    chart_release(&c);
}

static void words_have_a_legend(void **state)
{
    struct chart c;
    char *svg;

    (void)state;
    chart_init(&c, "heat");
    add(&c, "", 1, 1, chart_category(&c.z, "ring"));
    add(&c, "", 2, 2, chart_category(&c.z, "torus"));
    svg = svg_of(&c);
    has(svg, ">ring</text>");
    has(svg, ">torus</text>");
    has(svg, ">no value</text>");
    free(svg);
    chart_release(&c);
}

/* A competitor that wins somewhere is named, and no other; few cells say their gains, many have lines. */
static void decision_names_winners(void **state)
{
    (void)state;
    for (int n = 6; n <= 13; n += 7) {
        struct chart c;
        char *svg;

        chart_init(&c, "decision");
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                add(&c, "fast", i, j, 10 + i * i);
                add(&c, "slow", i, j, 20 + j);
                add(&c, "last", i, j, 40 + i * i + j);
            }
        svg = svg_of(&c);
        has(svg, ">fast</text>");
        has(svg, ">slow</text>");
        assert_null(strstr(svg, ">last</text>"));
        has(svg, " %</text>");
        has(svg, n == 6 ? "Numbers: gain over the second best in %, (second \xe2\x88\x92 best) / best." :
            "Lines: gain over the second best, (second \xe2\x88\x92 best) / best.");
        free(svg);
        chart_release(&c);
    }
}

static void groups_are_refused(void **state)
{
    struct err err = { ERR_NONE, "" };
    struct chart c;
    struct sink s;

    (void)state;
    chart_init(&c, "heat");
    add(&c, "a", 1, 1, 1);
    add(&c, "b", 1, 1, 2);
    assert_int_equal(chart_draw(&s, &c, NULL, plot_all[0], &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
    assert_non_null(strstr(err.msg, "--facet"));
    chart_release(&c);
}

static int teardown(void **state)
{
    (void)state;
    figure_teardown();
    return 0;
}

#define ROWS(rows, test)                                                                                            \
    EACH_ROW(i, rows)                                                                        \
        tests[n++] = (struct CMUnitTest){ .name = rows[i].name, .test_func = test, .initial_state = (void *)&rows[i] }

int main(void)
{
    struct CMUnitTest tests[7 + COUNT(edges) + COUNT(labels)] = {
        cmocka_unit_test(scattered_points_are_refused), cmocka_unit_test(winners_and_gains),
        cmocka_unit_test(refined_winners_cross_where_their_logarithms_do),
        cmocka_unit_test(means_are_counted), cmocka_unit_test(small_map_says_its_values),
        cmocka_unit_test(words_have_a_legend), cmocka_unit_test(decision_names_winners),
        cmocka_unit_test(groups_are_refused) };
    size_t n = 0;

    while (tests[n].test_func)          /* those listed above */
        n++;

    ROWS(edges, edges_lie_between);
    ROWS(labels, labels_tell_apart);
    return cmocka_run_group_tests(tests, NULL, teardown);
}
