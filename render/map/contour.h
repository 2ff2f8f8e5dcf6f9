/* contour.h -- contour lines of values on a rectilinear grid, levels to draw them at, places for their labels, and
 * the boundaries of a map of categories. Knows no page: points are in the units of x and y. */
#pragma once

#include "graph/base/base.h"

struct xy {
    double x, y;
};
/* A line is point[first .. first + n); a closed one goes on from its last point to its first, which is not repeated.
 * Neighbours differ; an open line has two points or more, a closed one three or more. */
struct contour_line {
    size_t first, n;
    bool closed;
};
struct contour {
    struct xy *point;
    size_t npoint;
    struct contour_line *line;
    size_t nline;
};

/* Where z is `level`: z[j * nx + i] stands at x[i], y[j]; x and y are finite and strictly monotone. Marching squares
 * (Lorensen and Cline 1987, in two dimensions): inside is z >= level, lines cross the edges of cells where linear
 * interpolation puts them, and a saddle is joined or parted by the mean of the cell's corners. A cell with a corner
 * that is not finite has no line, so lines end at the border and at holes only. Along a line, in the order of the
 * indices, inside is on the left. A ridge that just touches the level, of no width, is drawn once, where its two sides
 * would lie on each other, by a line that may end there; a single node that does is not drawn. Lines come in an order
 * that depends on the values alone. O(nx ny) time, O(nx + points) memory. ERR_MEMORY. */
int contour_lines(struct contour *out, const double *x, size_t nx, const double *y, size_t ny, const double *z,
                  double level, struct err *err);

/* The boundaries between cells of different category: cell[j * nx + i] reaches from x[i] to x[i + 1] and from y[j] to
 * y[j + 1], so that x has nx + 1 places and y has ny + 1. Each boundary is drawn once, in lines that end at the border
 * and where three or four boundaries meet; points only at corners and ends. The border itself is not drawn.
 * ERR_MEMORY. */
int contour_partition(struct contour *out, const double *x, size_t nx, const double *y, size_t ny, const int *cell,
                      struct err *err);
/* Safe on a zeroed struct. */
void contour_release(struct contour *c);

/* At most `most` levels in rising order, all of them strictly between lo and hi: multiples of a nice step. None where
 * lo < hi does not hold or either is not finite. */
size_t contour_levels(double *level, size_t most, double lo, double hi);
/* The same for values over decades: 1, 2 and 5 times the powers of ten, else the powers, else every second, fifth,
 * tenth... of them; where that gives fewer than two, or lo is not positive, as contour_levels. */
size_t contour_levels_log(double *level, size_t most, double lo, double hi);

/* A place for a label on a line. */
struct contour_place {
    struct xy at;               /* on the line, the middle of the stretch */
    double angle;               /* of its chord, in degrees, -90..90, as atan2(y, x) of the points given */
    double from, to;            /* the stretch, as distances along the line; `to` may pass the end of a closed one */
};
/* The straightest stretch of that length, by chord to length: the one nearest to the middle of an open line where many
 * are straight. Points are as projected on the page, finite; `margin` is kept free at either end, and a closed line is
 * as long as label and margins together too. False: the line is too short, or every stretch turns too much
 * (chord / length under 0.95, as on a circle of radius 0.9 lengths). O(n). */
bool contour_place(struct contour_place *out, const struct xy *point, size_t n, bool closed, double length,
                   double margin);
