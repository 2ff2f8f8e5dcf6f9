#include "render/page/place.h"

/* The cheapest candidate behind `last` in the order of costs; last = n: of all. n: there is none. */
static size_t next_spot(const struct text_spot *spot, size_t n, size_t last)
{
    size_t next = n;

    for (size_t i = 0; i < n; i++)
        if ((last == n || spot[i].cost > spot[last].cost || (i > last && spot[i].cost == spot[last].cost)) &&
            (next == n || spot[i].cost < spot[next].cost))
            next = i;
    return next;
}

size_t text_place(struct canvas *c, const struct text *t, const struct text_spot *spot, size_t n,
                  const struct text_placer *placer)
{
    size_t at = n;

    while ((at = next_spot(spot, n, at)) < n) {
        const struct text_spot *s = &spot[at];

        if ((!placer->blocked || !placer->blocked(placer->arg, t, s)) &&
            text_try(c, t, s->x, s->y, s->along, s->across, s->angle, placer->bounds, placer->gap))
            return at;
    }
    return n;
}

struct rect text_spot_box(struct canvas *c, const struct text *t, const struct text_spot *s)
{
    double w, h;

    text_measure(c, t, &w, &h);
    if (s->angle != 0)
        return (struct rect){ s->x - s->across * h, s->y - (1 - s->along) * w, h, w };
    return (struct rect){ s->x - s->along * w, s->y - s->across * h, w, h };
}

/* Cuts the part t0..t1 of a segment that goes from `at` by `by` to what lies between lo and hi; false: none does. */
static bool clip(double at, double by, double lo, double hi, double *t0, double *t1)
{
    const double a = (lo - at) / by, b = (hi - at) / by;

    if (by == 0)
        return at > lo && at < hi;
    *t0 = fmax(*t0, fmin(a, b));
    *t1 = fmin(*t1, fmax(a, b));
    return *t0 < *t1;
}

/* Line clipping by parameters (Liang and Barsky 1984). */
bool segment_crosses(const struct rect *r, double x0, double y0, double x1, double y1)
{
    double t0 = 0, t1 = 1;

    return clip(x0, x1 - x0, r->x, r->x + r->w, &t0, &t1) && clip(y0, y1 - y0, r->y, r->y + r->h, &t0, &t1);
}

/* By the bounds of turned text. */
bool text_under(const struct canvas *c, double x0, double y0, double x1, double y1)
{
    for (size_t i = 0; i < c->nbox; i++) {
        const struct text_box *b = &c->box[i];
        const double left = fmin(fmin(b->x[0], b->x[1]), fmin(b->x[2], b->x[3])),
            right = fmax(fmax(b->x[0], b->x[1]), fmax(b->x[2], b->x[3])),
            top = fmin(fmin(b->y[0], b->y[1]), fmin(b->y[2], b->y[3])),
            bottom = fmax(fmax(b->y[0], b->y[1]), fmax(b->y[2], b->y[3]));

        if (b->text && segment_crosses(&(struct rect){ left, top, right - left, bottom - top }, x0, y0, x1, y1))
            return true;
    }
    return false;
}
