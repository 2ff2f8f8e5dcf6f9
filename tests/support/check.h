/* check.h -- what every test begins with: cmocka and what it needs before it, tables counted, random parts seeded,
 * numbers compared. */
#ifndef TESTS_SUPPORT_CHECK_H
#define TESTS_SUPPORT_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "graph/numeric/rng.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* The seed of a random part, printed: SEED=n of the environment repeats it, else the time. */
static inline uint64_t check_seed(void)
{
    const char *given = getenv("SEED");
    const uint64_t seed = given ? strtoull(given, NULL, 10) : (uint64_t)time(NULL);

    print_message("SEED=%llu\n", (unsigned long long)seed);
    return seed;
}

/* Uniform in 0..1, 1 excluded. */
static inline double check_uniform(struct rng *rng)
{
    return (double)(rng_next(rng) >> 11) / (double)(1ULL << 53);
}

static inline void check_near(double got, double want, double within)
{
    if (!(fabs(got - want) <= within))
        fail_msg("%.17g is not %.17g", got, want);
}

#endif
