/* contention.h -- channels that collide at one link: mean waits.
 * Model   Closed sources. The source of a channel computes for an exponential time, asks for the shared link, holds it
 *         for a constant time once all that asked before it are served (first come, first served), and computes again.
 *         The wait is from asking to being served; the latency of a message is its wait and its hold.
 * Units   cycles throughout; a flit takes a cycle, so the hold of a message is its length in flits.
 * Errors  ERR_DOMAIN for times outside CONTENDER_LEAST..CONTENDER_MOST (contender_check).
 * One file contention_NAME.c per formula for two channels, which defines contention_NAME; any number of channels is
 * contend.h. */
#pragma once

#include "graph/base/entry.h"

#define CONTENDER_LEAST 1e-12
#define CONTENDER_MOST 1e12

struct contender {
    double interval;                /* mean time of computing between messages, MI */
    double hold;                    /* of the link by a message, TD */
};

struct contention_model {
    ENTRY;
    bool exact;                     /* else an approximation of what `exact` computes */
    bool fair;                      /* two alike wait alike */
    int (*wait)(double wait[2], const struct contender channel[2], struct err *err);
};

KIND_HEADER(contention, contention, struct contention_model);

int contender_check(const struct contender *channel, size_t n, struct err *err);

/* e^-x - 1 + x for any x, to a few units of the last digit: a request an exponential time of mean MI after the start of
 * a hold TD waits MI * contention_rest(TD / MI) on average (0 if it comes after the hold). */
double contention_rest(double x);
