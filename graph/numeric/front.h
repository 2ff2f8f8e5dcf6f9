/* front.h -- the Pareto front of points in a plane: those that no other point dominates, by being as good in both
 * coordinates and better in one. */
#ifndef GRAPH_NUMERIC_FRONT_H
#define GRAPH_NUMERIC_FRONT_H

#include <stdbool.h>
#include <stddef.h>

#include "graph/base/err.h"

/* Their places, from the best x to the worst, into front[0..n); equal points are all there, in their order. Points with
 * a NaN neither stand there nor dominate. `most`: of x and y the greatest is best, not the least. O(n log n).
 * ERR_MEMORY. */
int front_find(size_t *front, size_t *nfront, const double *x, const double *y, size_t n, const bool most[2],
               struct err *err);

#endif
