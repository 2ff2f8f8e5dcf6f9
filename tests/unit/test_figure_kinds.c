/* What kinds of charts compute before they draw: quartiles as numpy has them, fronts and honeycombs against brute
 * force, shares by hand; and what is drawn of them, caught by a device of the test's own. */
#include <string.h>

#include "graph/numeric/front.h"
#include "graph/numeric/quantile.h"
#include "render/chart/chart.h"
#include "render/chart/hexagons.h"
#include "render/chart/piles.h"
#include "render/figure/colour_bar.h"
#include "tests/support/check.h"

static void add(struct chart *c, const char *series, double x, double y)
{
    assert_int_equal(chart_point(c, chart_series(c, series, 0), x, y), 0);
}

/* ---- quantiles --------------------------------------------------------------------------------------- */

/* numpy.percentile(v, [5, 25, 50, 75, 95]), whose method is definition 7 of Hyndman and Fan. */
static const struct sampled {
    size_t n;
    double v[11], want[5];
} samples[] = {
    { 7, { 1.5, 2.6, 3.2, 4.1, 7.3, 8.8, 9.9 }, { 1.83, 2.9, 4.1, 8.05, 9.57 } },
    { 4, { 3, 5, 7.5, 12 }, { 3.3, 4.5, 6.25, 8.625, 11.325 } },
    { 1, { 4 }, { 4, 4, 4, 4, 4 } },
    { 2, { 1, 2 }, { 1.05, 1.25, 1.5, 1.75, 1.95 } },
    { 11, { -20, 0.3, 2.2, 2.7, 2.8, 2.9, 3, 3.05, 3.1, 3.3, 51 }, { -9.85, 2.45, 2.9, 3.075, 27.15 } },
};

static void quantiles_are_numpys(void **state)
{
    static const double p[] = { 0.05, 0.25, 0.5, 0.75, 0.95 };

    (void)state;
    EACH_ROW(i, samples)
        EACH_ROW(k, p)
            check_near(quantile_of(samples[i].v, samples[i].n, p[k]), samples[i].want[k], 1e-12);
    assert_true(isnan(quantile_of(NULL, 0, 0.5)));
    assert_true(quantile_of(samples[0].v, 7, 0) == 1.5 && quantile_of(samples[0].v, 7, 1) == 9.9);
}

/* 2.45 - 1.5 x 0.625 is 1.5125, and 3.075 + 1.5 x 0.625 is 4.0125: two values lie below, one above. */
static void whiskers_by_hand(void **state)
{
    struct quantile_box b;

    (void)state;
    quantile_box_of(&b, samples[4].v, 11);
    assert_true(b.lo == 2.2 && b.hi == 3.3 && b.from == 2 && b.to == 10);
    quantile_box_of(&b, samples[2].v, 1);
    assert_true(b.lo == 4 && b.hi == 4 && b.from == 0 && b.to == 1);
}

static void piles_by_hand(void **state)
{
    struct err err = { ERR_NONE, "" };
    struct piles p;
    struct chart c;

    (void)state;
    chart_init(&c, "box");
    add(&c, "a", 2, 5);
    add(&c, "a", 1, 7);
    add(&c, "a", 2, 3);
    add(&c, "a", NAN, 9);
    add(&c, "b", 2, INFINITY);
    add(&c, "b", 2, 1);
    add(&c, "over", 1, 1);
    c.series[2].over = true;
    assert_int_equal(piles_make(&p, &c, &err), 0);
    assert_int_equal(p.n, 3);
    assert_true(p.pile[0].x == 1 && p.pile[0].n == 1 && p.pile[0].v[0] == 7 && p.pile[0].series == 0);
    assert_true(p.pile[1].x == 2 && p.pile[1].n == 2 && p.pile[1].v[0] == 3 && p.pile[1].v[1] == 5);
    assert_true(p.pile[2].series == 1 && p.pile[2].n == 1 && p.infinite == 1);
    piles_release(&p);
    chart_release(&c);
}

/* ---- fronts ------------------------------------------------------------------------------------------ */

static bool as_good(double a, double b, bool most)
{
    return most ? a >= b : a <= b;
}

static bool dominated(const double *x, const double *y, size_t n, size_t i, const bool most[2])
{
    for (size_t k = 0; k < n; k++)
        if (as_good(x[k], x[i], most[0]) && as_good(y[k], y[i], most[1]) && (x[k] != x[i] || y[k] != y[i]))
            return true;
    return false;
}

/* On few numbers, so that many points are equal in one coordinate or both; some are not numbers. */
static void fronts_by_brute_force(void **state)
{
    enum { MOST = 40 };
    struct err err = { ERR_NONE, "" };
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int trial = 0; trial < 3000; trial++) {
        const size_t n = rng_below(&rng, MOST), range = 1 + rng_below(&rng, 30);
        const bool most[2] = { rng_below(&rng, 2), rng_below(&rng, 2) };
        size_t front[MOST], nfront, want = 0;
        double x[MOST], y[MOST];

        for (size_t i = 0; i < n; i++) {
            x[i] = rng_below(&rng, 20) ? (double)rng_below(&rng, range) - 3 : (double)NAN;
            y[i] = rng_below(&rng, 20) ? (double)rng_below(&rng, range) - 3 : (double)NAN;
        }
        assert_int_equal(front_find(front, &nfront, x, y, n, most, &err), 0);
        for (size_t i = 0; i < n; i++)
            want += !isnan(x[i]) && !isnan(y[i]) && !dominated(x, y, n, i, most);
        assert_int_equal(nfront, want);
        for (size_t k = 0; k < nfront; k++) {
            assert_false(dominated(x, y, n, front[k], most));
            assert_true(k == 0 || as_good(x[front[k - 1]], x[front[k]], most[0]));
            assert_true(k == 0 || front[k] != front[k - 1]);
        }
    }
}

/* ---- honeycombs -------------------------------------------------------------------------------------- */

static void cells_are_nearest(void **state)
{
    struct err err = { ERR_NONE, "" };
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int trial = 0; trial < 40; trial++) {
        const double w = 5 + 300 * check_uniform(&rng), h = 5 + 200 * check_uniform(&rng);
        struct hexagons x;

        assert_int_equal(hexagons_make(&x, w, h, 2 + 20 * check_uniform(&rng), 1, &err), 0);
        for (int i = 0; i < 200; i++) {
            const double px = i == 0 ? 0 : i == 1 ? w : w * check_uniform(&rng), py = i < 2 ? px / w * h :
                h * check_uniform(&rng);
            const struct rect c = hexagons_centre(&x, hexagons_at(&x, px, py));
            const double far = hypot(px - c.x, py - c.y);

            assert_true(far <= x.side * (1 + 1e-9));    /* of a hexagon no place is further from its centre */
            for (size_t k = 0; k < x.columns * x.rows; k++) {
                const struct rect other = hexagons_centre(&x, k);

                assert_true(hypot(px - other.x, py - other.y) >= far - 1e-9);
            }
        }
        hexagons_release(&x);
    }
}

/* All points that the panels show are counted, each as often as it is there, and what is laid over is not. */
static void counts_add_up(void **state)
{
    enum { POINTS = 6000 };
    struct err err = { ERR_NONE, "" };
    struct canvas canvas;
    struct hexagons x;
    struct frame f;
    struct chart c, view;
    struct rng rng;
    double sum = 0, weight = 0;

    (void)state;
    rng_seed(&rng, check_seed());
    chart_init(&c, "scatter");
    assert_true(chart_panel(&c, "one") == 0 && chart_panel(&c, "two") == 1);
    for (size_t i = 0; i < POINTS; i++)
        assert_int_equal(chart_point(&c, chart_series(&c, i % 3 ? "a" : "b", i % 2), check_uniform(&rng) * 5,
                         i == 7 ? (double)NAN : check_uniform(&rng)), 0);
    assert_int_equal(chart_point(&c, chart_series(&c, "over", 0), 1, 0.5), 0);
    c.series[chart_series(&c, "over", 0)].over = true;
    assert_int_equal(canvas_open(&canvas, NULL, &err), 0);
    frame_begin(&f, &canvas, &c);
    assert_int_equal(frame_lay(&f, &err), 0);
    assert_int_equal(hexagons_count(&x, &view, &f, &err), 0);
    for (size_t k = 0; k < x.npanel * x.columns * x.rows; k++)
        sum += x.count[k];
    assert_true(sum == POINTS - 1 && x.points == POINTS - 1);
    for (size_t i = 0; i < view.nseries; i++)           /* 1 / count, summed over points, counts the cells */
        for (size_t p = 0; !view.series[i].over && p < view.series[i].n; p++)
            weight += isnan(view.series[i].at[p].y) ? 0 : 1 / view.series[i].at[p].z;
    for (size_t k = 0; k < x.npanel * x.columns * x.rows; k++)
        weight -= x.count[k] > 0;
    check_near(weight, 0, 1e-6);
    frame_release(&f);
    hexagons_release(&x);
    hexagons_release_view(&view);
    chart_release(&c);
    canvas_close(&canvas);
}

/* ---- what is drawn ----------------------------------------------------------------------------------- */

/* The lines of the first series: their points, in order. */
static struct {
    bool within;
    double x[64], y[64];
    size_t n;
} caught;

static void catch_path(struct canvas *c, const struct path *p, const struct rgb *fill, double opacity,
                       const struct pen *pen)
{
    (void)c, (void)fill, (void)opacity, (void)pen;
    for (size_t i = 0; caught.within && i < p->nat / 2 && caught.n < COUNT(caught.x); i++) {
        caught.x[caught.n] = p->at[2 * i];
        caught.y[caught.n++] = p->at[2 * i + 1];
    }
}

static void catch_begin(struct canvas *c, const char *name, const char *tip, const struct rect *at)
{
    (void)c, (void)tip, (void)at;
    caught.within = strcmp(name, "series") == 0;
}

static void catch_end(struct canvas *c)
{
    (void)c;
    caught.within = false;
}

static void catch_text(struct canvas *c, double ox, double oy, double angle, double x, double y, const struct rgb *ink,
                       double halo)
{
    (void)c, (void)ox, (void)oy, (void)angle, (void)x, (void)y, (void)ink, (void)halo;
}

static void catch_clip(struct canvas *c, const struct rect *r)
{
    (void)c, (void)r;
}

static void catch_unclip(struct canvas *c)
{
    (void)c;
}

static void catch_series(const struct chart *c)
{
    static const struct device device = { .path = catch_path, .text = catch_text, .clip = catch_clip,
                                          .unclip = catch_unclip, .begin = catch_begin, .end = catch_end };
    struct err err = { ERR_NONE, "" };
    struct canvas canvas;

    memset(&caught, 0, sizeof caught);
    assert_int_equal(canvas_open(&canvas, NULL, &err), 0);
    canvas.device = &device;
    assert_int_equal(chart_find(c->kind, NULL)->draw(&canvas, c, &err), 0);
    canvas_close(&canvas);
}

/* Of 1, 2, 2 and 4 three quarters are greater than 1, a quarter is greater than 2, and none than 4: on a logarithmic
 * axis the heights of 1, 3/4 and 1/4 are as their logarithms, and the last step goes down to the axis. */
static void complement_by_hand(void **state)
{
    static const double x[] = { 1, 2, 2, 4 };
    struct chart c;
    double unit;

    (void)state;
    chart_init(&c, "cumulative");
    c.complement = true;
    for (int i = 0; i < 4; i++)
        add(&c, "", x[i], 1);
    catch_series(&c);
    assert_int_equal(caught.n, 9);                      /* 1 1 2 2 4, and then before 1 and after 4 */
    unit = caught.y[1] - caught.y[0];                   /* of log 3/4 */
    assert_true(unit > 1);
    check_near(caught.y[2], caught.y[1], 1e-9);
    check_near((caught.y[3] - caught.y[0]) / unit, log(0.25) / log(0.75), 1e-6);
    check_near(caught.y[4], caught.y[3], 1e-9);
    check_near((caught.x[4] - caught.x[2]) / (caught.x[2] - caught.x[0]), 2, 1e-6);
    check_near(caught.y[5], caught.y[0], 1e-9);
    check_near(caught.x[8], caught.x[4], 1e-9);
    assert_true(caught.y[8] > caught.y[4] + 1);
    chart_release(&c);
}

/* A curve that turns back, as accepted load does beyond saturation: its points are as far along the axis as x is, in
 * the order in which they came. */
static void a_path_turns_back(void **state)
{
    static const double x[] = { 1, 2, 4, 3, 1.5 };
    struct chart c;

    (void)state;
    chart_init(&c, "path");
    EACH_ROW(i, x)
        add(&c, "", x[i], (double)i);
    catch_series(&c);
    assert_true(caught.n >= COUNT(x));
    for (size_t i = 2; i < COUNT(x); i++) {
        check_near((caught.x[i] - caught.x[0]) / (caught.x[1] - caught.x[0]), x[i] - x[0], 1e-6);
        assert_true(caught.y[i] < caught.y[i - 1]);
    }
    assert_true(caught.x[4] < caught.x[3] && caught.x[3] < caught.x[2]);
    chart_release(&c);
}

/* ---- colours of both signs --------------------------------------------------------------------------- */

static void zero_is_light(void **state)
{
    struct err err = { ERR_NONE, "" };
    struct axis axis = { .from = NAN, .to = NAN };
    struct canvas canvas;
    struct colour_bar b;
    const double both[] = { -10, 30 }, one[] = { 1, 30 };
    double zero;

    (void)state;
    assert_int_equal(canvas_open(&canvas, NULL, &err), 0);
    assert_int_equal(colour_bar_fit(&b, &axis, both, 2, &err), 0);
    zero = rgb_luminance(colour_bar_at(&b, &canvas, 0));
    assert_true(zero > 0.8);
    for (double v = 1; v <= 10; v++) {
        const double below = rgb_luminance(colour_bar_at(&b, &canvas, -v)),
            above = rgb_luminance(colour_bar_at(&b, &canvas, v));

        assert_true(below < zero && above < zero);
        check_near(below, above, 0.02);
    }
    assert_true(rgb_hex(colour_bar_at(&b, &canvas, 99)) == rgb_hex(colour_bar_at(&b, &canvas, 30)));
    colour_bar_release(&b);
    assert_int_equal(colour_bar_fit(&b, &axis, one, 2, &err), 0);
    assert_true(rgb_hex(colour_bar_at(&b, &canvas, 1)) == rgb_hex(ramp_colour(&canvas, 0)));
    colour_bar_release(&b);
    canvas_close(&canvas);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_are_numpys), cmocka_unit_test(whiskers_by_hand), cmocka_unit_test(piles_by_hand),
        cmocka_unit_test(fronts_by_brute_force), cmocka_unit_test(cells_are_nearest), cmocka_unit_test(counts_add_up),
        cmocka_unit_test(complement_by_hand), cmocka_unit_test(a_path_turns_back), cmocka_unit_test(zero_is_light) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
