/* frame_series.c -- series drawn on a frame: lines, error bars, bands. */
#include "render/figure/frame.h"

#define FINE 0.36               /* points: what falls into one column this wide is drawn as its extent */
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
