/* galois.h -- arithmetic in GF(q), q a prime power: elements are 0 .. q-1, polynomials over GF(p) of which digit i to
 * base p is the coefficient of x^i; 0 and 1 are themselves. The modulus is the first, by its low digits, for which x is
 * primitive (Lidl and Niederreiter 1997, section 2.2), so products are sums of logarithms. */
#pragma once

#include "graph/base/base.h"

#define GALOIS_MOST 4096

struct galois {
    int q, p;                   /* order; characteristic */
    int exp[2 * GALOIS_MOST];   /* powers of the primitive element, twice round */
    int log[GALOIS_MOST];       /* of elements but 0 */
};

/* Whether q is a power, of at least 1, of a prime, which is left in *p. */
bool galois_order(int q, int *p);
/* Takes q from 2 to GALOIS_MOST. ERR_USAGE where it is no prime power: the nearest two that `fits` accepts (NULL: all)
 * are named. */
int galois_init(struct galois *f, int q, bool (*fits)(int q), struct err *err);
int galois_add(const struct galois *f, int a, int b);
int galois_negative(const struct galois *f, int a);

static inline int galois_times(const struct galois *f, int a, int b)
{
    return a && b ? f->exp[f->log[a] + f->log[b]] : 0;
}

/* b is not 0. */
static inline int galois_over(const struct galois *f, int a, int b)
{
    return a ? f->exp[f->log[a] + f->q - 1 - f->log[b]] : 0;
}
