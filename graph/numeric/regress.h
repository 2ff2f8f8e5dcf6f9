/* regress.h -- curves fitted to points by least squares.
 * One file regress_NAME.c per kind. Those with logarithms are straight lines through ln x or ln y and least in those,
 * not in y. Sums are of scaled and centred values, by orthogonal polynomials (Forsythe 1957: the QR decomposition by
 * Gram-Schmidt), improved by fitting what is left over twice more. */
#pragma once

#include "graph/base/entry.h"

struct regress_kind {
    ENTRY;                      /* summary: its equation */
    bool log_x, log_y;          /* which must be positive then */
    int degree;                 /* of the polynomial between them: it takes one more different x */
};
KIND_HEADER(regress, regress, struct regress_kind);

struct regress {
    const struct regress_kind *kind;
    double a, b, c;             /* of kind->summary; c of the quadratic alone */
    /* 1 - sum (w - fit)^2 / sum (w - mean)^2 over the points used, where w is what was fitted: y, or ln y where the
     * kind takes its logarithm. 1 where all y are equal: every kind fits them exactly. */
    double r2;
    size_t used, left_out;      /* points; left out: not finite, or not positive where a logarithm is taken */
    double lo, hi;              /* least and largest x used */
    double size;                /* largest |y| used */
    double centre, spread;      /* the fit itself: local[0] + local[1] t + local[2] t^2, t = (x - centre) / spread, */
    double local[3];            /* of ln x, ln y where the kind says so */
};

/* ERR_DOMAIN: too few points, or too few different x, or coefficients beyond the range of doubles. O(n). */
int regress_fit(struct regress *out, const struct regress_kind *kind, const double *x, const double *y, size_t n,
                struct err *err);
/* The fit at x; NaN where it has no value. */
double regress_at(const struct regress *r, double x);
