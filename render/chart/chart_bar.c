#include <glib.h>

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

/* Bars stand on their categories along x, or lie on those along y: a bar is measured along its categories and up from
 * its foot, and turned at last. */
static struct rect turned(bool lies, double along, double up0, double thick, double up1)
{
    return lies ? (struct rect){ fmin(up0, up1), along, fabs(up1 - up0), thick } :
        (struct rect){ along, fmin(up0, up1), thick, fabs(up1 - up0) };
}

/* Position of a value along the axis of numbers, kept near the panel. */
static double reach(const struct frame *f, bool lies, double value)
{
    const struct scale *s = lies ? &f->x : &f->up->scale;
    const double at = s->kind == LOGARITHMIC && !(value > 0) ? 0 : scale_at(s, value);

    return lies ? fmin(fmax(frame_x(f, at), f->data.x - 5), f->data.x + f->data.w + 5) :
        fmin(fmax(frame_y(f, at), f->data.y - 5), f->data.y + f->data.h + 5);
}

static void draw_line(struct canvas *c, bool lies, double a0, double u0, double a1, double u1)
{
    canvas_segment(c, lies ? u0 : a0, lies ? a0 : u0, lies ? u1 : a1, lies ? a1 : u1);
}

static void draw_bar(const struct frame *f, const struct datum *d, size_t look, size_t place, size_t places)
{
    const bool lies = f->chart->y.ncategory > 0;
    const double category = lies ? d->y : d->x, value = lies ? d->x : d->y;
    const double each = lies ? f->data.h / (double)f->chart->y.ncategory : f->data.w / (double)f->chart->x.ncategory;
    const double above = f->above_h;
    const double n = (double)places, group = fmin((each - above) * (places == 1 ? 0.62 : 0.82), WIDEST * n);
    const double width = group / n, gap = width > 3 && places > 1 ? 0.7 : 0;     /* paper between neighbours */
    const double foot = f->chart->stacked && isfinite(d->lo) ? d->lo : 0;
    struct rect top, bar;
    double along;

    if (category != floor(category) || !frame_point(f, d->x, d->y, &top))
        return;
    along = (lies ? top.y + above / 2 : top.x) - group / 2 + width * (double)place + gap / 2;
    bar = turned(lies, along, reach(f, lies, foot), width - gap, reach(f, lies, value));
    series_fill(f->canvas, look, &bar);
    if (!f->chart->stacked && isfinite(d->lo) && isfinite(d->hi)) {
        const double middle = along + (width - gap) / 2, lo = reach(f, lies, d->lo), hi = reach(f, lies, d->hi);

        draw_line(f->canvas, lies, middle, lo, middle, hi);
        draw_line(f->canvas, lies, middle - 2.2, hi, middle + 2.2, hi);
        draw_line(f->canvas, lies, middle - 2.2, lo, middle + 2.2, lo);
        canvas_stroke_grey(f->canvas, 0.9, INK);
    }
}

static void draw_foot(const struct frame *f)
{
    const bool lies = f->chart->y.ncategory > 0;
    const double at = reach(f, lies, 0), from = lies ? f->data.y : f->data.x,
        to = lies ? f->data.y + f->data.h : f->data.x + f->data.w;

    draw_line(f->canvas, lies, from, at, to, at);       /* again, over the feet of the bars */
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
    frame_levels(f, panel);
    map_marks(f, c, panel);
    if (f->drawn)
        draw_foot(f);
}

static int draw_categories(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct frame f;
    struct bar_places p;
    int ret;

    p.of = chart_places(chart, &p.n, err);
    p.n = chart->stacked ? 1 : p.n;
    ret = p.of ? 0 : -1;
    frame_begin(&f, canvas, chart);
    f.want.sample = SAMPLE_BAR;
    f.want.bars = true;
    if (ret == 0)
        ret = frame_show(&f, bar_draw_panel, &p, err);
    frame_release(&f);
    free(p.of);
    return ret;
}

/* Do bars lie? They do where names below upright bars would have to be turned; a letter takes about 4.7 points. */
static bool lies(const struct chart *c, double width)
{
    size_t most = 0;
    double letter = 4.7;

    for (size_t i = 0; i < c->x.ncategory; i++) {
        const size_t n = (size_t)g_utf8_strlen(c->x.category[i], -1);
        char *end;

        strtod(c->x.category[i], &end);
        if (end != c->x.category[i])            /* numbers, of which some may be left out */
            return false;
        most = n > most ? n : most;
    }
    return c->x.ncategory > 1 && letter * (double)most + 5 > (width - 50) / (double)c->x.ncategory;
}

static void lay_down(struct chart *view)
{
    const struct axis x = view->x;

    view->x = view->y;
    view->y = x;
    for (size_t i = 0; i < view->nseries; i++)
        for (size_t p = 0; p < view->series[i].n; p++) {
            struct datum *d = &view->series[i].at[p];
            const double at = d->x;

            d->x = d->y;
            d->y = at;
        }
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
        if (lies(chart, canvas->width / canvas->scale))
            lay_down(&view);
        ret = draw_categories(canvas, &view, err);
    }
    own.npanel = 0;             /* lent */
    chart_release(&own);
    return ret;
}

/* A line of text for each bar that lies. */
static double bar_height(const struct chart *chart, double width)
{
    const double rows = (double)chart->x.ncategory * (double)(chart->npanel ? chart->npanel : 1);

    return lies(chart, width * 72 / 25.4) && rows > 15 ? fmax(0.625 * width, 4.2 * rows + 20) : 0;
}

const struct chart_kind chart_bar = {
    .name = "bar", .summary = "groups of bars, one group per category; --stack puts them on each other",
    .needs = ROLE_X | ROLE_Y, .x_categories = true, .means = true, .draw = bar_draw, .height = bar_height };
