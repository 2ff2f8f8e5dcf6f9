/* frame.h -- what all charts have in common: the page cut into title, axes, legend and the place for the data;
 * and everything that is drawn but the data. */
#ifndef RENDER_FRAME_H
#define RENDER_FRAME_H

#include "render/axis.h"
#include "render/canvas.h"

/* A text and where it stands, as text_put takes it; w and h are those of its unturned box. */
struct place {
    struct text text;
    double x, y, along, across, angle, w, h;
};
struct legend {
    bool shown, right;          /* right of the data, or below them */
    size_t nshown, columns, rows;
    double swatch, name_width, column_width, w, h;
    double x, y;                /* top left */
};
struct frame {
    struct canvas *canvas;
    const struct chart *chart;
    struct rect data;           /* where the data go */
    struct scale x, y;
    struct ticks xtick, ytick;
    struct place *xlabel, *ylabel;
    size_t nxlabel, nylabel;
    struct legend legend;
    struct place title, xtitle, ytitle;     /* without text when there are none */
    char *xname, *yname;        /* "Mean length [hops]" as markup, by g_malloc; NULL: none */
    size_t drawn, infinite, negative;       /* points: drawn; left out as infinite, or not positive on a log axis */
    bool bars;
    double *xs, *ys;            /* of the `drawn` points, while the page is laid out */
    struct fit how_y;
};

/* Lays out the page. `frame` is safe to release after a failure. */
int frame_lay(struct frame *f, struct canvas *canvas, const struct chart *chart, bool bars, struct err *err);
void frame_release(struct frame *f);
/* Draws all but the data; `swatch` draws the sample of a series into a box left of its name. */
void frame_draw(struct frame *f, void (*swatch)(struct canvas *, size_t look, const struct rect *));
/* False when a point has no place (NaN, infinite, not positive on a log axis). */
bool frame_point(const struct frame *f, double x, double y, struct rect *at);

/* legend.c */
void legend_size(struct legend *l, struct canvas *canvas, const struct chart *chart, double swatch);
void legend_draw(const struct legend *l, struct canvas *canvas, const struct chart *chart,
                 void (*swatch)(struct canvas *, size_t look, const struct rect *));

#define SWATCH_LINE 22.0        /* widths of samples in the legend */
#define SWATCH_BAR 11.0
#define SIZE_TICK 8.0           /* of fonts, in points */
#define SIZE_TITLE 8.5
#define SIZE_HEAD 9.5
#define SIZE_NOTE 7.0

#endif
