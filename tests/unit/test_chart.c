/* Every kind of chart on every plot format with the data that break charts; and where things stand on the page. */
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "graph/base/csv.h"
#include "graph/numeric/rng.h"
#include "render/figure/frame.h"
#include "render/table/from_csv.h"
#include "render/chart/from_table.h"
#include "graph/numeric/regress.h"
#include "tests/support/check.h"
#include "tests/support/boxes.h"

static void add(struct chart *c, const char *series, double x, double y)
{
    assert_int_equal(chart_point(c, chart_series(c, series, 0), x, y), 0);
}

/* ---- awkward data ------------------------------------------------------------------------------------ */

static void no_series(struct chart *c)
{
    (void)c;
}

static void no_points(struct chart *c)
{
    assert_int_equal(chart_series(c, "empty", 0), 0);
    assert_int_equal(chart_series(c, NULL, 0), 1);
}

static void one_point(struct chart *c)
{
    add(c, "", 3, 4);
}

static void all_equal(struct chart *c)
{
    for (int i = 0; i < 5; i++)
        add(c, "same", strcmp(c->kind, "bar") == 0 ? i : 7, 7);
}

static void only_nan(struct chart *c)
{
    add(c, "a", NAN, 1);
    add(c, "a", 1, NAN);
    add(c, "b", INFINITY, -INFINITY);
}

static void with_gaps(struct chart *c)
{
    for (int i = 0; i < 12; i++)
        add(c, "a", i % 5 == 2 ? (double)NAN : i, i % 4 == 1 ? (double)INFINITY : i % 3 == 1 ? (double)NAN : i);
}

static void negative_on_log(struct chart *c)
{
    c->x.scale = c->y.scale = SCALE_LOG;
    for (int i = -3; i < 9; i++)
        add(c, "a", i, i * i * i);
}

static void nothing_on_log(struct chart *c)
{
    c->y.scale = SCALE_LOG;
    add(c, "a", 1, -1);
}

static void extremes(struct chart *c)
{
    add(c, "a", 1e-300, -1e300);
    add(c, "a", 1e300, 1e300);
    add(c, "b", 4.9e-324, 1.7e308);
    add(c, "b", 1, -1.7e308);
}

static void many_series(struct chart *c)
{
    char name[40];

    for (int s = 0; s < 200; s++)
        for (int i = 0; i < 5; i++) {
            snprintf(name, sizeof name, "series number %d", s);
            add(c, name, i, s * i);
        }
}

static void many_points(struct chart *c)
{
    char name[8];

    for (int i = 0; i < 10000; i++)
        for (int s = 0; s < 3; s++) {
            snprintf(name, sizeof name, "%d", s);
            if (strcmp(c->kind, "bar") != 0 || i < 100)
                add(c, name, i, sin(i / 50.0) + s);
        }
}

static void long_words(struct chart *c)
{
    char word[201];

    memset(word, 'w', 200);
    word[200] = '\0';
    c->title = strdup(word);
    assert_int_equal(chart_axis(&c->x, word, word), 0);
    assert_int_equal(chart_axis(&c->y, word, word), 0);
    for (int i = 0; i < 12; i++) {
        word[0] = (char)('a' + i);
        add(c, word, chart_category(&c->x, word), i);
        add(c, "x", i, 1);
    }
}

static void strange_words(struct chart *c)
{
    c->title = strdup("<b>&amp; שלום \xff\n\x1b[1m");
    assert_int_equal(chart_axis(&c->x, "العربية & <i>", "</span>"), 0);
    assert_int_equal(chart_axis(&c->y, "", "\xc3"), 0);
    add(c, "سلسلة", chart_category(&c->x, "תווית ארוכה מאוד שאין לה מקום"), 1);
    add(c, "<\"surface12\">", chart_category(&c->x, ""), 2);
    add(c, "\xe4\xb8\xad\xe6\x96\x87", chart_category(&c->x, "e\xcc\x81\xf0\x9f\x98\x80"), 3);
}

static const struct data {
    const char *name;
    void (*fill)(struct chart *c);
    size_t infinite, negative;
    bool none;                  /* nothing can be drawn */
} awkward[] = {
    { "no series", no_series, 0, 0, true },
    { "no points", no_points, 0, 0, true },
    { "one point", one_point, 0, 0, false },
    { "all equal", all_equal, 0, 0, false },
    { "only NaN and infinities", only_nan, 1, 0, true },
    { "gaps", with_gaps, 3, 0, false },
    { "negative on a logarithmic axis", negative_on_log, 0, 4, false },
    { "nothing on a logarithmic axis", nothing_on_log, 0, 1, true },
    { "extremes", extremes, 0, 0, false },
    { "200 series", many_series, 0, 0, false },
    { "10000 points", many_points, 0, 0, false },
    { "labels of 200 characters", long_words, 0, 0, false },
    { "markup, other scripts, bad bytes", strange_words, 0, 0, false },
};

/* What the columns of a table would have been refused for: kinds that show z get some, and points on a grid; those that
 * need no groups have one; those that need numbers along x have no categories. */
static void suit(struct chart *c, const struct chart_kind *kind)
{
    const bool z = kind->needs & ROLE_Z;

    for (size_t i = 0; z && i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++) {
            struct datum *d = &c->series[i].at[p];

            if (c->series[i].n > 1000) {
                d->x = (double)(p % 100);
                d->y = (double)(p / 100);
            }
            d->z = p % 7 == 3 ? d->x : d->y;
        }
    while (z && !(kind->needs & ROLE_GROUP) && c->nseries > 1) {
        struct series *last = &c->series[--c->nseries];

        for (size_t p = 0; p < last->n; p++)
            assert_int_equal(chart_datum(c, 0, last->at[p]), 0);
        free(last->at);
        free(last->name);
    }
    while (kind->numbers_x && c->x.ncategory)
        free(c->x.category[--c->x.ncategory]);
}

/* With fewer pixels than usual: to make and to compress them is most of the work. */
static void drawn(struct sink *s, const struct chart *c, const struct plot_format *f)
{
    static const struct page page = { .dpi = 100 };
    struct err err = { ERR_NONE, "" };

    if (chart_draw(s, c, &page, f, &err) < 0)
        fail_msg("%s", err.msg);
    assert_true(s->n > 500);
}

static void check_bytes(const struct sink *s, const char *format)
{
    if (strcmp(format, "pdf") == 0) {
        assert_memory_equal(s->bytes, "%PDF", 4);
        assert_memory_equal(s->bytes + s->n - 6, "%%EOF\n", 6);
        assert_null(memmem(s->bytes, s->n, "/CreationDate", 13));
        assert_null(memmem(s->bytes, s->n, "/ModDate", 8));
    } else if (strcmp(format, "png") == 0) {
        assert_memory_equal(s->bytes, "\x89PNG\r\n\x1a\n", 8);
        assert_memory_equal(s->bytes + s->n - 8, "IEND\xae\x42\x60\x82", 8);
    } else if (strcmp(format, "svg") == 0) {
        assert_memory_equal(s->bytes, "<?xml", 5);
        assert_memory_equal(s->bytes + s->n - 7, "</svg>\n", 7);
    }
}

/* Nothing else in the process may leave a trace in the bytes: another figure is drawn between two equal ones. */
static void awkward_chart(void **state)
{
    const struct data *d = *state;

    for (size_t k = 0; chart_all[k]; k++)
        for (size_t f = 0; plot_all[f]; f++) {
            struct sink once, between, again;
            struct chart c, other;

            chart_init(&c, chart_all[k]->name);
            d->fill(&c);
            suit(&c, chart_all[k]);
            chart_init(&other, "line");
            add(&other, "other", 1, 2);
            drawn(&once, &c, plot_all[f]);
            drawn(&between, &other, plot_all[f]);
            drawn(&again, &c, plot_all[f]);
            check_bytes(&once, plot_all[f]->name);
            assert_int_equal(once.n, again.n);
            assert_memory_equal(once.bytes, again.bytes, once.n);
            free(once.bytes);
            free(between.bytes);
            free(again.bytes);
            chart_release(&c);
            chart_release(&other);
        }
}

/* ---- where things stand ------------------------------------------------------------------------------ */

struct box {
    double x0, y0, x1, y1;
};

/* In coordinates turned with the text, so that texts of one angle have upright boxes. */
static struct box box_of(const struct place *p)
{
    double c = cos(p->angle), s = sin(p->angle), u = c * p->x + s * p->y, v = -s * p->x + c * p->y;

    return (struct box){ u - p->along * p->w, v - p->across * p->h, u + (1 - p->along) * p->w,
                         v + (1 - p->across) * p->h };
}

/* On the page. */
static struct box hull_of(const struct place *p)
{
    struct box b = box_of(p), h = { INFINITY, INFINITY, -INFINITY, -INFINITY };
    double c = cos(p->angle), s = sin(p->angle);

    for (int i = 0; i < 4; i++) {
        double u = i & 1 ? b.x0 : b.x1, v = i & 2 ? b.y0 : b.y1, x = c * u - s * v, y = s * u + c * v;

        h = (struct box){ fmin(h.x0, x), fmin(h.y0, y), fmax(h.x1, x), fmax(h.y1, y) };
    }
    return h;
}

static bool touch(struct box a, struct box b)
{
    const double eps = 0.05;

    return a.x0 < b.x1 - eps && b.x0 < a.x1 - eps && a.y0 < b.y1 - eps && b.y0 < a.y1 - eps;
}

static void check_apart(const struct place *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            assert_false(touch(box_of(&p[i]), box_of(&p[j])));
}

static void check_inside(const struct frame *f, struct box b)
{
    const double eps = 0.5;

    assert_true(b.x0 >= -eps && b.y0 >= -eps);
    assert_true(b.x1 <= f->canvas->width + eps && b.y1 <= f->canvas->height + eps);
}

/* The names of the axes and of the figure keep off everything else. */
static void check_title(const struct frame *f, const struct place *p, struct box data, struct box legend)
{
    struct box b = hull_of(p);

    if (!p->text.text)
        return;
    check_inside(f, b);
    assert_false(touch(b, data));
    assert_false(f->legend.n && touch(b, legend));
    for (size_t i = 0; i < f->nxlabel; i++)
        assert_false(touch(b, hull_of(&f->xlabel[i])));
    for (size_t i = 0; i < f->up->nlabel; i++)
        assert_false(touch(b, hull_of(&f->up->label[i])));
}

static void check_page(const struct frame *f)
{
    struct box data = { f->data.x, f->data.y, f->data.x + f->data.w, f->data.y + f->data.h };
    struct box legend = { f->legend.x, f->legend.y, f->legend.x + f->legend.w, f->legend.y + f->legend.h };

    assert_true(f->data.w >= 20 && f->data.h >= 20);
    check_inside(f, data);
    check_apart(f->xlabel, f->nxlabel);
    check_apart(f->up->label, f->up->nlabel);
    for (size_t i = 0; i < f->nxlabel; i++) {
        check_inside(f, hull_of(&f->xlabel[i]));
        for (size_t j = 0; j < f->up->nlabel; j++)
            assert_false(touch(hull_of(&f->xlabel[i]), hull_of(&f->up->label[j])) && f->xlabel[i].angle == 0);
        assert_false(f->legend.n && touch(hull_of(&f->xlabel[i]), legend));
    }
    for (size_t i = 0; i < f->up->nlabel; i++)
        check_inside(f, hull_of(&f->up->label[i]));
    check_title(f, &f->title, data, legend);
    check_title(f, &f->xtitle, data, legend);
    check_title(f, &f->up->title, data, legend);
    assert_false(touch(hull_of(&f->title), hull_of(&f->up->title)) && f->title.text.text);
    if (f->legend.n) {
        if (f->legend.place == LEGEND_INSIDE)
            data = (struct box){ legend.x1, legend.y1, legend.x0, legend.y0 };      /* in the panel, on no data */
        assert_false(touch(data, legend));
        check_inside(f, legend);
    }
}

static void lay(struct frame *f, struct canvas *canvas, const struct page *page, const struct chart *c, bool bars)
{
    struct err err = { ERR_NONE, "" };

    assert_int_equal(canvas_open(canvas, page, &err), 0);
    frame_begin(f, canvas, c);
    f->want.bars = bars;
    assert_int_equal(frame_lay(f, &err), 0);
}

static void awkward_page(void **state)
{
    const struct data *d = *state;
    struct canvas canvas;
    struct chart c;
    struct frame f;

    chart_init(&c, "line");
    d->fill(&c);
    lay(&f, &canvas, NULL, &c, false);
    check_page(&f);
    assert_int_equal(f.infinite, d->infinite);
    assert_int_equal(f.negative, d->negative);
    assert_int_equal(f.drawn == 0, d->none);
    frame_release(&f);
    canvas_close(&canvas);
    chart_release(&c);
}

static void any_words(char out[60], struct rng *rng)
{
    size_t n = 1 + rng_below(rng, 1 + rng_below(rng, 58));

    for (size_t i = 0; i < n; i++)
        out[i] = "abcdefgh ijklmWWW0123456789"[rng_below(rng, 27)];
    out[n] = '\0';
}

static void any_chart(struct chart *c, struct page *page, struct rng *rng)
{
    size_t nseries = 1 + rng_below(rng, rng_below(rng, 4) ? 8 : 60), n = 1 + rng_below(rng, 40);
    bool categories = rng_below(rng, 2), numbers = rng_below(rng, 2);
    double large = pow(10, (double)rng_below(rng, 16) - 5), wide = (double)rng_below(rng, 8);
    char words[60];

    chart_init(c, "line");
    *page = (struct page){ .width_mm = 70 + 200 * check_uniform(rng), .height_mm = 60 + 140 * check_uniform(rng) };
    any_words(words, rng);
    chart_axis(&c->x, words, "unit");
    chart_axis(&c->y, words, rng_below(rng, 2) ? "hops" : NULL);
    for (size_t s = 0; s < nseries; s++)
        for (size_t i = 0; i < n; i++) {
            double x = (double)i * large, y = large * pow(10, wide * check_uniform(rng)) * (rng_below(rng, 9) ? 1 : -1);

            snprintf(words, sizeof words, "%zu", i << i % 20);
            if (!numbers)
                any_words(words, rng);
            if (categories && s == 0)
                chart_category(&c->x, words);
            any_words(words, rng);
            if (i == 0)
                snprintf(words + strlen(words) / 2, sizeof words - strlen(words) / 2, "%zu", s);
            if (i == 0)
                chart_series(c, words, 0);
            if (s < c->nseries)
                chart_point(c, (int)s, categories ? (double)i : x, y);
        }
}

static void any_page(void **state)
{
    struct rng rng;

    (void)state;
    rng_seed(&rng, check_seed());
    for (int i = 0; i < 300; i++) {
        struct canvas canvas;
        struct page page;
        struct chart c;
        struct frame f;

        any_chart(&c, &page, &rng);
        lay(&f, &canvas, &page, &c, rng_below(&rng, 2));
        check_page(&f);
        frame_release(&f);
        canvas_close(&canvas);
        chart_release(&c);
    }
}

/* ---- where all text stands, whatever draws it --------------------------------------------------------- */

/* Up to n different names, or numbers as names. */
static void any_categories(struct axis *a, size_t n, struct rng *rng)
{
    bool numbers = rng_below(rng, 3) == 0;
    char words[60];

    for (size_t i = 0; i < n; i++) {
        any_words(words, rng);
        if (numbers)
            snprintf(words, sizeof words, "%zu", i << i % 20);
        assert_true(chart_category(a, words) >= 0);
    }
}

struct any_axis {
    size_t n;                   /* places */
    double first, step, factor;
};

static double any_place(const struct any_axis *a, size_t i)
{
    return a->factor > 0 ? a->first * pow(a->factor, (double)i) : a->first + a->step * (double)i;
}

static void any_axis(struct any_axis *out, struct axis *a, bool categories, struct rng *rng)
{
    static const double factor[] = { 0, 0, 2, 10, 1.3 };
    char words[60];

    *out = (struct any_axis){ 1 + rng_below(rng, 14), 0, 1, 0 };
    any_words(words, rng);
    assert_int_equal(chart_axis(a, rng_below(rng, 6) ? words : NULL, rng_below(rng, 2) ? "hops" : NULL), 0);
    if (categories) {
        any_categories(a, out->n, rng);
        out->n = a->ncategory;
        return;
    }
    out->factor = factor[rng_below(rng, 5)];
    out->step = pow(10, (double)rng_below(rng, 16) - 5) * (1 + check_uniform(rng));
    out->first = out->factor > 0 ? out->step : out->step * (double)rng_below(rng, 30);
}

/* On a grid of random places with gaps, which suits all kinds; z and y vary as much. */
static void any_points(struct chart *c, const struct chart_kind *kind, int series, const struct any_axis *x,
                       const struct any_axis *y, struct rng *rng)
{
    double large = pow(10, (double)rng_below(rng, 16) - 5), wide = (double)rng_below(rng, 8);

    for (size_t j = 0; j < (kind->needs & ROLE_Z ? y->n : 1); j++)
        for (size_t i = 0; i < x->n; i++) {
            double v = large * pow(10, wide * check_uniform(rng)) * (rng_below(rng, 20) ? 1 : -1);
            struct datum d = { .x = any_place(x, i), .y = v, .z = NAN, .lo = NAN, .hi = NAN };

            if (kind->needs & ROLE_Z) {
                d.y = any_place(y, j);
                d.z = c->z.ncategory ? (double)rng_below(rng, (uint32_t)c->z.ncategory) : v;
            }
            if (kind->intervals) {
                d.y = any_place(y, rng_below(rng, (uint32_t)y->n));
                d.z = v;
            }
            if (rng_below(rng, 12))
                assert_int_equal(chart_datum(c, series, d), 0);
        }
}

static void any_rules(struct chart *c, const struct any_axis *x, struct rng *rng)
{
    char words[60];

    for (size_t n = rng_below(rng, 3) ? 0 : rng_below(rng, 12); n > 0; n--) {
        double at = any_place(x, rng_below(rng, (uint32_t)x->n)) * (1 + check_uniform(rng) * (double)rng_below(rng, 3));

        any_words(words, rng);
        assert_int_equal(chart_rule(c, at, words, rng_below(rng, 2) ? RULE_GREY : rng_below(rng, 9),
                                    rng_below(rng, 2) ? RULE_EVERYWHERE : rng_below(rng, 5)), 0);
    }
}

static void any_kind_chart(struct chart *c, struct page *page, const struct chart_kind *kind, struct rng *rng)
{
    const bool z = kind->needs & ROLE_Z, groups = !z || kind->needs & ROLE_GROUP;
    size_t nseries = !groups ? 1 : 1 + rng_below(rng, rng_below(rng, 4) ? 8 : 60);
    size_t npanel = rng_below(rng, 2) ? 0 : 1 + rng_below(rng, 8);
    struct any_axis x, y;
    char words[60];

    chart_init(c, kind->name);
    *page = (struct page){ .width_mm = 70 + 200 * check_uniform(rng), .height_mm = 60 + 140 * check_uniform(rng) };
    any_words(words, rng);
    c->title = rng_below(rng, 2) ? strdup(words) : NULL;
    c->best_most = rng_below(rng, 2);
    any_axis(&x, &c->x, kind->x_categories || (!kind->numbers_x && rng_below(rng, 2)), rng);
    any_axis(&y, &c->y, (z || kind->intervals) && rng_below(rng, 2), rng);
    assert_int_equal(chart_axis(&c->z, z ? "Value" : NULL, NULL), 0);
    if (z && kind->words_z && rng_below(rng, 3) == 0)
        any_categories(&c->z, 1 + rng_below(rng, 20), rng);
    for (size_t i = 0; i < npanel; i++) {
        any_words(words, rng);
        assert_true(chart_panel(c, words) >= 0);
    }
    for (size_t s = 0; s < nseries; s++) {
        any_words(words, rng);
        for (size_t p = 0; p < (npanel ? c->npanel : 1); p++)
            any_points(c, kind, chart_series(c, groups ? words : "", p), &x, &y, rng);
    }
    any_rules(c, &x, rng);
}

static void any_kind_page(void **state)
{
    uint64_t seed = check_seed();
    size_t drawn = 0, shrunk = 0;
    struct rng rng;

    (void)state;
    for (size_t k = 0; chart_all[k]; k++) {
        rng_seed(&rng, seed);
        for (int i = 0; i < 60; i++) {
            struct err err = { ERR_NONE, "" };
            struct canvas canvas;
            struct page page;
            struct chart c;

            any_kind_chart(&c, &page, chart_all[k], &rng);
            for (bool fits = false; !fits;) {           /* letters shrink until they have room, as plot.h says */
                assert_int_equal(canvas_open(&canvas, &page, &err), 0);
                if (chart_all[k]->draw(&canvas, &c, &err) < 0) {
                    if (err.code != ERR_DOMAIN)         /* too many panels for the page */
                        fail_msg("%s, chart %d: %s", chart_all[k]->name, i, err.msg);
                    fits = true;
                } else if (!(fits = boxes_fit(&canvas)) && canvas_letters(&page) <= LETTERS_LEAST)
                    boxes_check(chart_all[k]->name, &canvas);
                page.font_size = fmax(0.9 * canvas_letters(&page), LETTERS_LEAST);
                shrunk += !fits;
                canvas_close(&canvas);
            }
            drawn++;
            chart_release(&c);
        }
    }
    assert_true(shrunk < drawn / 20);           /* they seldom have to */
}

static void check_boxes(const struct chart *c, const struct page *page, const char *what)
{
    struct err err = { ERR_NONE, "" };
    struct canvas canvas;

    assert_int_equal(canvas_open(&canvas, page, &err), 0);
    if (chart_find(c->kind, NULL)->draw(&canvas, c, &err) < 0)
        fail_msg("%s: %s", what, err.msg);
    boxes_check(what, &canvas);
    canvas_close(&canvas);
}

/* Two names along x, long enough to be turned, on a page much higher than wide. */
static void long_names_on_a_high_page(struct chart *c)
{
    static const char *const name[] = { "Weighted metapath of 852 alternatives, 11 hops", "Metapath of two" };
    char row[40];

    assert_int_equal(chart_axis(&c->y, "traffic", "hops"), 0);
    assert_int_equal(chart_axis(&c->z, "Value", NULL), 0);
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < 2; i++) {
            snprintf(row, sizeof row, "traffic %d at the higher of two loads", j);
            assert_int_equal(chart_category(&c->x, name[i]), i);
            assert_int_equal(chart_category(&c->y, row), j);
            assert_int_equal(chart_datum(c, chart_series(c, "", 0), (struct datum){ .x = i, .y = j,
                                         .z = 1e8 * (j - 3 * i), .lo = NAN, .hi = NAN }), 0);
        }
}

/* Between words each cell says its gain; along x cells grow, and values stand nearer to their left edges. */
static void gains_in_growing_cells(struct chart *c)
{
    static const char *const name[] = { "mesh", "torus", "star" };
    static const double x[] = { 1, 2, 4 }, z[2][3] = { { 27.3, 1215, 1215 }, { 1, 1, 1 } };

    c->x.scale = SCALE_LINEAR;
    for (int s = 0; s < 2; s++)
        for (int j = 0; j < 3; j++)
            for (int i = 0; i < 3; i++) {
                assert_int_equal(chart_category(&c->y, name[j]), j);
                assert_int_equal(chart_datum(c, chart_series(c, s ? "dor" : "drb", 0), (struct datum){ .x = x[i],
                                             .y = j, .z = z[s][i], .lo = NAN, .hi = NAN }), 0);
            }
}

static const struct fixed {
    const char *name, *kind;
    void (*fill)(struct chart *c);
    struct page page;
} fixed_rows[] = {
    { "long names on a high page", "heat", long_names_on_a_high_page, { .width_mm = 76, .height_mm = 198 } },
    { "gains in growing cells", "decision", gains_in_growing_cells, { .width_mm = 64, .height_mm = 131 } },
};

static void fixed_page(void **state)
{
    const struct fixed *r = *state;
    struct chart c;

    chart_init(&c, r->kind);
    r->fill(&c);
    check_boxes(&c, &r->page, r->name);
    chart_release(&c);
}

/* ---- files ------------------------------------------------------------------------------------------- */

static void refuses_other_extensions(void **state)
{
    static const struct {
        const char *path, *says;
    } rows[] = { { "a.gif", ".pdf, .png or .svg" }, { "a.sgv", "did you mean '.svg'?" }, { "a", ".pdf, .png or .svg" },
                 { "", ".svg" }, { "a.svg/b", ".svg" } };
    struct err err;

    (void)state;
    EACH_ROW(i, rows) {
        err = (struct err){ ERR_NONE, "" };
        assert_int_equal(figure_check_path(rows[i].path, &err), -1);
        assert_int_equal(err.code, ERR_USAGE);
        assert_non_null(strstr(err.msg, rows[i].says));
    }
    assert_int_equal(figure_check_path("dir.x/a.PDF", &err), 0);
}

static void full_disk(void **state)
{
    char dir[] = "/tmp/chart-XXXXXX", link[64];
    struct err err;
    struct chart c;

    (void)state;
    assert_non_null(mkdtemp(dir));
    chart_init(&c, "line");
    add(&c, "a", 1, 2);
    for (size_t f = 0; plot_all[f]; f++) {
        err = (struct err){ ERR_NONE, "" };
        snprintf(link, sizeof link, "%s/full%s", dir, plot_all[f]->extension);
        assert_int_equal(symlink("/dev/full", link), 0);
        assert_int_equal(chart_write(&c, NULL, link, &err), -1);
        assert_int_equal(err.code, ERR_IO);
        assert_non_null(strstr(err.msg, "No space left"));
        assert_int_equal(unlink(link), 0);
        assert_int_equal(chart_write(&c, NULL, link, &err), 0);
        assert_int_equal(unlink(link), 0);
        snprintf(link, sizeof link, "%s/none/x%s", dir, plot_all[f]->extension);
        assert_int_equal(chart_write(&c, NULL, link, &err), -1);
        assert_int_equal(err.code, ERR_IO);
    }
    assert_int_equal(rmdir(dir), 0);                /* nothing is left behind */
    chart_release(&c);
}

static void refuses_sizes_and_kinds(void **state)
{
    static const double size[][2] = { { 1, 100 }, { 100, 1e9 }, { INFINITY, 100 } };
    struct err err;
    struct sink s;
    struct chart c;

    (void)state;
    EACH_ROW(i, size) {
        struct page page = { .width_mm = size[i][0], .height_mm = size[i][1] };

        chart_init(&c, "line");
        assert_int_equal(chart_draw(&s, &c, &page, plot_all[0], &err), -1);
        assert_int_equal(err.code, ERR_USAGE);
    }
    chart_init(&c, "pie");
    assert_int_equal(chart_draw(&s, &c, NULL, plot_all[0], &err), -1);
    assert_int_equal(err.code, ERR_USAGE);
}

/* ---- from tables ------------------------------------------------------------------------------------- */

static const char measured[] =
    "topology,nodes,ports,mean_length_hops,time_us,note\n"
    "torus,64,1,4,10,a\n"
    "torus,16,1,2,20,b\n"
    "mesh,16,1,2.5,nan,\n"
    "# a comment\n"
    "mesh,64,2,5.25,inf,c\n"
    "mesh,,2,9,9,d\n";

static void read_table(struct table *t, struct column **columns, const char *text)
{
    struct err err = { ERR_NONE, "" };
    struct csv csv;

    assert_int_equal(csv_parse(&csv, text, strlen(text), "measured.csv", &err), 0);
    assert_int_equal(table_from_csv(t, columns, &csv, &err), 0);
    csv_release(&csv);
}

static void csv_becomes_table(void **state)
{
    struct column *columns;
    struct table t;

    (void)state;
    read_table(&t, &columns, measured);
    assert_int_equal(table_rows(&t), 5);
    assert_string_equal(columns[3].heading, "Mean length");
    assert_string_equal(columns[3].unit, "hops");
    assert_string_equal(columns[4].unit, "µs");
    assert_null(columns[1].unit);
    assert_int_equal(table_at(&t, 0, 0)->type, CELL_TEXT);
    assert_int_equal(table_at(&t, 0, 1)->type, CELL_INT);
    assert_int_equal(table_at(&t, 4, 1)->type, CELL_NONE);
    assert_int_equal(table_at(&t, 0, 3)->type, CELL_REAL);
    assert_int_equal(table_at(&t, 2, 4)->type, CELL_NONE);
    assert_true(isinf(table_at(&t, 3, 4)->u.real));
    assert_int_equal(table_at(&t, 2, 5)->type, CELL_NONE);
    assert_int_equal(t.line[3], 6);
    table_release(&t);
    free(columns);
}

static const struct field {
    const char *name;
    enum cell_type type;
} fields[] = {
    { "12", CELL_INT }, { "-0", CELL_INT }, { " 7 ", CELL_INT }, { "99999999999999999999", CELL_REAL },
    { "1e3", CELL_REAL }, { ".5", CELL_REAL }, { "1e999", CELL_TEXT }, { "0x10", CELL_TEXT }, { "1,5", CELL_TEXT },
    { "1e", CELL_TEXT }, { "-", CELL_NONE }, { "N/A", CELL_NONE }, { "null", CELL_NONE }, { "none", CELL_TEXT },
      { "", CELL_NONE }, { "NaN", CELL_NONE }, { "-Inf", CELL_REAL },
    { "infinite", CELL_TEXT }, { "12 hops", CELL_TEXT },
};

static void field_is_read(void **state)
{
    const struct field *f = *state;
    char text[40];

    snprintf(text, sizeof text, "%s", f->name);
    assert_int_equal(csv_cell(text).type, f->type);
}

static void table_becomes_lines(void **state)
{
    static const char *const y[] = { "mean_length_hops" }, *const group[] = { "topology", "ports" };
    struct err err = { ERR_NONE, "" };
    struct column *columns;
    struct table t;
    struct chart c;

    (void)state;
    read_table(&t, &columns, measured);
    chart_init(&c, "line");
    assert_int_equal(chart_from_table(&c, &t, &(struct chart_columns){ .x = "nodes", .y = y, .ny = 1, .group = group,
                                      .ngroup = 2 }, &err), 0);
    assert_int_equal(c.nseries, 3);
    assert_string_equal(c.series[0].name, "torus, Ports 1");
    assert_string_equal(c.series[2].name, "mesh, Ports 2");
    assert_true(c.series[0].at[0].x == 16 && c.series[0].at[0].y == 2 && c.series[0].at[1].x == 64);    /* sorted */
    assert_int_equal(c.series[2].n, 1);
    assert_string_equal(c.x.title, "Nodes");
    assert_string_equal(c.y.title, "Mean length");
    assert_string_equal(c.y.unit, "hops");
    assert_int_equal(c.x.ncategory, 0);
    chart_release(&c);
    table_release(&t);
    free(columns);
}

/* Rows as they stand: what a line sorts by x, a path does not. */
static void table_becomes_paths(void **state)
{
    static const char *const y[] = { "mean_length_hops" }, *const group[] = { "topology" };
    static const char *const kind[] = { "line", "path" };
    static const double want[][4] = { { 1, 2, 3, 4 }, { 2, 4, 3, 1 } };
    struct err err = { ERR_NONE, "" };
    struct column *columns;
    struct table t;

    (void)state;
    read_table(&t, &columns, "topology,nodes,mean_length_hops\na,2,10\nb,9,1\na,4,11\na,3,12\nb,8,2\na,1,13\n");
    EACH_ROW(k, kind) {
        struct chart c;

        chart_init(&c, kind[k]);
        assert_int_equal(chart_from_table(&c, &t, &(struct chart_columns){ .x = "nodes", .y = y, .ny = 1,
                                          .group = group, .ngroup = 1 }, &err), 0);
        assert_int_equal(c.nseries, 2);
        assert_int_equal(c.series[0].n, 4);
        for (size_t i = 0; i < 4; i++)
            check_near(c.series[0].at[i].x, want[k][i], 0);
        assert_true(c.series[1].at[0].x == (k ? 9 : 8) && c.series[1].at[1].x == (k ? 8 : 9));
        chart_release(&c);
    }
    table_release(&t);
    free(columns);
}

static void table_becomes_bars(void **state)
{
    static const char *const y[] = { "mean_length_hops", "time_us" };
    struct err err = { ERR_NONE, "" };
    struct column *columns;
    struct table t;
    struct chart c;

    (void)state;
    read_table(&t, &columns, measured);
    chart_init(&c, "bar");
    assert_int_equal(chart_from_table(&c, &t, &(struct chart_columns){ .x = "nodes", .y = y, .ny = 2, .group = NULL,
                                      .ngroup = 0 }, &err), 0);
    assert_int_equal(c.x.ncategory, 2);
    assert_string_equal(c.x.category[0], "16");
    assert_string_equal(c.x.category[1], "64");
    assert_int_equal(c.nseries, 2);
    assert_string_equal(c.series[1].name, "time [µs]");
    assert_null(c.y.unit);
    chart_release(&c);
    chart_init(&c, "line");
    assert_int_equal(chart_from_table(&c, &t, &(struct chart_columns){ .x = "topology", .y = y, .ny = 1, .group = NULL,
                                      .ngroup = 0 }, &err), 0);
    assert_int_equal(c.x.ncategory, 2);
    assert_string_equal(c.series[0].name, "");
    chart_release(&c);
    table_release(&t);
    free(columns);
}

static const struct refusal {
    const char *name, *x, *y, *group, *says;
    enum err_code code;
} refusals[] = {
    { "x unknown", "node", "time_us", "ports", "'node' (did you mean 'nodes'?)", ERR_USAGE },
    { "y unknown", "nodes", "latency", "ports", "the columns are topology, nodes, ports", ERR_USAGE },
    { "group unknown", "nodes", "time_us", "port", "did you mean 'ports'?", ERR_USAGE },
    { "text as y", "nodes", "note", "ports", "line 2, column 'note', has 'a'", ERR_FORMAT },
};

static void refused(void **state)
{
    const struct refusal *r = *state;
    struct err err = { ERR_NONE, "" };
    struct column *columns;
    struct table t;
    struct chart c;

    read_table(&t, &columns, measured);
    chart_init(&c, "line");
    assert_int_equal(chart_from_table(&c, &t, &(struct chart_columns){ .x = r->x, .y = &r->y, .ny = 1,
                                      .group = &r->group, .ngroup = 1 }, &err), -1);
    assert_int_equal(err.code, r->code);
    if (!strstr(err.msg, r->says))
        fail_msg("'%s' does not say '%s'", err.msg, r->says);
    chart_release(&c);
    table_release(&t);
    free(columns);
}

/* The one bad cell of a column is named, not the first. */
static void bad_cell_is_found(void **state)
{
    static const char *const y[] = { "v" };
    struct err err = { ERR_NONE, "" };
    struct column *columns;
    struct table t;
    struct chart c;

    (void)state;
    read_table(&t, &columns, "n,v\n1,2\n\n2,3\n3,lots\n");
    chart_init(&c, "line");
    assert_int_equal(chart_from_table(&c, &t, &(struct chart_columns){ .x = "n", .y = y, .ny = 1, .group = NULL,
                                      .ngroup = 0 }, &err), -1);
    assert_non_null(strstr(err.msg, "line 5, column 'v', has 'lots'"));
    chart_release(&c);
    table_release(&t);
    free(columns);
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

/* ---- what is laid over, and what is left out --------------------------------------------------------- */

/* How often the text stands in the figure as SVG. */
static int times(const struct chart *c, const char *text)
{
    const struct plot_format *svg = NULL;
    struct sink s;
    int n = 0;

    for (size_t i = 0; plot_all[i]; i++)
        svg = strcmp(plot_all[i]->name, "svg") == 0 ? plot_all[i] : svg;
    drawn(&s, c, svg);
    sink_put(&s, "", 1);
    for (const char *at = strstr((const char *)s.bytes, text); at; at = strstr(at + 1, text))
        n++;
    free(s.bytes);
    return n;
}

/* What is laid over stacked bars stays at its own height: 3 needs no axis up to 6. */
static void laid_over_stays(void **state)
{
    struct chart c;
    int over;

    (void)state;
    chart_init(&c, "bar");
    c.stacked = true;
    chart_category(&c.x, "a");
    add(&c, "one", 0, 1);
    add(&c, "two", 0, 2);
    over = chart_series(&c, "published", 0);
    c.series[over].over = true;
    assert_int_equal(chart_point(&c, over, 0, 3), 0);
    assert_int_equal(times(&c, ">3.0<"), 1);
    assert_int_equal(times(&c, ">6<"), 0);
    chart_release(&c);
}

/* One name in the legend, however many panels. */
static void laid_over_is_named_once(void **state)
{
    static const char *const kind[] = { "line", "bar", "scatter", "heat", "decision" };

    (void)state;
    EACH_ROW(k, kind) {
        struct chart c;

        chart_init(&c, kind[k]);
        for (int panel = 0; panel < 3; panel++) {
            int own = chart_series(&c, "own", (size_t)panel), over = chart_series(&c, "laidover", (size_t)panel);

            chart_panel(&c, panel == 0 ? "P" : panel == 1 ? "Q" : "R");
            c.series[over].over = true;
            for (int i = 0; i < 9; i++)
                chart_datum(&c, own, (struct datum){ .x = k == 1 ? i : i % 3, .y = i / 3, .z = i + 1, .lo = NAN,
                            .hi = NAN });
            chart_datum(&c, over, (struct datum){ .x = 1, .y = 1, .z = 1, .lo = NAN, .hi = NAN });
        }
        assert_int_equal(times(&c, ">laidover</text>"), 1);
        chart_release(&c);
    }
}

/* A file called like a group is not that group. */
static void laid_over_is_no_group(void **state)
{
    static const char *const y[] = { "y" }, *const group[] = { "g" };
    struct chart_columns columns = { .x = "x", .y = y, .ny = 1, .group = group, .ngroup = 1 };
    struct column *own, *other;
    struct table data, over;
    struct chart c;
    struct err err = { ERR_NONE, "" };

    (void)state;
    read_table(&data, &own, "g,x,y\npub,1,1\npub,2,2\nb,1,3\n");
    read_table(&over, &other, "x,y\n1,2\n2,3\n");
    chart_init(&c, "line");
    assert_int_equal(chart_from_table(&c, &data, &columns, &err), 0);
    columns.ngroup = 0;
    columns.over = "pub";
    assert_int_equal(chart_from_table(&c, &over, &columns, &err), 0);
    assert_int_equal(c.nseries, 3);
    assert_true(!c.series[0].over && c.series[0].n == 2 && c.series[2].over && c.series[2].n == 2);
    assert_string_equal(c.series[2].name, "pub (pub)");
    chart_release(&c);
    table_release(&data);
    table_release(&over);
    free(own);
    free(other);
}

/* ---- rules ------------------------------------------------------------------------------------------- */

static const struct rules {
    const char *name;
    size_t n;
    double from, step;          /* along x from 1 to 1000 */
    const char *text;           /* before the number of the rule */
} rule_rows[] = {
    { "one rule", 1, 700, 0, "saturation" }, { "three near each other", 3, 700, 12, "saturation of variant" },
    { "eight near each other", 8, 300, 15, "saturation of variant" }, { "eight at one place", 8, 500, 0, "s" },
    { "eight apart", 8, 100, 110, "capacity" }, { "at the ends", 2, 1, 999, "a text of some length at an edge" },
    { "seventy", 70, 10, 10, "rule" }, { "longer than the page", 3, 500, 1,
      "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww"
      "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww" },
    { "markup and other scripts", 3, 400, 5, "<b>&amp; \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xff" },
};

static void with_rules(struct chart *c, const struct rules *r, const char *kind, bool logarithmic, size_t npanel)
{
    char text[200];

    chart_init(c, kind);
    c->x.scale = logarithmic ? SCALE_LOG : SCALE_LINEAR;
    for (size_t p = 0; p < (npanel ? npanel : 1); p++) {
        snprintf(text, sizeof text, "panel %zu", p);
        assert_true(!npanel || chart_panel(c, text) == (int)p);
        for (int s = 0; s < 2; s++)
            for (int i = 0; i < 30; i++)
                assert_int_equal(chart_point(c, chart_series(c, s ? "one" : "two", p), i == 29 ? 1000 : 1 + i * i,
                                             s + 10 / (30.1 - i)), 0);
    }
    for (size_t i = 0; i < r->n; i++) {
        snprintf(text, sizeof text, "%s %zu", r->text, i);
        assert_int_equal(chart_rule(c, r->from + (double)i * r->step, text, i % 3 == 2 ? RULE_GREY : i % 3,
                                    i % 4 == 3 && npanel ? 1 : RULE_EVERYWHERE), 0);
    }
}

static void same_twice(const struct chart *c)
{
    for (size_t f = 0; plot_all[f]; f++) {
        struct sink once, again;

        drawn(&once, c, plot_all[f]);
        drawn(&again, c, plot_all[f]);
        check_bytes(&once, plot_all[f]->name);
        assert_int_equal(once.n, again.n);
        assert_memory_equal(once.bytes, again.bytes, once.n);
        free(once.bytes);
        free(again.bytes);
    }
}

static void rules_stand_apart(void **state)
{
    static const struct page page[] = { { 0 }, { .width_mm = 84 }, { .width_mm = 70, .height_mm = 60 },
                                        { .width_mm = 240, .height_mm = 60 } };
    static const char *const kind[] = { "line", "scatter" };
    const struct rules *r = *state;

    for (int how = 0; how < 8; how++) {
        struct chart c;

        with_rules(&c, r, kind[how & 1], how & 2, how & 4 ? 4 : 0);
        EACH_ROW(p, page)
            check_boxes(&c, &page[p], r->name);
        same_twice(&c);
        if (how == 1) {
            c.fit = regress_find("linear", NULL);
            c.residuals = true;
            check_boxes(&c, &page[0], r->name);
        }
        chart_release(&c);
    }
}

/* Beside its line or in the legend, where its place is said too. */
static void every_rule_is_told(void **state)
{
    static const struct rules rows[] = { { "", 1, 700, 0, "saturation" }, { "", 3, 500, 0.5, "between" },
        { "", 8, 300, 9, "saturation" },
                                         { "", 8, 500, 0.1, "at nearly one place" } };
    char text[60];

    (void)state;
    EACH_ROW(i, rows) {
        struct chart c;

        with_rules(&c, &rows[i], "line", false, 0);
        assert_int_equal(times(&c, "class=\"rule\""), rows[i].n);
        for (size_t k = 0; k < rows[i].n; k++) {
            int beside, legend;

            snprintf(text, sizeof text, ">%s %zu</text>", rows[i].text, k);
            beside = times(&c, text);
            snprintf(text, sizeof text, ">%s %zu (%g)</text>", rows[i].text, k, c.rule[k].x);
            legend = times(&c, text);
            assert_int_equal(beside + legend, 1);
            assert_true(rows[i].n > 1 || beside == 1);
        }
        chart_release(&c);
    }
}

/* Where every panel has a rule of its own, the legend says what they are once. */
static void own_rules_of_panels_are_named_once(void **state)
{
    static const char text[] = "longer than each of the panels is wide, but not than the page is";
    struct chart c;

    (void)state;
    with_rules(&c, &rule_rows[0], "line", false, 4);
    for (size_t p = 0; p < 4; p++)
        assert_int_equal(chart_rule(&c, 100 + (double)p, text, RULE_GREY, p), 0);
    assert_int_equal(times(&c, "class=\"rule\""), 8);
    assert_int_equal(times(&c, "but not than the page is</text>"), 1);
    chart_release(&c);
}

/* Of a chart of x from 100 to 1000: whether it reaches a rule. */
static void axis_goes_to_near_rules(void **state)
{
    static const struct {
        double x;
        enum axis_scale scale;
        double to;
        int shown;
    } rows[] = { { 500, SCALE_LINEAR, NAN, 1 }, { 1200, SCALE_LINEAR, NAN, 1 }, { 1300, SCALE_LINEAR, NAN, 0 },
                 { -100, SCALE_LINEAR, NAN, 1 }, { -1000, SCALE_LINEAR, NAN, 0 }, { 1700, SCALE_LOG, NAN, 1 },
                 { 2000, SCALE_LOG, NAN, 0 }, { 0, SCALE_LOG, NAN, 0 }, { -5, SCALE_LOG, NAN, 0 }, { 500, SCALE_LINEAR,
                 400, 0 }, { 3000, SCALE_LINEAR, 4000, 1 } };

    (void)state;
    EACH_ROW(i, rows) {
        struct chart c;

        chart_init(&c, "line");
        c.x.scale = rows[i].scale;
        c.x.to = rows[i].to;
        add(&c, "a", 100, 1);
        add(&c, "a", 1000, 2);
        assert_int_equal(chart_rule(&c, rows[i].x, NULL, 1, RULE_EVERYWHERE), 0);
        assert_int_equal(times(&c, "class=\"rule\""), rows[i].shown);
        assert_int_equal(times(&c, "#b83606"), rows[i].shown);          /* the colour of a second series */
        assert_int_equal(times(&c, "Vertical lines not shown: 1 beyond the axis."), !rows[i].shown);
        chart_release(&c);
    }
}

/* A place that is none, a chart without points, categories, kinds without rules. */
static void rules_that_are_not_drawn(void **state)
{
    static const double none[] = { NAN, INFINITY, -INFINITY };
    struct chart c;

    (void)state;
    for (size_t k = 0; chart_all[k]; k++)
        for (int how = 0; how < 4; how++) {
            chart_init(&c, chart_all[k]->name);
            if (how == 1)
                all_equal(&c);
            if (how == 2)
                strange_words(&c);
            if (how == 3)
                only_nan(&c);
            suit(&c, chart_all[k]);
            EACH_ROW(i, none)
                assert_int_equal(chart_rule(&c, none[i], "nowhere", 0, 0), 0);
            assert_int_equal(c.nrule, 0);
            assert_int_equal(chart_rule(&c, 7, "somewhere", 0, RULE_EVERYWHERE), 0);
            assert_int_equal(chart_rule(&c, 7, "in no panel", 0, 3), 0);
            assert_int_equal(times(&c, "class=\"rule\""), chart_all[k]->rules && how == 1);
            same_twice(&c);
            chart_release(&c);
        }
}

static void rules_are_described(void **state)
{
    struct chart c;
    char *text;

    (void)state;
    chart_init(&c, "line");
    add(&c, "a", 1, 2);
    assert_int_equal(chart_rule(&c, 0.75, "saturation", RULE_GREY, RULE_EVERYWHERE), 0);
    assert_int_equal(chart_rule(&c, 3, NULL, 0, 0), 0);
    text = chart_describe(&c);
    assert_non_null(text);
    assert_non_null(strstr(text, " Vertical lines: saturation at 0.75, at 3. Series: a"));
    free(text);
    c.kind = "bar";
    text = chart_describe(&c);
    assert_non_null(text);
    assert_null(strstr(text, "Vertical"));
    free(text);
    chart_release(&c);
}

/* Counts of values that no bin takes are numbers of values, not their weights; what has no count is missing. */
static void histogram_says_what_is_left_out(void **state)
{
    struct chart c;

    (void)state;
    chart_init(&c, "histogram");
    c.x.scale = SCALE_LOG;
    add(&c, "", 10, 1);
    add(&c, "", 100, 2);
    add(&c, "", -1, 1e30);
    add(&c, "", 3, NAN);
    add(&c, "", INFINITY, 1);
    assert_int_equal(times(&c, "Points not shown: 1 infinite; 1 not positive, on a logarithmic axis."), 1);
    chart_release(&c);
}

/* Places in order of first appearance, however many there are. */
static void categories_are_found(void **state)
{
    struct axis a = { .title = NULL };
    char name[24];

    (void)state;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 50000; i++) {
            snprintf(name, sizeof name, "n%d", i * 7919 % 50000);
            assert_int_equal(chart_category(&a, name), i);
        }
    assert_int_equal(a.ncategory, 50000);
    assert_string_equal(a.category[3], "n23757");
    for (size_t i = 0; i < a.ncategory; i++)
        free(a.category[i]);
    free(a.category);
    names_release(&a.index);
}

int main(void)
{
    struct CMUnitTest tests[20 + 2 * COUNT(awkward) + COUNT(fields) + COUNT(refusals) + COUNT(fixed_rows) +
                             COUNT(rule_rows)] = {
        cmocka_unit_test(any_page), cmocka_unit_test(refuses_other_extensions), cmocka_unit_test(full_disk),
        cmocka_unit_test(refuses_sizes_and_kinds), cmocka_unit_test(csv_becomes_table),
        cmocka_unit_test(table_becomes_lines), cmocka_unit_test(table_becomes_paths),
        cmocka_unit_test(table_becomes_bars), cmocka_unit_test(bad_cell_is_found), cmocka_unit_test(any_kind_page),
        cmocka_unit_test(laid_over_stays), cmocka_unit_test(laid_over_is_named_once),
        cmocka_unit_test(laid_over_is_no_group),
        cmocka_unit_test(histogram_says_what_is_left_out), cmocka_unit_test(categories_are_found),
        cmocka_unit_test(every_rule_is_told), cmocka_unit_test(own_rules_of_panels_are_named_once),
        cmocka_unit_test(axis_goes_to_near_rules), cmocka_unit_test(rules_that_are_not_drawn),
        cmocka_unit_test(rules_are_described) };
    size_t n = 0;

    while (tests[n].test_func)          /* those listed above */
        n++;

    ROWS(awkward, awkward_chart);
    ROWS(awkward, awkward_page);
    ROWS(fields, field_is_read);
    ROWS(refusals, refused);
    ROWS(fixed_rows, fixed_page);
    ROWS(rule_rows, rules_stand_apart);
    return cmocka_run_group_tests(tests, NULL, teardown);
}
