/* chart.h -- charts out. A chart sees series of points and words, never what they mean.
 * One file chart_NAME.c per kind, plot_NAME.c per file format. The same chart gives the same bytes. */
#ifndef RENDER_CHART_H
#define RENDER_CHART_H

#include <stddef.h>

#include "graph/base/err.h"

struct series {
    char *name;                 /* for the legend; "" or NULL: unnamed */
    double *x, *y;              /* n each; a point where either is NaN is missing, and interrupts a line */
    size_t n, room;
    size_t look;                /* colour and dashes (render/canvas.h); its number, unless set */
};
enum axis_scale { SCALE_AUTO, SCALE_LINEAR, SCALE_LOG };
struct axis {
    char *title, *unit;         /* "Mean length", "hops" -> "Mean length [hops]"; either may be NULL */
    /* AUTO: logarithmic where all values are positive, span a factor of 50 (the heights of bars: 1000) or more,
     * and would crowd in the lower quarter of a linear axis. */
    enum axis_scale scale;
    char **category;            /* ncategory names: x counts them from 0; none: numbers */
    size_t ncategory;
};
struct chart {
    const char *kind;           /* "line", "bar": not owned */
    char *title;                /* NULL: none */
    struct axis x, y;
    struct series *series;
    size_t nseries;
    double width_mm, height_mm; /* 0: 160 x 100 */
};

/* Infinities, and what is not positive on a logarithmic axis, cannot be drawn: the figure says how many points
 * it leaves out. A chart without any point is a frame with "no data". */

struct canvas;                  /* render/canvas.h */
struct sink;
struct _cairo_surface;          /* cairo_surface_t: those who only ask for a chart need no cairo.h */

struct chart_kind {
    const char *name, *summary;
    int (*draw)(struct canvas *canvas, const struct chart *chart, struct err *err);
};
struct plot_format {
    const char *name, *extension, *summary;
    struct _cairo_surface *(*open)(struct sink *sink, double width, double height);    /* points */
    /* Puts into the sink what is not there yet and makes the bytes depend on the chart alone; -1: memory. */
    int (*finish)(struct _cairo_surface *surface, struct sink *sink);
};
extern const struct chart_kind *const chart_all[];      /* NULL-terminated */
extern const struct plot_format *const plot_all[];

const struct chart_kind *chart_kind_by_name(const char *name);      /* NULL: none */

/* `kind` is a name from chart_all and is not copied; title and axes are strings of the chart's own (malloc). */
void chart_init(struct chart *c, const char *kind);
void chart_release(struct chart *c);
/* Index of the series of that name, added at the end when new; -1: memory. */
int chart_series(struct chart *c, const char *name);
int chart_point(struct chart *c, int series, double x, double y);  /* -1: memory */
int chart_axis(struct axis *a, const char *title, const char *unit);
/* Position of a category on the axis, added at the end when new; -1: memory. */
int chart_category(struct axis *a, const char *name);

/* Draws to a file whose extension picks the format. chart_check_path refuses others, with ERR_USAGE, before the
 * work that a figure may need. */
int chart_check_path(const char *path, struct err *err);
int chart_write(const struct chart *c, const char *path, struct err *err);
/* Gives back what the drawing libraries keep, at the end of the program. */
void chart_teardown(void);

#endif
