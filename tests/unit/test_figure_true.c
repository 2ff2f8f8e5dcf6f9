/* What a figure says is what its data say: names stand at their own points and off the front, zeros are in no ramp.
 * Read back from the SVG. */
#include <string.h>
#include <unistd.h>

#include "graph/numeric/rng.h"
#include "render/chart/chart.h"
#include "render/page/place.h"
#include "tests/support/check.h"
#include "tests/support/svg.h"

static void datum(struct chart *c, const char *series, struct datum d)
{
    assert_int_equal(chart_datum(c, chart_series(c, series, 0), d), 0);
}

static void draw(struct svg *s, const struct chart *c, double width)
{
    const struct page page = { .width_mm = width };
    struct err err = { ERR_NONE, "" };
    char path[] = "/tmp/true-XXXXXX.svg";
    int fd = mkstemps(path, 4);

    assert_true(fd >= 0);
    close(fd);
    if (chart_write(c, &page, path, &err) < 0)
        fail_msg("%s", err.msg);
    svg_read(s, path);
    unlink(path);
}

static const struct rect *panel_of(const struct svg *s)
{
    for (size_t g = 0; g < s->ngroup; g++)
        if (strcmp(s->group[g].name, "panel") == 0)
            return &s->group[g].at;
    fail_msg("no panel");
    return NULL;
}

/* ---- names of points --------------------------------------------------------------------------------- */

#define POINTS 18
static const char *const name[POINTS] = { "torus:8x8", "mesh:8x8", "hypercube:6", "midimew:64", "fattree:6",
    "slimfly:5", "hyperx:8x8", "megafly", "torus:4x4x4", "dragonfly", "xgft:2", "polarfly:7", "ring:64", "star:64",
    "jellyfish", "rails:8", "complete:9", "mesh:2x32" };

static struct rect box_of(const struct svg_item *t)
{
    const struct text_box *b = &t->box;

    return (struct rect){ b->x[0], fmin(b->y[0], b->y[2]), b->x[1] - b->x[0], fabs(b->y[2] - b->y[0]) };
}

static double distance(const struct rect *r, double x, double y)
{
    return hypot(fmax(fmax(r->x - x, x - r->x - r->w), 0), fmax(fmax(r->y - y, y - r->y - r->h), 0));
}

static bool is_led(const struct svg *s, const char *text)
{
    for (size_t g = 0; g < s->ngroup; g++)
        if (strcmp(s->group[g].name, "leader") == 0 && strcmp(s->group[g].title, text) == 0)
            return true;
    return false;
}

/* The nearest point to a name is its own, unless a line leads to it. How many names there are. */
static size_t check_names(const struct svg *s, double (*at)[2], size_t n)
{
    const struct rect *panel = panel_of(s);
    size_t there = 0;

    for (size_t i = 0; i < s->nitem; i++)
        for (size_t k = 0; s->item[i].text && k < n; k++) {
            const struct rect box = box_of(&s->item[i]);
            double own, d;

            if (strcmp(s->item[i].text, name[k]) != 0)
                continue;
            there++;
            own = distance(&box, panel->x + at[k][0] * panel->w, panel->y + (1 - at[k][1]) * panel->h);
            for (size_t j = 0; j < n; j++) {
                d = distance(&box, panel->x + at[j][0] * panel->w, panel->y + (1 - at[j][1]) * panel->h);
                if (d < own - 1 && !is_led(s, name[k]))
                    fail_msg("'%s' is %.1f off its point and %.1f off '%s'", name[k], own, d, name[j]);
                assert_true(j == k || d > 1.5);
            }
        }
    return there;
}

/* The least is best in both: no name lies on the stairs. */
static void check_front(const struct svg *s, double (*at)[2], size_t n)
{
    const struct rect *panel = panel_of(s);

    for (size_t k = 0; k < n; k++) {
        double next = 1, above = 1, x = panel->x + at[k][0] * panel->w, y = panel->y + (1 - at[k][1]) * panel->h;
        bool best = true;

        for (size_t j = 0; j < n; j++) {
            best = best && !(at[j][0] < at[k][0] && at[j][1] < at[k][1]);
            if (at[j][1] < at[k][1])
                next = fmin(next, at[j][0]);
            if (at[j][0] < at[k][0])
                above = fmin(above, at[j][1]);
        }
        for (size_t i = 0; best && i < s->nitem; i++) {
            const struct rect box = s->item[i].text ? box_of(&s->item[i]) : (struct rect){ 0 };
            const struct rect inner = { box.x + 0.5, box.y + 0.8, box.w - 1, box.h - 1.6 };

            if (!s->item[i].text || svg_within(s, s->item[i].group, "panel") < 0)
                continue;
            if (segment_crosses(&inner, x, y, panel->x + next * panel->w, y) ||
                segment_crosses(&inner, x, y, x, panel->y + (1 - above) * panel->h))
                fail_msg("'%s' lies on the front", s->item[i].text);
        }
    }
}

static void names_stand_at_their_points(void **state)
{
    static const char *const kind[] = { "scatter", "pareto" };
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 120; i++) {
        const size_t n = i / 2 % 2 ? 6 : POINTS;
        double at[POINTS][2];
        struct chart c;
        struct svg s;
        size_t there;

        chart_init(&c, kind[i % 2]);
        c.x.from = c.y.from = 0;
        c.x.to = c.y.to = 1;
        for (size_t k = 0; k < n; k++) {
            at[k][0] = 0.02 + 0.96 * check_uniform(&rng);
            at[k][1] = 0.02 + 0.96 * check_uniform(&rng);
            datum(&c, "", (struct datum){ .x = at[k][0], .y = at[k][1], .z = NAN, .lo = NAN, .hi = NAN,
                  .label = chart_word(&c, name[k]) });
        }
        draw(&s, &c, 84);
        there = check_names(&s, at, n);
        if (there + (n == POINTS) + (i % 2 ? n / 5 : 0) < n)        /* a front takes room */
            fail_msg("chart %d: %zu names of %zu", i, there, n);
        if (i % 2)
            check_front(&s, at, n);
        svg_release(&s);
        chart_release(&c);
    }
}

/* ---- zeros ------------------------------------------------------------------------------------------- */

/* Of values over four decades and zeros: a colour bar of powers of ten, zeros light and without hue, and nothing else
 * so. */
static void zeros_are_in_no_ramp(void **state)
{
    static const char *const kind[] = { "heat", "matrix" };
    static const double value[] = { 0, 1, 20, 300, 4000, 10000 };

    (void)state;
    for (int i = 0; i < 8; i++) {
        size_t light = 0, coloured = 0, said = 0;
        struct chart c;
        struct svg s;

        chart_init(&c, kind[i % 2]);
        c.z.scale = i / 2 % 2 ? SCALE_LOG : SCALE_AUTO;
        for (int row = 0; row < 6; row++)
            for (int column = 0; column < 6; column++)
                datum(&c, "", (struct datum){ .x = column, .y = row, .z = value[(row * 7 + column) % 6], .lo = NAN,
                      .hi = NAN });
        draw(&s, &c, i < 4 ? 84 : 160);
        for (size_t k = 0; k < s.nitem; k++) {
            const unsigned fill = s.item[k].fill;

            said += s.item[k].text && strcmp(s.item[k].text, "0") == 0 &&
                svg_within(&s, s.item[k].group, "legend") >= 0;
            if (s.item[k].text || fill == SVG_NONE || svg_within(&s, s.item[k].group, "panel") < 0)
                continue;
            light += fill % 256 * 0x010101 == fill && fill >= 0xe0e0e0;
            coloured += fill % 256 * 0x010101 != fill;
        }
        assert_int_equal(light, 6);
        assert_int_equal(coloured, 30);
        assert_int_equal(said, 1);
        svg_release(&s);
        chart_release(&c);
    }
}

/* ---- lines on each other ----------------------------------------------------------------------------- */

/* Of equal lines one is drawn, under all their names. */
static void equal_lines_share_a_name(void **state)
{
    static const char *const kind[] = { "line", "cumulative" };

    (void)state;
    for (int i = 0; i < 6; i++) {
        size_t series = 0, said = 0;
        struct chart c;
        struct svg s;

        chart_init(&c, kind[i % 2]);
        for (int k = 1; k < 9; k++) {
            datum(&c, "binomial", (struct datum){ .x = k, .y = k * k, .z = NAN, .lo = NAN, .hi = NAN });
            datum(&c, "two-level", (struct datum){ .x = k, .y = k * k, .z = NAN, .lo = NAN, .hi = NAN });
            if (i < 4)
                datum(&c, "chain", (struct datum){ .x = k, .y = 70 - k, .z = NAN, .lo = NAN, .hi = NAN });
        }
        draw(&s, &c, i < 2 ? 84 : 160);
        for (size_t k = 0; k < s.ngroup; k++)
            series += strcmp(s.group[k].name, "series") == 0;
        for (size_t k = 0; k < s.nitem; k++)
            said += s.item[k].text && strcmp(s.item[k].text, "binomial = two-level") == 0;
        assert_int_equal(series, i < 4 ? 2 : 1);
        assert_int_equal(said, 1);
        svg_release(&s);
        chart_release(&c);
    }
}

int main(void)
{
    const struct CMUnitTest test[] = { cmocka_unit_test(names_stand_at_their_points),
                                       cmocka_unit_test(zeros_are_in_no_ramp),
                                       cmocka_unit_test(equal_lines_share_a_name) };

    return cmocka_run_group_tests_name("figures say what the data say", test, NULL, NULL);
}
