/* moments.h -- exact mean, deviation, least and greatest of fractions whose denominators come in few values.
 * Numerators are summed as whole numbers, so the result does not depend on the order of adding. */
#pragma once

#include "graph/base/base.h"

__extension__ typedef __int128 wide_int;

/* The fractions that share one denominator. */
struct moments {
    uint64_t n;
    wide_int sum, squares;      /* of numerators */
    int64_t least, greatest;    /* numerators; INT64_MAX, INT64_MIN while n = 0 */
};
struct moments_result {
    uint64_t n;
    double mean, sd, least, greatest;   /* NaN when n = 0; sd of the population */
};

void moments_init(struct moments *m);
void moments_merge(struct moments *m, const struct moments *other);
/* denominator[i] belongs to m[i]. */
void moments_result(struct moments_result *r, const struct moments *m, const double *denominator, size_t n);
