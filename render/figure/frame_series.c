/* frame_series.c -- series drawn on a frame: lines, error bars, marked points. */
#include <math.h>

#include "render/figure/frame.h"

#define FINE 0.36               /* points: what falls into one column this wide is drawn as its extent */
#define LABELS_TRIED 400        /* in a panel: more have no room, and looking for it takes its time */
#define NEAR 5.0                /* points from a mark to the label beside it */
#define CAP 2.2                 /* half the width of an error bar's ends */

/* ---- lines ------------------------------------------------------------------------------------------- */

/* Points of one fine column: where the line enters, how far it reaches, where it leaves. A column of many is drawn as
 * its extent, in the order in which the line goes: no printer can show more of it. */
struct column {
    size_t n;
    double x, first, lo, hi, last;
};

static void column_flush(struct canvas *c, struct column *k)
{
    const bool down = fabs(k->first - k->lo) + fabs(k->hi - k->last) <= fabs(k->first - k->hi) + fabs(k->lo - k->last);

    if (k->n == 1)
        canvas_line(c, k->x, k->first);
    if (k->n > 1) {
        canvas_line(c, k->x, down ? k->lo : k->hi);
        canvas_line(c, k->x, down ? k->hi : k->lo);
    }
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

void frame_line(const struct frame *f, const struct series *s, struct pen pen, bool outside)
{
    struct canvas *c = f->canvas;
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

/* ---- spread ------------------------------------------------------------------------------------------ */

double frame_end(const struct frame *f, double v)
{
    if (f->up->scale.kind == LOGARITHMIC && v <= 0)
        return f->data.y + f->data.h;
    return fmin(fmax(frame_y(f, scale_at(&f->up->scale, v)), f->data.y - 50), f->data.y + f->data.h + 50);
}

void frame_error_bars(const struct frame *f, const struct series *s)
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
            double y = frame_end(f, k ? d->hi : d->lo);

            canvas_segment(c, at.x - CAP, y, at.x + CAP, y);
        }
        canvas_segment(c, at.x, frame_end(f, d->lo), at.x, frame_end(f, d->hi));
        any = true;
    }
    if (any)
        canvas_stroke(c, &pen);
}

static bool has_spread(const struct frame *f, const struct datum *d, struct rect *at)
{
    return frame_point(f, d->x, d->y, at) && isfinite(d->lo) && isfinite(d->hi);
}

void frame_band(const struct frame *f, const struct series *s, double opacity)
{
    struct canvas *c = f->canvas;
    struct rect at;

    for (size_t from = 0, to; from < s->n; from = to + 1) {
        for (to = from; to < s->n && has_spread(f, &s->at[to], &at); to++) {
            (to == from ? canvas_move : canvas_line)(c, at.x, frame_end(f, s->at[to].hi));
        }
        for (size_t i = to; i > from; i--) {
            frame_point(f, s->at[i - 1].x, s->at[i - 1].y, &at);
            canvas_line(c, at.x, frame_end(f, s->at[i - 1].lo));
        }
        if (to > from) {
            canvas_close_path(c);
            canvas_fill(c, series_colour(c, s->look), opacity);
        }
    }
}

/* ---- marked points ----------------------------------------------------------------------------------- */

/* Marks near a place that a label may take. */
static void keep_off_marks(const struct frame *f, const struct rect *near)
{
    struct rect at;

    for (size_t i = 0; i < f->chart->nseries; i++)
        for (size_t p = 0; p < f->chart->series[i].n; p++)
            if (frame_point(f, f->chart->series[i].at[p].x, f->chart->series[i].at[p].y, &at) &&
                fabs(at.x - near->x) < 80 && fabs(at.y - near->y) < 25)
                text_keep_off(f->canvas, &(struct rect){ at.x - 2.5, at.y - 2.5, 5, 5 });
}

void frame_label_point(const struct frame *f, const struct datum *d, const char *label, double ink, double reach)
{
    static const double side[8][4] = { { 1, -1, 0, 1 }, { -1, -1, 1, 1 }, { 1, 1, 0, 0 }, { -1, 1, 1, 0 },
                                       { 0, -1.2, 0.5, 1 }, { 0, 1.2, 0.5, 0 }, { 1.3, 0, 0, 0.5 },
                                       { -1.3, 0, 1, 0.5 } };
    struct canvas *c = f->canvas;
    const struct text t = { .text = label, .size = SIZE_NOTE, .halo = true, .grey = ink };
    struct rect at;

    if (!frame_point(f, d->x, d->y, &at) || !frame_inside(f, &at))
        return;
    if (c->nbox < 5000)
        keep_off_marks(f, &at);
    for (double far = NEAR; far <= fmax(reach, NEAR); far += NEAR) {
        struct text_spot spot[8];
        size_t k;

        for (k = 0; k < 8; k++)
            spot[k] = (struct text_spot){ .x = at.x + far * side[k][0], .y = at.y + far * side[k][1],
                                          .along = side[k][2], .across = side[k][3] };
        k = text_place(c, &t, spot, 8, &(struct text_placer){ &f->data, 0.5, NULL, NULL });
        if (k < 8 && far > NEAR) {
            canvas_segment(c, at.x + NEAR / 2 * side[k][0], at.y + NEAR / 2 * side[k][1], spot[k].x, spot[k].y);
            canvas_stroke_grey(c, 0.5, PALE);
        }
        if (k < 8)
            return;
    }
    c->nameless++;
}

/* Whether labels pick out some of all points. */
static bool labels_some(const struct chart *c)
{
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++)
            if (!c->series[i].at[p].label)
                return true;
    return false;
}

/* A label where there is room beside the point, and a ring around one that is picked out. */
static void mark_point(const struct frame *f, const struct datum *d, bool label, bool ring)
{
    struct rect at;

    if (!frame_point(f, d->x, d->y, &at) || !frame_inside(f, &at))
        return;
    if (ring) {
        canvas_circle(f->canvas, at.x, at.y, 4.6);
        canvas_stroke_grey(f->canvas, 1, INK);
    }
    if (label)
        frame_label_point(f, d, d->label, 0, 0);
    else
        f->canvas->nameless++;
}

void frame_mark_points(const struct frame *f, size_t panel)
{
    const bool ring = labels_some(f->chart);
    size_t marked = 0;

    for (size_t i = 0; i < f->chart->nseries; i++) {
        const struct series *s = &f->chart->series[i];

        for (size_t p = 0; s->panel == panel && p < s->n; p++)
            if (s->at[p].label)
                mark_point(f, &s->at[p], marked++ < LABELS_TRIED, ring);
    }
}
