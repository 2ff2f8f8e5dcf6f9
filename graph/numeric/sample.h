/* sample.h -- what is known of n sources from N of them, drawn at random without replacement; and of a mean.
 *
 * The standard error of whatever is computed from the sample is the jackknife's: (1 - N/n) (N - 1)/N times the sum of
 * squares of what it is without each source in turn, less their mean (Quenouille 1956, Tukey 1958; of a mean that is
 * the usual s/sqrt(N)), with the correction for a finite population (Cochran 1977, chapter 2). Half of the confidence
 * interval of 95 % is Student's quantile for N - 1 degrees of freedom times that. */
#pragma once

#include "graph/base/base.h"

struct estimate {
    double error, half;         /* standard error; half-width of the 95 % confidence interval */
};

/* `size` different ones of 0..n-1, ascending; fresh. A larger sample of the same seed holds the smaller. */
int sample_draw(int **chosen, int size, int n, uint64_t seed, struct err *err);
/* without[i]: the estimate without source i; of `size` sources out of n. NaN where one of them is. */
struct estimate sample_error(const double *without, size_t size, double n);
/* What 95 % of Student's distribution lie within, on both sides: 12.706 for 1 degree of freedom, 1.960 for many. */
double sample_student(size_t freedom);
/* Half-width of the 95 % confidence interval of a mean of n independent values that have this deviation (of the sample,
 * over n - 1); NAN for fewer than two. */
double sample_half(size_t n, double deviation);
