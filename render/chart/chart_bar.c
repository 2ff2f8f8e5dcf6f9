#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/chart/chart.h"
#include "render/map/map.h"

#define WIDEST 36.0             /* of one bar */
#define CATEGORIES_MOST 5000

/* ---- stacks ------------------------------------------------------------------------------------------ */

/* Each bar's lo becomes its foot: the top of those before it, of its sign, in the same panel and category. What is laid
 * over stays where it is. */
static int stack(struct chart *c, struct err *err)
{
    size_t npanel = c->npanel ? c->npanel : 1, n = c->x.ncategory;
    double *top = calloc(2 * npanel * (n + 1), sizeof *top);

    if (!top)
        return err_memory(err);
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; !c->series[i].over && p < c->series[i].n; p++) {
            struct datum *d = &c->series[i].at[p];
            double *at;

            d->hi = d->lo = NAN;
            if (!isfinite(d->y) || c->series[i].panel >= npanel || !(d->x >= 0 && d->x < (double)n))
                continue;
            at = &top[2 * (c->series[i].panel * n + (size_t)d->x) + (d->y < 0)];
            d->lo = *at;
            *at += d->y;
            d->y = *at;
        }
    free(top);
    c->y.scale = SCALE_LINEAR;          /* lengths add up on no other */
    return 0;
}

/* Two values of one series in one place would stand on each other, and look like one. */
static int check_once(const struct chart *c, struct err *err)
{
    char *there = calloc(c->x.ncategory + 1, 1);
    int ret = there ? 0 : err_memory(err);

    for (size_t i = 0; ret == 0 && i < c->nseries; i++) {
        memset(there, 0, c->x.ncategory);
        for (size_t p = 0; ret == 0 && !c->series[i].over && p < c->series[i].n; p++) {
            const struct datum *d = &c->series[i].at[p];

            if (!isfinite(d->y) || !(d->x >= 0 && d->x < (double)c->x.ncategory))
                continue;
            if (there[(size_t)d->x]++)
                ret = err_set(err, ERR_DOMAIN,
                              "more than one value for the bar '%.60s'%s%.60s; separate them by --group or --facet, "
                              "or choose with --where", c->x.category[(size_t)d->x],
                              *c->series[i].name ? " of " : "", c->series[i].name);
        }
    }
    free(there);
    return ret;
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

/* The chart's own copy of the points, on categories, stacked where that is asked for. */
static int bar_prepare(struct chart *to, const struct chart *from, struct err *err)
{
    if (chart_on_categories(to, from, false) < 0)
        return err_memory(err);
    if (from->x.ncategory == 0 && to->x.ncategory > CATEGORIES_MOST)
        return err_set(err, ERR_DOMAIN, "a bar chart over %zu different numbers cannot be read; a line chart can",
                       to->x.ncategory);
    if (check_once(to, err) < 0)
        return -1;
    to->npanel = from->npanel;
    if (from->stacked && stack(to, err) < 0)
        return -1;
    return 0;
}

static void draw_bar(const struct frame *f, const struct datum *d, size_t look, size_t place, size_t places)
{
    const double each = f->data.w / (double)f->chart->x.ncategory, n = (double)places;
    const double group = fmin(each * (places == 1 ? 0.62 : 0.82), WIDEST * n);
    const double width = group / n, gap = width > 3 && places > 1 ? 0.7 : 0;     /* paper between neighbours */
    const double foot = f->chart->stacked && isfinite(d->lo) ? d->lo : 0;
    double y0 = f->y.kind == LOGARITHMIC ? f->data.y + f->data.h : frame_y(f, scale_at(&f->y, foot));
    struct rect top, bar;

    if (d->x != floor(d->x) || !frame_point(f, d->x, d->y, &top))
        return;
    top.y = fmin(fmax(top.y, f->data.y - 5), f->data.y + f->data.h + 5);
    y0 = fmin(fmax(y0, f->data.y - 5), f->data.y + f->data.h + 5);
    bar.x = top.x - group / 2 + width * (double)place + gap / 2;
    bar.w = width - gap;
    bar.y = fmin(top.y, y0);
    bar.h = fabs(top.y - y0);
    series_fill(f->canvas, look, &bar);
    if (!f->chart->stacked && isfinite(d->lo) && isfinite(d->hi)) {
        const double x = bar.x + bar.w / 2;
        struct rect lo, hi;

        if (!frame_point(f, d->x, d->hi, &hi))
            return;
        if (!frame_point(f, d->x, d->lo, &lo))
            lo.y = f->data.y + f->data.h;
        canvas_segment(f->canvas, x, lo.y, x, hi.y);
        canvas_segment(f->canvas, x - 2.2, hi.y, x + 2.2, hi.y);
        canvas_segment(f->canvas, x - 2.2, lo.y, x + 2.2, lo.y);
        canvas_stroke_grey(f->canvas, 0.9, INK);
    }
}

static void draw_foot(const struct frame *f)
{
    double y = f->y.kind == LINEAR ? frame_y(f, scale_at(&f->y, 0)) : f->data.y + f->data.h;

    if (y < f->data.y || y > f->data.y + f->data.h + 0.01)
        return;
    canvas_segment(f->canvas, f->data.x, y, f->data.x + f->data.w, y);      /* again, over the feet of the bars */
    canvas_stroke_grey(f->canvas, 0.8, INK);
}

struct bar_places {
    size_t *of, n;              /* by series; how many */
};

/* Bars side by side have one place for each name, the same in every panel. What is laid over stands as marks on the
 * middle of the bar of its name, or of the group. */
static void bar_draw_panel(const struct frame *f, size_t panel, const void *places)
{
    const struct bar_places *place = places;
    const struct chart *c = f->chart;

    for (size_t i = 0; i < c->nseries; i++) {
        const struct series *s = &c->series[i];

        if (s->panel != panel || s->over)
            continue;
        canvas_begin(f->canvas, "series", s->name);
        for (size_t p = 0; p < s->n; p++) {
            struct datum d = s->at[p];

            if (!isfinite(d.y))
                continue;
            if (c->stacked) {           /* what it adds, not where it ends */
                d.y -= d.lo;
                d.lo = d.hi = NAN;
            }
            frame_tip_begin(f, s, &d, NULL);
            draw_bar(f, &s->at[p], s->look, c->stacked ? 0 : place->of[i], place->n);
            frame_tip_end(f);
        }
        canvas_end(f->canvas);
    }
    map_marks(f, c, panel);
    if (f->drawn)
        draw_foot(f);
}

/* One number for each name that has bars, in order of first appearance. */
static size_t *places_of(const struct chart *c, size_t *n)
{
    size_t *place = calloc(c->nseries + 1, sizeof *place);

    *n = 0;
    for (size_t i = 0; place && i < c->nseries; i++) {
        size_t k = 0;

        while (k < i && (c->series[k].over || strcmp(c->series[k].name, c->series[i].name) != 0))
            k++;
        if (!c->series[i].over)
            place[i] = k < i ? place[k] : (*n)++;
    }
    if (c->stacked || *n == 0)
        *n = 1;
    return place;
}

static int draw_categories(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct frame f;
    struct bar_places p;
    int ret;

    p.of = places_of(chart, &p.n);
    ret = p.of ? 0 : err_memory(err);
    frame_begin(&f, canvas, chart);
    f.want.sample = SAMPLE_BAR;
    f.want.bars = true;
    if (ret == 0)
        ret = frame_show(&f, bar_draw_panel, &p, err);
    frame_release(&f);
    free(p.of);
    return ret;
}

static int bar_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct chart own = { 0 }, view = *chart;
    int ret = bar_prepare(&own, chart, err);

    if (ret == 0) {
        view.series = own.series;
        view.nseries = own.nseries;
        view.x.category = own.x.category;
        view.x.ncategory = own.x.ncategory;
        view.y.scale = chart->stacked ? SCALE_LINEAR : chart->y.scale;
        ret = draw_categories(canvas, &view, err);
    }
    own.npanel = 0;             /* lent */
    chart_release(&own);
    return ret;
}

const struct chart_kind chart_bar = {
    .name = "bar", .summary = "groups of bars, one group per category; --stack puts them on each other",
    .needs = ROLE_X | ROLE_Y, .x_categories = true, .draw = bar_draw };
