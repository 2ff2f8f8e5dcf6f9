/* relief.h -- heights over a grid, from points in any order. */
#ifndef RENDER_MAP_RELIEF_H
#define RENDER_MAP_RELIEF_H

#include <stdbool.h>
#include <stddef.h>

#include "graph/base/err.h"

/* A point where it stands along the axes, 0..1 within what is shown; z is a value, NaN when it is missing. */
struct relief_point {
    double u, v, z;
};
struct relief {
    double *u, *v;              /* the lines of the grid, rising */
    size_t nu, nv;
    double *z;                  /* z[j * nu + i] at u[i], v[j]; NaN: a hole */
    size_t shared;              /* points at a place that another had before */
    bool loose;                 /* the points lie on no grid: they were moved onto an even one */
};
/* The distinct places along either axis (they are one when nearer than 1e-9) make the grid; points that share a node
 * are averaged. ERR_MEMORY. */
int relief_of(struct relief *out, const struct relief_point *point, size_t n, struct err *err);
/* At most that many lines each way, evenly chosen; a node is the mean of what lies around it. Lines at the border stay
 * where they are. ERR_MEMORY. */
int relief_thin(struct relief *out, const struct relief *r, size_t most_u, size_t most_v, struct err *err);
/* Safe on a zeroed struct. */
void relief_release(struct relief *r);

#endif
