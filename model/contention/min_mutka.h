/* min_mutka.h -- waits by cases: what the two readings of the formula of Min and Mutka (1993) share.
 * T1 and T2 are the computing times, exponential. Whether T1 < TD2 and whether T2 < TD1 makes four cases, taken to be
 * independent; each has its own estimate of the waits, and the sum weighs them by their probabilities. */
#pragma once

#include "model/contention/contention.h"

/* A channel and the times it meets. */
struct met {
    double td;                      /* its hold */
    double within;                  /* probability that it asks again within the other's hold */
    double beyond;                  /* 1 - within */
    double early;                   /* E[T | T < the other's hold] */
    double late;                    /* E[T | T >= the other's hold] */
};
struct min_mutka {
    /* Messages of `a` during a round of `b`, before it is rounded up: a asks within b's hold, b does not within a's. */
    double (*messages)(const struct met *a, const struct met *b);
    /* Waits where neither asks within the other's hold. */
    void (*apart)(double wait[2], const struct met channel[2]);
};
int min_mutka(double wait[2], const struct contender channel[2], const struct min_mutka *how, struct err *err);
