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
