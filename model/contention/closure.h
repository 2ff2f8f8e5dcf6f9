/* closure.h -- waits of several closed sources at a link (contention.h): a closure puts the waits of pairs together to
 * those of more. One file closure_NAME.c each.
 * By pairs: the exact wait of two, less what the other one waits for third parties. An approximation; with two it is
 * exact. Latencies of 3 to 7 channels alike are off by less than 2 % where the link is busy half of the time, up to
 * 8 % where it never rests; of up to six channels with intervals and holds that differ up to 400 and 20 times, by 4 %
 * in the mean, and by 60 % for a single one with short messages among long ones (measured against the exact chain,
 * tests/unit/test_contention.c).
 * Units  any one unit of time. */
#pragma once

#include "graph/base/entry.h"
#include "model/contention/contention.h"

/* The part of a hold that varies: gamma distributed, with mean shape * scale; shape 0: none. */
struct closure_spread {
    double shape, scale;
};
struct closure_side {
    double rate, hold;          /* messages per unit of time; how long one holds the link, on average */
    double wait;                /* for all others */
    double idle;                /* mean time between its holds */
    struct closure_spread spread;       /* of `hold`; pairwise alone asks */
};
/* Closes the equations. The wait of each of n sources for each of the others, out[g * n + j], from the estimate now[g *
 * n + j]; row sums are waits. common[g * n + j], g < j: the rate product of sources that come to both, which never
 * compete with themselves; NULL: there are none. A source of rate 0 neither waits nor makes others wait. */
struct closure {
    ENTRY;
    void (*waits)(double *out, const struct closure_side *side, size_t n, const double *now, const double *common);
};
KIND_HEADER(closure, closure, struct closure);
extern const struct closure closure_pairwise;   /* the default */

/* Of j's hold H while g is idle for a mean of `idle`, in parts of that: what g misses of it because it wants the link
 * meanwhile, 1 - E exp(-H/idle), and the rest, E H/idle less that. */
struct closure_rest {
    double missed, rest;
};
struct closure_rest closure_rest(const struct closure_side *g, const struct closure_side *j);
/* closure_wait, the rest being known. */
double closure_wait_rest(const struct closure_side *g, const struct closure_side *j, double back, double common,
                         const struct closure_rest *r);
/* Pairwise closure: the wait of g for j. `back`: the wait of j for g; `common` as above. */
double closure_wait(const struct closure_side *g, const struct closure_side *j, double back, double common);

/* wait[0..n-1] of any number of different channels by pairs. ERR_NETWORK where the iteration does not converge. */
int closure_waits(double *wait, const struct contender *channel, size_t n, const struct tick *tick, struct err *err);
