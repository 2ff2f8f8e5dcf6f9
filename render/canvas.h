/* canvas.h -- what charts draw with: text by pango, the palette, marks, and the memory that surfaces write to.
 * Units are points; y grows downwards. */
#ifndef RENDER_CANVAS_H
#define RENDER_CANVAS_H

#include <cairo.h>
#include <pango/pangocairo.h>
#include <stdbool.h>

#include "render/chart.h"

/* cairo forgets write errors of some streams, so everything is drawn into memory first. */
struct sink {
    unsigned char *bytes;
    size_t n, room;
    bool failed;                /* memory ran out */
};
cairo_status_t sink_write(void *sink, const unsigned char *bytes, unsigned int n);    /* a cairo_write_func_t */
/* The whole figure as bytes; release sink->bytes with free. */
int chart_draw(struct sink *sink, const struct chart *c, const struct plot_format *f, struct err *err);

struct rect {
    double x, y, w, h;
};
struct canvas {
    cairo_t *cr;
    PangoLayout *layout;
    double width, height;
};
int canvas_open(struct canvas *c, cairo_surface_t *surface, double width, double height, struct err *err);
void canvas_close(struct canvas *c);

#define INK 0.15                /* grey levels: text and axes, asides, grid */
#define PALE 0.40
#define FAINT 0.88

struct text {
    const char *text;           /* any bytes; with `markup`, what markup_of and axis.h made */
    double size;                /* of the font */
    bool bold, markup;
    double width;               /* cut or wrapped to this; 0: as long as it is */
    bool middle;                /* cut in the middle rather than at the end */
    int lines;                  /* at most, when `width` is set; 0: one */
    double grey;                /* 0: INK */
};
/* A line of text is as high as its font says, whatever is in it, so that labels of one axis stand level. */
double text_height(double size);
void text_measure(struct canvas *c, const struct text *t, double *width, double *height);
/* Puts the point (along, across) of the text's box, each 0..1, at x, y, turned by `angle` (radians, clockwise)
 * about it. 0.5 across is the middle of a capital letter. */
void text_put(struct canvas *c, const struct text *t, double x, double y, double along, double across,
              double angle);
/* Any text as markup that shows it; free with g_free. */
char *markup_of(const char *text);

/* How a series looks is one number: its colour is look % LOOK_COLOURS, its dashes (hatching of bars) look / LOOK_COLOURS.
 * Series have colours that the colour-blind can tell apart, marks of different shape and, from the eighth on,
 * other dashes. */
#define LOOK_COLOURS 7
#define LOOK_DASHES 4
void series_colour(struct canvas *c, size_t look);
void series_dash(struct canvas *c, size_t look);
void series_mark(struct canvas *c, size_t look, double x, double y);
void series_fill(struct canvas *c, size_t look, const struct rect *r);

#endif
