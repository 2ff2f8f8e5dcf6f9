/* check.h -- what every test begins with: cmocka and what it needs before it, tables counted, random parts seeded,
 * numbers compared. */
#pragma once

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
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

/* Fails at the caller's line with both expressions and their values in decimal, and the rows that EACH_ROW is at. */
#define check_near(got, want, within) check_near_at(got, want, within, #got, #want, __FILE__, __LINE__)
#undef assert_int_equal
#define assert_int_equal(got, want) check_int_at((intmax_t)(got), (intmax_t)(want), #got, #want, __FILE__, __LINE__)
void check_near_at(double got, double want, double within, const char *got_text, const char *want_text,
                   const char *file, int line);
void check_int_at(intmax_t got, intmax_t want, const char *got_text, const char *want_text, const char *file, int line);

/* Walks a table of cases by the index i, and remembers where it is. */
#define EACH_ROW(i, table) \
    for (size_t i = 0; i < COUNT(table) && check_row(#table, i, __func__); i++)
bool check_row(const char *table, size_t row, const char *function);
