/* colour_bar.h -- what colours mean: a ramp with ticks beside it, and its name. */
#pragma once

#include "render/figure/axis.h"
#include "render/page/canvas.h"
#include "render/figure/chart_data.h"

struct colour_bar {
    const struct axis *axis;    /* the caller's */
    struct scale scale;
    struct ticks ticks;
    char *name;                 /* "Load [%]" as markup, by g_malloc; NULL: none */
    /* NULL: ramp_colour; else one without its lightest part, on a page that shines through. */
    struct rgb (*ramp)(const struct canvas *c, double t);
    double above;               /* how far the name may reach above the bar; 0 at first */
    double height, labels, w;   /* length of the bar; width of the labels; of everything, across the bar */
    bool across;                /* it lies, with its labels below it; */
    double beyond;              /* how far the last of these reaches beyond its end */
};
/* A scale for these values; those that are not finite are passed over. ERR_MEMORY. */
int colour_bar_fit(struct colour_bar *b, const struct axis *a, const double *v, size_t n, struct err *err);
/* Chooses ticks for that length, and says in b->w how wide (of a bar that lies, how high) it all is. */
void colour_bar_lay(struct colour_bar *b, struct canvas *c, double length, bool across);
/* Its top left at x, y. */
void colour_bar_draw(const struct colour_bar *b, struct canvas *c, double x, double y);
void colour_bar_release(struct colour_bar *b);
/* The colour of what has none on a logarithmic scale, zero and below: white; where the page shines through what has no
 * value, light grey. */
struct rgb colour_bar_zero(const struct colour_bar *b);
/* The colour of a value; that of the nearest end beyond the scale, colour_bar_zero where that is. */
struct rgb colour_bar_at(const struct colour_bar *b, const struct canvas *c, double value);
/* The same at a part of the way along the scale, 0 its low end, 1 the high one: by the bar's own ramp, if it has one,
 * where zero is not in the middle. */
struct rgb colour_bar_colour(const struct colour_bar *b, const struct canvas *c, double part);
