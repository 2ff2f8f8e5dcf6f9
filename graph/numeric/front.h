/* front.h -- the Pareto front of points in a plane: those that no other point dominates, by being as good in both
 * coordinates and better in one. */
#pragma once

#include "graph/base/base.h"

/* Indices of the front into front[0..n), from the best x to the worst; equal points are all listed, in their order. A
 * point with a NaN is not listed and dominates none. `most`: x and y are maximised, not minimised. O(n log n).
 * ERR_MEMORY. */
int front_find(size_t *front, size_t *nfront, const double *x, const double *y, size_t n, const bool most[2],
               struct err *err);
