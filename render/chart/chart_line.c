#include "render/chart/chart.h"
#include "render/figure/alike.h"
#include "render/figure/frame.h"

#define MARKS_MOST 25           /* on one line: longer ones get MARKS_SOME, to be told apart by */
#define MARKS_SOME 14
#define COVERED 1.4             /* points: lines that are no further apart are taken for one, */
#define WIDE 3.6                /* unless one is drawn wide below the other */
#define MARKS_ALL 1000          /* on all lines of a panel together */

/* ---- marks ------------------------------------------------------------------------------------------- */

/* The points that are marked: one in so many. */
static size_t stride(const struct frame *f, size_t n)
{
    size_t lines = (f->chart->nseries + f->npanel - 1) / f->npanel;
    size_t share = MARKS_ALL / lines + 1, some = share < MARKS_SOME ? share : MARKS_SOME;

    return n <= MARKS_MOST && n <= share ? 1 : (n + some - 1) / some;
}

static bool has_place(const struct frame *f, const struct series *s, size_t i)
{
    struct rect at;

    return frame_point(f, s->at[i].x, s->at[i].y, &at);
}

/* All points when they are few; else evenly many of them, not the same ones on every line, and none of a line that has
 * no other to be told from. A point that stands alone between gaps is always marked, for no line shows it; so is every
 * one of what is laid over, by hollow marks, which points outside the model's validity have only where nothing is. */
static void draw_marks(const struct frame *f, const struct series *s, size_t number, bool laid)
{
    size_t every = s->over ? 1 : stride(f, s->n);
    const size_t from = every == 1 ? 0 : f->chart->nseries == 1 ? every : 3 * number % every;
    struct rect at;

    for (size_t i = 0; i < s->n; i++) {
        bool alone;

        if (!frame_point(f, s->at[i].x, s->at[i].y, &at) || !frame_inside(f, &at))
            continue;
        alone = (i == 0 || !has_place(f, s, i - 1)) && (i + 1 == s->n || !has_place(f, s, i + 1));
        if (!alone && (i % every != from || (laid && !s->over && s->at[i].outside)))
            continue;
        frame_tip_begin(f, s, &s->at[i], NULL);
        series_mark(f->canvas, s->look, at.x, at.y, s->over || s->at[i].outside);
        frame_tip_end(f);
    }
}

/* ---- validity ---------------------------------------------------------------------------------------- */

/* Each line leaves the validity of the model at its own x. A line alone in its panel has a hatched background there;
 * several are dashed, with open marks. Returns the only line of the panel, else NULL. */
static const struct series *only_series(const struct chart *c, size_t panel)
{
    const struct series *only = NULL;

    for (size_t i = 0; i < c->nseries; i++)
        if (c->series[i].panel == panel && !c->series[i].over) {
            if (only)
                return NULL;
            only = &c->series[i];
        }
    return only;
}

/* Where along x it is outside: below *lo, above *hi (NaN: nowhere; infinite: everywhere). */
static void validity(const struct frame *f, const struct series *s, double *lo, double *hi)
{
    double first = INFINITY, last = -INFINITY, least = INFINITY, most = -INFINITY;
    struct rect at;

    for (size_t p = 0; p < s->n; p++) {
        const struct datum *d = &s->at[p];

        if (!frame_point(f, d->x, d->y, &at))
            continue;
        first = d->outside ? first : fmin(first, d->x);
        last = d->outside ? last : fmax(last, d->x);
        least = d->outside ? fmin(least, d->x) : least;
        most = d->outside ? fmax(most, d->x) : most;
    }
    *hi = most > last ? last : (double)NAN;
    *lo = least < first ? first : (double)NAN;
}

static void hatch_validity(const struct frame *f, const struct series *s)
{
    const struct pen pen = pen_grey(0.5, 0.72);
    double lo, hi, end;
    struct rect r = f->data;

    validity(f, s, &lo, &hi);
    if (isinf(lo) || isinf(hi)) {                       /* everywhere */
        canvas_hatch(f->canvas, &r, 5, true, &pen);
        return;
    }
    if (isfinite(hi)) {
        end = fmax(frame_x(f, scale_at(&f->x, hi)), r.x);
        canvas_hatch(f->canvas, &(struct rect){ end, r.y, fmax(r.x + r.w - end, 0), r.h }, 5, true, &pen);
    }
    if (isfinite(lo)) {
        end = fmin(frame_x(f, scale_at(&f->x, lo)), r.x + r.w);
        canvas_hatch(f->canvas, &(struct rect){ r.x, r.y, fmax(end - r.x, 0), r.h }, 5, true, &pen);
    }
}

static bool any_over(const struct chart *c)
{
    for (size_t i = 0; i < c->nseries; i++)
        if (c->series[i].over && !c->series[i].level)
            return true;
    return false;
}

static bool any_outside(const struct chart *c)
{
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++)
            if (c->series[i].at[p].outside && isfinite(c->series[i].at[p].x) && isfinite(c->series[i].at[p].y))
                return true;
    return false;
}

/* Does another line, drawn later, cover this one? */
static bool is_covered(const struct frame *f, size_t series)
{
    const struct series *s = &f->chart->series[series], *other;
    struct rect at, on;

    for (size_t k = series + 1; k < f->chart->nseries; k++) {
        size_t near = 0, seen = 0;

        other = &f->chart->series[k];
        for (size_t i = 0; other->panel == s->panel && !other->over && other->n == s->n && i < s->n; i++) {
            if (!frame_point(f, s->at[i].x, s->at[i].y, &at) || !frame_point(f, other->at[i].x, other->at[i].y, &on))
                continue;
            seen++;
            near += hypot(on.x - at.x, on.y - at.y) < COVERED;
        }
        if (seen > 1 && near == seen)
            return true;
    }
    return false;
}

static void line_draw_panel(const struct frame *f, size_t panel, const void *arg)
{
    const bool outside = *(const bool *)arg;
    const struct chart *chart = f->chart;

    if (outside && only_series(chart, panel))
        hatch_validity(f, only_series(chart, panel));
    frame_rules(f, panel);
    frame_levels(f, panel);
    for (size_t i = 0; chart->spread == SPREAD_BAND && i < chart->nseries; i++)
        if (chart->series[i].panel == panel)
            frame_band(f, &chart->series[i], 0.2);
    for (size_t i = 0; i < chart->nseries; i++) {
        const struct series *s = &chart->series[i];

        if (s->panel != panel || s->level)
            continue;
        canvas_begin(f->canvas, "series", s->name);
        if (chart->spread == SPREAD_BARS)
            frame_error_bars(f, s);
        if (!s->over && outside)
            frame_line(f, s, series_pen(f->canvas, s->look, 0.8), true);
        if (!s->over)
            frame_line(f, s, series_pen(f->canvas, s->look, is_covered(f, i) ? WIDE : 1.4), false);
        draw_marks(f, s, i, any_over(chart));
        canvas_end(f->canvas);
    }
    frame_rule_texts(f, panel);
    frame_mark_points(f, panel);
}

static int draw_lines(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    const char *what = chart->outside ? chart->outside : "outside the model's validity";
    const struct legend_entry hatched = { .text = what, .sample = SAMPLE_HATCH },
                              dashed = { .text = what, .sample = any_over(chart) ? SAMPLE_BEYOND : SAMPLE_OUTSIDE };
    const bool outside = any_outside(chart);
    struct frame f;
    int ret = 0;

    frame_begin(&f, canvas, chart);
    f.want.sample = SAMPLE_LINE;
    f.want.rules = f.want.rule_texts = f.want.direct = true;
    if (outside)
        ret = frame_default_entries(&f, err);
    for (size_t i = 0; outside && ret == 0 && i < chart->nseries; i++)
        ret = legend_add_once(&f.legend, only_series(chart, chart->series[i].panel) ? hatched : dashed, err);
    if (ret == 0)
        ret = frame_show(&f, line_draw_panel, &outside, err);
    frame_release(&f);
    return ret;
}

static int line_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct chart view;
    const int ret = alike_join(&view, chart, err) < 0 ? -1 : draw_lines(canvas, &view, err);

    alike_release(&view);
    return ret;
}

const struct chart_kind chart_line = {
    .name = "line", .summary = "a line with marks per series, over numbers or categories", .needs = ROLE_X | ROLE_Y,
    .rules = true, .means = true, .bands = true, .draw = line_draw };
