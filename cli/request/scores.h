/* scores.h -- the least of named scores, and all that tie with it: "binary+binomial". */
#pragma once

#include "graph/base/base.h"

#define BEST_NAMES 200
struct score {
    const char *name;
    double at, half;            /* with the half-width of its interval; at NAN: it does not compete */
};
/* The place of the first least one; n: none competes. names: NULL, or all those with an interval that meets its, which
 * may be wider by the part `tie`. */
size_t best_of(char names[BEST_NAMES], const struct score *s, size_t n, double tie);
