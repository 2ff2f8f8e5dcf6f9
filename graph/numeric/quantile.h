/* quantile.h -- quantiles of a sample, and the box and whiskers that sum it up. */
#pragma once

#include "graph/base/base.h"

/* Of n finite values in rising order, 0 <= p <= 1: linear between the order statistics (definition 7 of Hyndman and Fan
 * 1996, which R and numpy use unless told otherwise). NaN of none. */
double quantile_of(const double *sorted, size_t n, double p);

/* Quartiles, and whiskers that end at the last value within 1.5 interquartile ranges of them (Tukey 1977);
 * sorted[0..from) and sorted[to..n) lie beyond. */
struct quantile_box {
    double lo, q1, median, q3, hi;
    size_t from, to;
};
void quantile_box_of(struct quantile_box *b, const double *sorted, size_t n);     /* n > 0 */
