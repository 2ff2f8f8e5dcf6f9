/* Narrow pages: names beside lines and legends among the data lie on nothing, every series is named, panels have their
 * share of a page that grows, bars lie where names are long, and panels have axes of their own. */
#include <string.h>

#include "graph/base/mem.h"
#include "graph/numeric/rng.h"
#include "render/chart/chart.h"
#include "render/figure/frame.h"
#include "tests/support/boxes.h"
#include "tests/support/check.h"
#include "tests/support/svg.h"

#define SAMPLES 400

static void lay(struct frame *f, struct canvas *canvas, const struct page *page, const struct chart *c)
{
    struct err err = { ERR_NONE, "" };

    assert_int_equal(canvas_open(canvas, page, &err), 0);
    frame_begin(f, canvas, c);
    f->want.sample = SAMPLE_LINE;
    f->want.direct = f->want.rules = f->want.rule_texts = true;
    assert_int_equal(frame_lay(f, &err), 0);
}

static void some_lines(struct chart *c, size_t lines, struct rng *rng)
{
    static const char *const word[] = { "dor", "ecmp", "valiant", "metapath:sga:1", "min", "a longer name" };
    const double bend = 0.3 + 3 * check_uniform(rng), top = pow(10, (double)rng_below(rng, 5) - 1);

    chart_init(c, "line");
    assert_int_equal(chart_axis(&c->x, "Load", "flits per node and cycle"), 0);
    assert_int_equal(chart_axis(&c->y, "Packet latency", "cycles"), 0);
    for (size_t s = 0; s < lines; s++) {
        const int series = chart_series(c, word[s % 6], 0);
        const double steep = check_uniform(rng), end = 0.4 + 0.6 * check_uniform(rng);

        for (int i = 0; i <= 20; i++)
            assert_int_equal(chart_point(c, series, end * i / 20, top * (0.1 + steep * pow(i / 20.0, bend))), 0);
    }
}

/* Any point of any line, by walking along it. */
static bool touches_a_line(const struct frame *f, double x0, double y0, double x1, double y1)
{
    for (size_t i = 0; i < f->chart->nseries; i++) {
        const struct series *s = &f->chart->series[i];
        struct rect a, b;

        for (size_t p = 1; p < s->n; p++) {
            assert_true(frame_point(f, s->at[p - 1].x, s->at[p - 1].y, &a));
            assert_true(frame_point(f, s->at[p].x, s->at[p].y, &b));
            for (int k = 0; k <= SAMPLES; k++) {
                const double t = (double)k / SAMPLES, x = a.x + t * (b.x - a.x), y = a.y + t * (b.y - a.y);

                if (x > x0 && x < x1 && y > y0 && y < y1)
                    return true;
            }
        }
    }
    return false;
}

static void check_names(struct frame *f)
{
    const struct legend *l = &f->legend;
    size_t shown = 0;

    for (size_t i = 0; i < l->n; i++)
        shown += !l->entry[i].told;
    assert_int_equal(shown, legend_names(l));
    assert_int_equal(f->nname + legend_names(l), l->n);
    assert_int_equal(l->nshown, legend_names(l));
    if (l->place == LEGEND_INSIDE)
        assert_false(touches_a_line(f, l->x, l->y, l->x + l->w, l->y + l->h));
    for (size_t i = 0; i < f->nname; i++) {
        const struct name_place *p = &f->name[i];
        const struct text t = { .text = f->chart->series[p->series].name, .size = 7.5 };
        const double x = p->at.x, y = p->at.y;
        double w, h;

        text_measure(f->canvas, &t, &w, &h);
        assert_false(touches_a_line(f, x - p->at.along * w, y - p->at.across * h + 1.5, x + (1 - p->at.along) * w,
                                    y + (1 - p->at.across) * h - 1.5));
        for (size_t k = 0; k < i; k++)
            assert_false(f->beside && fabs(f->name[k].at.y - y) < 0.99 * h);
    }
}

static void names_lie_on_nothing(void **state)
{
    struct rng rng;
    size_t direct = 0, inside = 0, below = 0;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 150; i++) {
        const struct page page = { .width_mm = rng_below(&rng, 2) ? 84 : 60 + 40 * check_uniform(&rng),
                                   .height_mm = 45 + 50 * check_uniform(&rng), .legend = (int)rng_below(&rng, 2) * 4 };
        struct canvas canvas;
        struct chart c;
        struct frame f;

        some_lines(&c, 1 + rng_below(&rng, 6), &rng);
        lay(&f, &canvas, &page, &c);
        check_names(&f);
        direct += f.nname > 0;
        inside += f.legend.place == LEGEND_INSIDE;
        below += f.legend.place == LEGEND_BELOW;
        frame_draw(&f);
        frame_release(&f);
        boxes_check("lines", &canvas);
        canvas_close(&canvas);
        chart_release(&c);
    }
    assert_true(direct > 20 && inside + below > 0);
}

/* What was asked for is done. */
static void legend_goes_where_it_is_wanted(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, 1);
    for (int place = LEGEND_RIGHT; place <= LEGEND_NONE; place++)
        for (int width = 84; width <= 160; width += 76) {
            const struct page page = { .width_mm = width, .height_mm = 70, .legend = place };
            struct canvas canvas;
            struct chart c;
            struct frame f;

            some_lines(&c, 2, &rng);
            lay(&f, &canvas, &page, &c);
            if (place == LEGEND_RIGHT)
                assert_true(f.legend.place == LEGEND_RIGHT && f.legend.x >= f.first.x + f.first.w);
            if (place == LEGEND_BELOW)
                assert_true(f.legend.place == LEGEND_BELOW && f.legend.y >= f.first.y + f.first.h);
            if (place == LEGEND_INSIDE)
                assert_true(f.legend.x >= f.first.x && f.legend.x + f.legend.w <= f.first.x + f.first.w);
            if (place == LEGEND_DIRECT)
                assert_int_equal(f.nname, 2);
            if (place == LEGEND_NONE)
                assert_true(f.legend.nshown == 0 && f.nname == 0);
            frame_release(&f);
            canvas_close(&canvas);
            chart_release(&c);
        }
}

/* Of a page whose height is left open, 55 % at least are data, at 84 and 60 mm; unless it is as high as it may be, one
 * and a half times its width. */
static void page_grows(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 12; i++) {
        const double width = i % 2 ? 84 : 60;
        const struct page asked = { .width_mm = width };
        struct err err = { ERR_NONE, "" };
        struct page page = { .width_mm = width, .fitted = true };
        struct canvas canvas;
        struct sink sink;
        struct chart c;
        struct frame f;
        char *at;

        some_lines(&c, 1 + rng_below(&rng, 12), &rng);
        assert_int_equal(chart_draw(&sink, &c, &asked, plot_find("svg", &err), &err), 0);
        sink_put(&sink, "", 1);
        at = strstr((char *)sink.bytes, "height=\"");
        assert_non_null(at);
        page.height_mm = atof(at + 8) * 25.4 / 72;
        assert_true(page.height_mm >= 0.62 * width && page.height_mm <= 1.51 * width);
        lay(&f, &canvas, &page, &c);
        assert_true(f.first.w * f.first.h >=
                    (page.height_mm < 1.49 * width ? 0.55 : 0.5) * canvas.width * canvas.height);
        check_names(&f);
        frame_release(&f);
        canvas_close(&canvas);
        free(sink.bytes);
        chart_release(&c);
    }
}

/* ---- bars that lie ------------------------------------------------------------------------------------- */

#define BARS 3
struct kept {
    struct rect bar[16];
    size_t n;
};

/* Filled rectangles that are no paper. */
static void keep_path(struct canvas *c, const struct path *p, const struct rgb *fill, double opacity,
                      const struct pen *pen)
{
    struct kept *k = c->own;

    (void)opacity;
    (void)pen;
    if (fill && fill->r + fill->g + fill->b < 2.9 && p->nat == 8 && k->n < 16)
        k->bar[k->n++] = (struct rect){ p->at[0], p->at[1], p->at[4] - p->at[0], p->at[5] - p->at[1] };
}

static void keep_text(struct canvas *c, double ox, double oy, double angle, double x, double y, const struct rgb *ink,
                      double halo)
{
    (void)c, (void)ox, (void)oy, (void)angle, (void)x, (void)y, (void)ink, (void)halo;
}

static void keep_clip(struct canvas *c, const struct rect *r)
{
    (void)c, (void)r;
}

static void keep_unclip(struct canvas *c)
{
    (void)c;
}

static void bars_with_long_names_lie(void **state)
{
    static const struct device device = { .path = keep_path, .text = keep_text, .clip = keep_clip,
                                          .unclip = keep_unclip };
    static const char *const name[BARS] = { "Fat tree with a taper of two", "Dragonfly of nine groups", "Torus, 6-D" };
    static const double value[BARS] = { 2, 5, 10 };

    (void)state;
    for (int width = 60; width <= 84; width += 24) {
        const struct page page = { .width_mm = width, .height_mm = 60 };
        struct err err = { ERR_NONE, "" };
        struct kept kept = { .n = 0 };
        struct canvas canvas;
        struct chart c;

        chart_init(&c, "bar");
        for (int i = 0; i < BARS; i++)
            chart_point(&c, chart_series(&c, "", 0), chart_category(&c.x, name[i]), value[i]);
        assert_int_equal(canvas_open(&canvas, &page, &err), 0);
        canvas.device = &device;
        canvas.own = &kept;
        assert_int_equal(chart_find("bar", NULL)->draw(&canvas, &c, &err), 0);
        boxes_check("bars", &canvas);
        assert_int_equal(kept.n, BARS);
        for (int i = 0; i < BARS; i++) {
            assert_true(fabs(kept.bar[i].x - kept.bar[0].x) < 1e-9);
            assert_true(fabs(fabs(kept.bar[i].w) * value[0] - fabs(kept.bar[0].w) * value[i]) < 1e-6);
            assert_true(i == 0 || kept.bar[i].y > kept.bar[i - 1].y);   /* the first on top */
        }
        canvas.device = NULL;
        canvas_close(&canvas);
        chart_release(&c);
    }
}

/* ---- axes of panels ------------------------------------------------------------------------------------ */

static void panels_have_axes(void **state)
{
    static const char *const title[] = { "Latency", "Bandwidth", "Balance" }, *const unit[] = { "us", "Gbit/s", NULL };
    static const double factor[] = { 1, 1e6, -3 };
    struct canvas canvas;
    struct chart c;
    struct frame f;

    (void)state;
    chart_init(&c, "line");
    for (size_t p = 0; p < 3; p++) {
        assert_int_equal(chart_panel(&c, title[p]), (int)p);
        for (int i = 0; i < 9; i++)
            chart_point(&c, chart_series(&c, "dor", p), i, factor[p] * i);
    }
    c.panel_y = calloc(3, sizeof *c.panel_y);
    assert_non_null(c.panel_y);
    for (size_t p = 0; p < 3; p++) {
        c.panel_y[p].from = c.panel_y[p].to = NAN;
        chart_axis(&c.panel_y[p], title[p], unit[p]);
    }
    for (int width = 60; width <= 160; width += 50) {
        lay(&f, &canvas, &(struct page){ .width_mm = width, .height_mm = 100 }, &c);
        for (size_t p = 0; p < 3; p++) {
            struct rect lo, hi;

            frame_panel(&f, p);
            assert_true(frame_point(&f, 0, 0, &lo) && frame_point(&f, 8, 8 * factor[p], &hi));
            assert_true(frame_inside(&f, &lo) && frame_inside(&f, &hi));
            assert_true(fabs(hi.y - lo.y) > 0.8 * f.data.h);
            assert_true(strstr(f.up->name, title[p]) != NULL && (!unit[p] || strstr(f.up->name, unit[p]) != NULL));
            frame_panel_end(&f);
        }
        frame_draw(&f);
        boxes_check("panels", &canvas);
        frame_release(&f);
        canvas_close(&canvas);
    }
    chart_release(&c);
}

/* ---- ticks --------------------------------------------------------------------------------------------- */

static double extent(void *arg, const char *markup)
{
    (void)arg;
    return 4.7 * (double)strlen(markup);
}

static void four_ticks_from_20_mm(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 3000; i++) {
        const double length = 57 + 300 * check_uniform(&rng), size = pow(10, (double)rng_below(&rng, 5) - 1);
        const double v[2] = { size * check_uniform(&rng), size * (1.2 + check_uniform(&rng)) };
        const struct ruler up = { length, 5, 26, NULL, NULL }, r = { length, 2, 26, extent, NULL };
        const struct fit how = { .wanted = SCALE_LINEAR, .round = true, .most = ticks_wanted(&up) };
        struct scale s;
        struct ticks t;

        scale_fit(&s, v, 2, &how);
        ticks_choose(&t, &s, &r);
        assert_true(t.n >= 4 || length < 4 * 4.7 * 9);      /* labels that have no room are no loss */
        assert_true(scale_at(&s, v[0]) >= -1e-9 && scale_at(&s, v[1]) <= 1 + 1e-9);
        assert_true(scale_at(&s, v[1]) > 0.8);              /* the axis ends near the data */
    }
}

/* Names of up to 48 letters of few words, as sweeps make them: whatever room they have, they differ when they are cut, and
 * none lies beyond its width; what tells two apart is the first letter in which they differ. */
static void shortened_names_differ(void **state)
{
    static const char *const word[] = { "Recursive", "doubling", "over", "a torus", "a fat tree", "random", "linear",
                                        "placement", "\xc3\xa9tage", "x" };
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int round = 0; round < 300; round++) {
        const struct page page = { .width_mm = 60, .height_mm = 40 };
        const size_t n = 2 + rng_below(&rng, 7);
        const double width = 45 + 100 * check_uniform(&rng);
        char name[8][200];
        struct text text[8], *at[8];
        struct canvas c;
        struct err err = { ERR_NONE, "" };

        assert_int_equal(canvas_open(&c, &page, &err), 0);
        for (size_t i = 0; i < n; i++) {
            size_t len = 0;

            for (int k = 0; k < 7; k++)
                len += (size_t)sprintf(name[i] + len, "%s%s", k ? " " : "",
                                       word[k != 2 && k != 5 ? k : (int)rng_below(&rng, 10)]);
            sprintf(name[i] + len, " %zu", i);
            text[i] = (struct text){ .text = name[i], .size = SIZE_LEAST, .width = width,
                                     .lines = 1 + (int)rng_below(&rng, 2) };
            at[i] = &text[i];
        }
        text_shorten(&c, at, n);
        for (size_t i = 0; i < n; i++) {
            const bool numbered = text[i].text[0] == (char)('1' + i) && text[i].text[1] == ':';

            if (text[i].text != name[i] && !numbered && text_cut(&c, &text[i]))
                fail_msg("'%s' is wider than %g", text[i].text, width);
            if (text[i].text == name[i] && text_cut(&c, &text[i]))
                fail_msg("'%s' is cut without its name shortened", name[i]);
            for (size_t k = 0; k < i; k++)
                if (strcmp(text[i].text, text[k].text) == 0)
                    fail_msg("seed %lu: '%s' and '%s' are both '%s'", (unsigned long)check_seed(), name[i], name[k],
                             text[i].text);
        }
        canvas_close(&c);
    }
}

static void check_shortened(const char *path, bool told, bool expected)
{
    static const char dots[] = "\xe2\x80\xa6";
    struct svg svg;
    bool cut = false, said = false;

    svg_read(&svg, path);
    for (size_t i = 0; i < svg.nitem; i++) {
        cut = cut || (svg.item[i].text && strstr(svg.item[i].text, dots));
        said = said || (svg.item[i].text && strstr(svg.item[i].text, "shortened"));
    }
    svg_release(&svg);
    assert_int_equal(cut, expected);
    assert_int_equal(said, expected);
    assert_int_equal(told, expected);
}

/* The foot says that names are shortened, if and only if some are. */
static void shortened_names_are_told(void **state)
{
    static const double page[][2] = { { 60, 40 }, { 84, 0 }, { 88.9, 0 }, { 160, 0 } };

    (void)state;
    for (size_t i = 0; i < sizeof page / sizeof *page; i++)
        for (int kind = 0; kind < 2; kind++) {
            char told[PAGE_TOLD] = "";
            const struct page own = { .width_mm = page[i][0], .height_mm = page[i][1], .told = told };
            struct err err = { ERR_NONE, "" };
            struct chart c;

            chart_init(&c, kind ? "line" : "bar");
            for (int s = 0; s < 6; s++) {
                char name[80];

                sprintf(name, "Recursive doubling over %s with %s placement",
                        s < 2 ? "the torus" : s < 4 ? "the fat tree" : "a hypercube", s % 2 ? "random" : "linear");
                for (int x = 0; x < (kind ? 3 : 1); x++)
                    assert_int_equal(chart_point(&c, chart_series(&c, kind ? name : "", 0),
                                                 kind ? x : chart_category(&c.x, name), 1 + s), 0);
            }
            if (chart_write(&c, &own, "out/shortened.svg", &err) < 0)
                fail_msg("%s", err.msg);
            check_shortened("out/shortened.svg", strstr(told, "Names are shortened.") != NULL, i == 0);
            chart_release(&c);
        }
    remove("out/shortened.svg");
}

int main(void)
{
    const struct CMUnitTest test[] = {
        cmocka_unit_test(names_lie_on_nothing), cmocka_unit_test(legend_goes_where_it_is_wanted),
        cmocka_unit_test(page_grows), cmocka_unit_test(bars_with_long_names_lie), cmocka_unit_test(panels_have_axes),
        cmocka_unit_test(four_ticks_from_20_mm), cmocka_unit_test(shortened_names_differ),
        cmocka_unit_test(shortened_names_are_told),
    };

    return cmocka_run_group_tests_name("names on narrow pages", test, NULL, NULL);
}
