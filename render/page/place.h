/* place.h -- the placer of text: of several candidates the cheapest on which no obstacle lies. Text that was put
 * before, and what text_keep_off named, are obstacles to all text. */
#pragma once

#include "render/page/canvas.h"

/* A candidate: what text_put takes, and its cost, a number. */
struct text_spot {
    double x, y, along, across, angle, cost;
};
struct text_placer {
    const struct rect *bounds;  /* as text_try takes them */
    double gap;
    /* Does any other obstacle lie there? NULL: there is none. */
    bool (*blocked)(const void *arg, const struct text *t, const struct text_spot *s);
    const void *arg;
};
/* Puts the text on the cheapest free candidate, of equal costs the first, and says which; n: none is free. */
size_t text_place(struct canvas *c, const struct text *t, const struct text_spot *spot, size_t n,
                  const struct text_placer *placer);
/* The box of a text on a candidate that is level or turned upwards (-pi/2). */
struct rect text_spot_box(struct canvas *c, const struct text *t, const struct text_spot *s);
/* Does the segment from (x0, y0) to (x1, y1) cross text that was put? */
bool text_under(const struct canvas *c, double x0, double y0, double x1, double y1);
/* Does the segment from (x0, y0) to (x1, y1) cross the rectangle? */
bool segment_crosses(const struct rect *r, double x0, double y0, double x1, double y1);
