/* hexagons.h -- points too many to be drawn, counted in the cells of a honeycomb (Carr, Littlefield, Nicholson and
 * Littlefield 1987). */
#pragma once

#include "render/figure/frame.h"

/* Centres stand in rows 1.5 sides apart, the first at 0, 0, and in a row sqrt(3) sides; odd rows are half of that
 * further right. */
struct hexagons {
    double side, w, h;          /* of a panel, in points */
    size_t columns, rows;
    double *count;              /* by panel, row, column */
    size_t npanel, points;      /* counted, in all panels */
};
/* Empty cells that cover a w x h rectangle; a cell is called by its row times columns plus its column. ERR_MEMORY. */
int hexagons_make(struct hexagons *x, double w, double h, double side, size_t npanel, struct err *err);
void hexagons_release(struct hexagons *x);
/* The cell with its centre nearest to a point of the rectangle; that centre. */
size_t hexagons_at(const struct hexagons *x, double px, double py);
struct rect hexagons_centre(const struct hexagons *x, size_t cell);

/* Counts what the frame, laid out, shows of its chart, but for what is laid over, in cells as wide as suit its panels;
 * a view of the chart in which z is how many points share the cell. `view` is to be released by hexagons_release_view
 * either way. */
int hexagons_count(struct hexagons *x, struct chart *view, const struct frame *f, struct err *err);
void hexagons_release_view(struct chart *view);
/* The cells of the present panel, in the colours of the frame's colour bar. */
void hexagons_draw(const struct frame *f, const struct hexagons *x, size_t panel);
