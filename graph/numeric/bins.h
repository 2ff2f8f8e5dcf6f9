/* bins.h -- histograms with bins on round numbers, and empirical distribution functions with their quantiles. Any
 * doubles are taken; weights (NULL: 1 each) are finite and not negative, with a finite sum, or their value is left
 * out. */
#pragma once

#include "graph/base/base.h"

#define BINS_MOST 200

/* Bin i holds edge[i] <= v < edge[i + 1], the last one its upper edge too. */
struct bins {
    double *edge;               /* n + 1, rising */
    double *count;              /* n: sums of weights */
    size_t n;                   /* 0: there was nothing to choose bins by */
    bool logarithmic, whole;    /* edges even in the logarithm; bins centred on whole numbers */
    double below, above;        /* weights outside the edges */
    size_t left_out;            /* values that are not finite, or with a weight that is not as said above */
};
struct bins_how {
    int count;                  /* 0: chosen; else so many (at most BINS_MOST) */
    bool logarithmic;           /* values that are not positive are below all bins */
};

/* Bins for these values, with nothing in them yet.
 * Their number is chosen by Freedman and Diaconis 1981 (width 2 IQR n^(-1/3), of the decimal logarithms for
 * logarithmic bins; with weights n is (sum w)^2 / sum w^2, Kish 1965; quartiles by ecdf_quantile), by Sturges 1926
 * (1 + log2 n) where the interquartile range is 0, and the width then is the nearest nice one, 1, 2 or 5 times a power
 * of ten, with edges at its multiples.
 * A count that is asked for cuts evenly from the least value to the largest.
 * Whole numbers get bins of a whole width centred on numbers or stretches of them: edges at halves. Up to 100 numbers
 * from the least to the largest get a bin each. A count that is asked for is then the most there are.
 * All equal, to ten digits or to zero: one bin round them. ERR_MEMORY. */
int bins_choose(struct bins *out, const double *v, const double *weight, size_t n, const struct bins_how *how,
                struct err *err);
/* The same edges, empty: for another series beside the first. ERR_MEMORY. */
int bins_like(struct bins *out, const struct bins *b, struct err *err);
/* Counts values into the bins, in addition to what is there. */
void bins_add(struct bins *b, const double *v, const double *weight, size_t n);
void bins_release(struct bins *b);

/* The empirical cumulative distribution: share[i] of the weight is at value[i] or below. */
struct ecdf {
    double *value;              /* n, rising; equal values merged, those of no weight passed over */
    double *share;              /* 0..1; the last is 1 */
    size_t n;
    double total;               /* weight */
    size_t left_out;            /* as in struct bins */
};
/* O(n log n). ERR_MEMORY. */
int ecdf_make(struct ecdf *out, const double *v, const double *weight, size_t n, struct err *err);
void ecdf_release(struct ecdf *e);
/* The least value whose share reaches p (definition 1 of Hyndman and Fan 1996); NaN where there is none. */
double ecdf_quantile(const struct ecdf *e, double p);
