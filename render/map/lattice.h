/* lattice.h -- rectilinear grids for maps: in each panel one cell for every distinct x and y of its points, the values
 * in the cells, and which series is best in each. */
#pragma once

#include "render/figure/chart_data.h"

/* Places of cells along one axis: cell i is about at[i], from edge[i] to edge[i + 1]. */
struct ladder {
    double *at;                 /* n, rising: distinct values; every category, whether it has points or not */
    double *edge;               /* n + 1: half way between neighbours, in the logarithm on a logarithmic axis */
    size_t n;
};
struct lattice {
    struct ladder x, y;         /* cell j * x.n + i is at x.at[i], y.at[j] */
};
struct lattices {
    const struct chart *chart;
    struct lattice *panel;
    size_t npanel;
    bool xlog, ylog;
    /* The chart as a frame is to take it: scales decided, ranges that end at the outermost edges of all panels (where
     * none was asked for), a series for each panel with its cells as lattices_show put them there. */
    struct chart view;
};
/* Of the points that are not laid over. ERR_MEMORY; ERR_DOMAIN for points on too large a grid, or on none. Safe to
 * release either way. */
int lattices_make(struct lattices *l, const struct chart *chart, struct err *err);
void lattices_release(struct lattices *l);
/* Shows the cells of a panel that have a value (not NaN) to the frame, with them the points that have no cell
 * (infinite, not positive on a logarithmic axis), for it to count. */
int lattices_show(struct lattices *l, size_t panel, const double *value, struct err *err);
static inline size_t lattice_cells(const struct lattice *l)
{
    return l->x.n * l->y.n;
}

/* The value of every cell of a panel, NaN where there is none: the mean of its points' z, or, with `first`, the z of
 * the first of them. `several` grows by the cells with more than one point. */
int lattice_values(double *value, size_t *several, const struct lattices *l, size_t panel, bool first, struct err *err);

/* For every cell of a panel which series wins: the one with the least mean z (greatest with chart->best_most), of equal
 * ones the first named. */
struct contest {
    int *winner;                /* the first series of the chart with the winner's name; -1: no competitor */
    double *best, *second;      /* NaN where there is none */
    size_t several;             /* cells where a competitor has more than one point */
};
int contest_hold(struct contest *c, const struct lattices *l, size_t panel, struct err *err);
void contest_release(struct contest *c);
/* What the winner is better by, as a part: (second - best) / best where the least wins, (best - second) / second where
 * the greatest does; NaN for a single competitor, or where what is divided by is not positive. */
double contest_gain(const struct contest *c, size_t cell, bool most);
/* The same between the cells, of which each is cut into times[0] x times[1] parts: every competitor's value goes evenly
 * from the middle of a cell to the next, in its logarithm where all values are positive. */
int contest_refine(struct contest *c, const struct lattices *l, size_t panel, const size_t times[2], struct err *err);
