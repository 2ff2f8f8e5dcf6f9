#include <math.h>

#include "render/frame.h"

#define MARKS_MOST 40           /* on one line: longer ones get MARKS_SOME, to be told apart by */
#define MARKS_SOME 14
#define MARKS_ALL 1000          /* on all lines of a panel together */
#define FINE 0.3                /* points: what falls into one column this wide is drawn as its extent */
#define CAP 2.2                 /* half the width of an error bar's ends */

/* ---- lines ------------------------------------------------------------------------------------------- */

/* Points of one fine column: where the line enters, how far it reaches, where it leaves (what Jugel et al. 2014 call
 * M4). No printer can show more of them. */
struct column {
    size_t n;
    double x, first, lo, hi, last;
};

static void column_flush(struct canvas *c, struct column *k)
{
    if (k->n > 0)
        canvas_line(c, k->x, k->first);
    if (k->n > 2) {
        canvas_line(c, k->x, k->lo);
        canvas_line(c, k->x, k->hi);
    }
    if (k->n > 1)
        canvas_line(c, k->x, k->last);
    k->n = 0;
}

static void column_add(struct canvas *c, struct column *k, const struct rect *at)
{
    if (k->n && floor(at->x / FINE) != floor(k->x / FINE))
        column_flush(c, k);
    if (k->n++ == 0)
        *k = (struct column){ 1, at->x, at->y, at->y, at->y, at->y };
    k->lo = fmin(k->lo, at->y);
    k->hi = fmax(k->hi, at->y);
    k->last = at->y;
}

/* The parts of a line within the model's validity, or those outside it. */
static void draw_path(const struct frame *f, const struct series *s, bool outside)
{
    struct canvas *c = f->canvas;
    struct pen pen = series_pen(c, s->look, outside ? 0.8 : 1.4);
    struct column k = { 0 };
    struct rect at = { 0 }, last = { 0 };
    bool on = false, last_outside = false, any = false;

    for (size_t i = 0; i < s->n; i++) {
        if (!frame_point(f, s->at[i].x, s->at[i].y, &at)) {
            column_flush(c, &k);
            on = false;
            continue;
        }
        if (on && (last_outside || s->at[i].outside) == outside) {
            if (k.n == 0) {
                canvas_move(c, last.x, last.y);
                any = true;
            }
            column_add(c, &k, &at);
        } else {
            column_flush(c, &k);
        }
        last_outside = s->at[i].outside;
        last = at;
        on = true;
    }
    column_flush(c, &k);
    if (outside) {
        pen.dash[0] = 2;
        pen.dash[1] = 2;
        pen.ndash = 2;
    }
    if (any)
        canvas_stroke(c, &pen);
}

/* Which points are marked: every so many-th. */
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

/* All points when they are few; else evenly many of them, not the same ones on every line. A point that stands
 * alone between gaps is always marked, for no line shows it; so is every one of what is laid over. */
static void draw_marks(const struct frame *f, const struct series *s, size_t number)
{
    size_t every = s->over ? 1 : stride(f, s->n), from = every > 1 ? 3 * number % every : 0;
    struct rect at;

    for (size_t i = 0; i < s->n; i++) {
        bool alone;

        if (!frame_point(f, s->at[i].x, s->at[i].y, &at) || !frame_inside(f, &at))
            continue;
        alone = every > 1 && (i == 0 || !has_place(f, s, i - 1)) && (i + 1 == s->n || !has_place(f, s, i + 1));
        if (alone || i % every == from)
            series_mark(f->canvas, s->look, at.x, at.y, s->over || s->at[i].outside);
    }
}

/* ---- spread ------------------------------------------------------------------------------------------ */

/* An end of an error bar on the page; what lies below a logarithmic axis ends at its foot. */
static double end_at(const struct frame *f, double v)
{
    if (f->y.kind == LOGARITHMIC && v <= 0)
        return f->data.y + f->data.h;
    return fmin(fmax(frame_y(f, scale_at(&f->y, v)), f->data.y - 50), f->data.y + f->data.h + 50);
}

static void draw_error_bars(const struct frame *f, const struct series *s)
{
    struct canvas *c = f->canvas;
    const struct pen pen = { .colour = series_colour(c, s->look), .width = 0.8 };
    struct rect at;
    bool any = false;

    for (size_t i = 0; i < s->n; i++) {
        const struct datum *d = &s->at[i];

        if (!frame_point(f, d->x, d->y, &at) || !isfinite(d->lo) || !isfinite(d->hi))
            continue;
        for (int k = 0; k < 2; k++) {
            double y = end_at(f, k ? d->hi : d->lo);

            canvas_move(c, at.x - CAP, y);
            canvas_line(c, at.x + CAP, y);
        }
        canvas_move(c, at.x, end_at(f, d->lo));
        canvas_line(c, at.x, end_at(f, d->hi));
        any = true;
    }
    if (any)
        canvas_stroke(c, &pen);
}

static bool has_spread(const struct frame *f, const struct datum *d, struct rect *at)
{
    return frame_point(f, d->x, d->y, at) && isfinite(d->lo) && isfinite(d->hi);
}

static void draw_band(const struct frame *f, const struct series *s)
{
    struct canvas *c = f->canvas;
    struct rect at;

    for (size_t from = 0, to; from < s->n; from = to + 1) {
        for (to = from; to < s->n && has_spread(f, &s->at[to], &at); to++) {
            (to == from ? canvas_move : canvas_line)(c, at.x, end_at(f, s->at[to].hi));
        }
        for (size_t i = to; i > from; i--) {
            frame_point(f, s->at[i - 1].x, s->at[i - 1].y, &at);
            canvas_line(c, at.x, end_at(f, s->at[i - 1].lo));
        }
        if (to > from) {
            canvas_close_path(c);
            canvas_fill(c, series_colour(c, s->look), 0.2);
        }
    }
}

/* ---- validity ---------------------------------------------------------------------------------------- */

/* Where along x no series of the panel is within the model's validity any more: below *lo, above *hi (NaN: nowhere). */
static void validity(const struct frame *f, size_t panel, double *lo, double *hi)
{
    double first = INFINITY, last = -INFINITY, least = INFINITY, most = -INFINITY;
    struct rect at;

    for (size_t i = 0; i < f->chart->nseries; i++)
        for (size_t p = 0; f->chart->series[i].panel == panel && p < f->chart->series[i].n; p++) {
            const struct datum *d = &f->chart->series[i].at[p];

            if (f->chart->series[i].over || !frame_point(f, d->x, d->y, &at))
                continue;
            first = d->outside ? first : fmin(first, d->x);
            last = d->outside ? last : fmax(last, d->x);
            least = d->outside ? fmin(least, d->x) : least;
            most = d->outside ? fmax(most, d->x) : most;
        }
    *hi = most > last ? last : (double)NAN;
    *lo = least < first ? first : (double)NAN;
}

static void hatch_validity(const struct frame *f, size_t panel)
{
    const struct pen pen = pen_grey(0.5, 0.72);
    double lo, hi, end;
    struct rect r = f->data;

    validity(f, panel, &lo, &hi);
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

/* ---- marked points ----------------------------------------------------------------------------------- */

/* A ring around the point, and its label where there is room beside it. */
void frame_mark_point(const struct frame *f, const struct datum *d)
{
    static const double side[8][4] = { { 1, -1, 0, 1 }, { -1, -1, 1, 1 }, { 1, 1, 0, 0 }, { -1, 1, 1, 0 },
                                       { 0, -1.2, 0.5, 1 }, { 0, 1.2, 0.5, 0 }, { 1.3, 0, 0, 0.5 }, { -1.3, 0, 1, 0.5 } };
    struct canvas *c = f->canvas;
    const struct text t = { .text = d->label, .size = SIZE_NOTE, .halo = true };
    const struct pen ring = pen_grey(1, INK);
    struct rect at;

    if (!frame_point(f, d->x, d->y, &at) || !frame_inside(f, &at))
        return;
    canvas_circle(c, at.x, at.y, 4.6);
    canvas_stroke(c, &ring);
    for (int i = 0; i < 8; i++)
        if (text_try(c, &t, at.x + 5 * side[i][0], at.y + 5 * side[i][1], side[i][2], side[i][3], 0, &f->data, 0.5))
            return;
}

static bool any_outside(const struct chart *c)
{
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++)
            if (c->series[i].at[p].outside)
                return true;
    return false;
}

static void draw_panel(const struct frame *f, size_t panel, bool outside)
{
    const struct chart *chart = f->chart;

    if (outside)
        hatch_validity(f, panel);
    for (size_t i = 0; chart->spread == SPREAD_BAND && i < chart->nseries; i++)
        if (chart->series[i].panel == panel)
            draw_band(f, &chart->series[i]);
    for (size_t i = 0; i < chart->nseries; i++) {
        const struct series *s = &chart->series[i];

        if (s->panel != panel)
            continue;
        canvas_begin(f->canvas, "series", s->name);
        if (chart->spread == SPREAD_BARS)
            draw_error_bars(f, s);
        if (!s->over && outside)
            draw_path(f, s, true);
        if (!s->over)
            draw_path(f, s, false);
        draw_marks(f, s, i);
        canvas_end(f->canvas);
    }
    for (size_t i = 0; i < chart->nseries; i++)
        for (size_t p = 0; chart->series[i].panel == panel && p < chart->series[i].n; p++)
            if (chart->series[i].at[p].label)
                frame_mark_point(f, &chart->series[i].at[p]);
}

static int lay(struct frame *f, bool outside, struct err *err)
{
    if (outside) {
        if (frame_default_entries(f, err) < 0 ||
            frame_entry(f, (struct legend_entry){ .text = "outside the model's validity", .sample = SAMPLE_HATCH }, err) < 0)
            return -1;
    }
    return frame_lay(f, err);
}

static int draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    const bool outside = any_outside(chart);
    struct frame f;
    int ret;

    frame_begin(&f, canvas, chart);
    f.want.sample = SAMPLE_LINE;
    ret = lay(&f, outside, err);
    if (ret == 0) {
        frame_draw(&f);
        for (size_t i = 0; i < f.npanel; i++) {
            frame_panel(&f, i);
            draw_panel(&f, i, outside);
            frame_panel_end(&f);
        }
    }
    frame_release(&f);
    return ret;
}

const struct chart_kind chart_line = {
    .name = "line", .summary = "a line with marks per series, over numbers or categories", .needs = ROLE_X | ROLE_Y,
    .draw = draw };
