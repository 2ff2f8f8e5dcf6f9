/* chart.h -- charts out. A chart sees series of points and words, never what they mean.
 * One file chart_NAME.c per kind, plot_NAME.c per file format. The same chart gives the same bytes. */
#ifndef RENDER_CHART_H
#define RENDER_CHART_H

#include <stddef.h>

#include "graph/base/err.h"

struct series {
    char *name;                 /* for the legend */
    double *x, *y;              /* n each; points where either is NaN are left out */
    size_t n, room;
};
enum axis_scale { SCALE_AUTO, SCALE_LINEAR, SCALE_LOG };
struct axis {
    char *title, *unit;         /* "Mean length", "hops" -> "Mean length [hops]"; unit may be NULL */
    enum axis_scale scale;      /* AUTO: logarithmic where positive data span a factor of 50 or more */
    char **category;            /* ncategory names: x counts them from 0 (bar charts); NULL: numbers */
    size_t ncategory;
};
struct chart {
    const char *kind;           /* "line", "bar" */
    char *title;                /* NULL: none */
    struct axis x, y;
    struct series *series;
    size_t nseries;
    double width_mm, height_mm; /* 0: 160 x 100 */
};

struct chart_kind {
    const char *name, *summary;
    int (*draw)(void *cairo, const struct chart *chart, struct err *err);
};
struct plot_format {
    const char *name, *extension, *summary;
    /* A surface of width x height points that writes through `write`; cairo_surface_t * as void *. */
    void *(*open)(int (*write)(void *to, const unsigned char *bytes, unsigned n), void *to, double width,
                  double height);
};
extern const struct chart_kind *const chart_all[];      /* NULL-terminated */
extern const struct plot_format *const plot_all[];

void chart_init(struct chart *c, const char *kind);
void chart_release(struct chart *c);
/* Index of the series of that name, added at the end when new; -1: memory. */
int chart_series(struct chart *c, const char *name);
int chart_point(struct chart *c, int series, double x, double y);  /* -1: memory */
int chart_axis(struct axis *a, const char *title, const char *unit);
/* Position of a category on the axis, added at the end when new; -1: memory. */
int chart_category(struct axis *a, const char *name);

/* Draws to a file whose extension picks the format (checked by chart_check_path before long work). */
int chart_check_path(const char *path, struct err *err);
int chart_write(const struct chart *c, const char *path, struct err *err);
/* Gives back what the drawing libraries keep, at the end of the program. */
void chart_teardown(void);

#endif
