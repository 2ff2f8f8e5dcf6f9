/* closure.h -- what one of several at a link waits for one of the others: the exact wait of two closed sources
 * (contention.h), less what the other one waits for third parties. An approximation; with two it is exact.
 * Latencies of 3 to 7 channels alike are off by less than 2 % where the link is busy half of the time, up to 8 % where it never
 * rests; of up to six channels whose intervals and holds differ up to 400 and 20 times, by 4 % in the mean, and by 60 % for
 * a single one with short messages among long ones (measured against the exact chain, tests/unit/test_contention.c).
 * Units  any one unit of time. */
#ifndef MODEL_CONTENTION_CLOSURE_H
#define MODEL_CONTENTION_CLOSURE_H

#include "graph/base/tick.h"
#include "model/contention/contention.h"

struct closure_side {
    double rate, hold;          /* messages per unit of time; how long one holds the link */
    double wait;                /* for all others */
    double idle;                /* mean time from letting the link go to wanting it again */
};
/* What g waits for j. `back`: what j waits for g; `common`: the rate product of sources that come to both, which never
 * compete with themselves. */
double closure_wait(const struct closure_side *g, const struct closure_side *j, double back, double common);

/* wait[0..n-1] of any number of different channels by this closure. ERR_NETWORK where it does not settle. */
int closure_waits(double *wait, const struct contender *channel, size_t n, const struct tick *tick, struct err *err);

#endif
