/* chart.h -- charts out. One file chart_NAME.c per kind. The same chart gives the same bytes. */
#pragma once

#include "graph/base/entry.h"
#include "render/figure/chart_data.h"
#include "render/page/plot.h"

/* Infinities, and what is not positive on a logarithmic axis, cannot be drawn: the figure says how many points
 * it leaves out. A chart without any point is a frame with "no data". An axis of x that goes by the data takes in rules
 * up to a quarter of their span away; it says how many lie beyond. */

struct canvas;                  /* render/page/canvas.h */

enum chart_role { ROLE_X = 1, ROLE_Y = 2, ROLE_Z = 4, ROLE_GROUP = 8 };
struct chart_kind {
    ENTRY;
    unsigned needs;             /* chart_role: what it cannot do without */
    bool x_categories;          /* numbers along x become categories */
    bool numbers_x;             /* x must be numbers */
    bool words_z;               /* z may be words */
    bool unsorted;              /* points stay in the order of the rows */
    bool pairs;                 /* x and y are of one set, words or numbers; z may be left out */
    bool rules;                 /* it draws rules */
    bool means;                 /* several values at one place are drawn as their mean and deviation, */
    bool bands;                 /* as a band about a line that joins the means; else as bars */
    bool fronts;                /* points that no other beats stand out; names mark them */
    bool intervals;             /* points are pairs: when and on which lane (y) something starts, and where it ends; z
                                 * of the former: how much of the time between was spent waiting; NaN: none */
    /* The height it wants on a page of that width that leaves it open, in mm; NULL, 0: as pages have it; -1: memory. */
    double (*height)(const struct chart *chart, double width);
    int (*draw)(struct canvas *canvas, const struct chart *chart, struct err *err);
};
KIND_HEADER(chart, chart, struct chart_kind);

/* The chart in words, for those who cannot see it; free with free. NULL: memory. */
char *chart_describe(const struct chart *c);

int chart_draw(struct sink *sink, const struct chart *c, const struct page *page, const struct plot_format *format,
               struct err *err);
int chart_write(const struct chart *c, const struct page *page, const char *path, struct err *err);
