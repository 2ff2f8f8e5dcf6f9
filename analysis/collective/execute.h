/* execute.h -- a schedule in time, under a model of what messages cost.
 *
 * Each process goes through its actions: a send is begun and the process goes on when the model lets it; a receive
 * waits for the next message of its peer. Whoever is first in time is served first, of several the one with the lesser
 * number.
 * Combining takes `combine` seconds a byte.
 * Units   seconds, bytes.
 * Errors  ERR_INTERNAL for a schedule in which processes wait for ever; those of the schedule and of the model. */
#ifndef ANALYSIS_COLLECTIVE_EXECUTE_H
#define ANALYSIS_COLLECTIVE_EXECUTE_H

#include "analysis/collective/cost.h"
#include "graph/base/tick.h"
#include "model/collective/collective.h"

struct execution {
    double time;                        /* the last process has ended */
    double messages, bytes;             /* sent, by all */
    double most;                        /* bytes that one process sends at most */
    int64_t steps;                      /* messages one after the other on the longest chain of them */
    double busiest;                     /* bytes over the link that has most (bus: over it); NAN: there are no links */
    double hops;                        /* links crossed, by all messages; NAN */
    double waiting;                     /* bytes that have arrived and wait to be taken, at the process and the instant
                                         * with most of them: its buffer */
};
int execute(struct execution *out, const struct schedule *s, struct cost *c, double combine, const struct tick *t,
            struct err *err);

#endif
