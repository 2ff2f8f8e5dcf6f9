/* execute.h -- a schedule in time, under a model of what messages cost.
 *
 * Each process goes through its actions: a send is begun and the process goes on when the model lets it; a receive
 * waits for the next message of its peer. The process that is first in time is served first, of several the one of the
 * lesser rank relative to the root; what a model delivers at that time comes after them, message by message, each with
 * what its receiver does then.
 * Combining takes `combine` seconds a byte; nothing in models that count steps.
 * Where messages cannot block each other for good, an execution that takes longer than the cost's limit is given up:
 * its time is INFINITY, and the rest says nothing. Others go on, so that a deadlock is told whatever the limit.
 * Units   seconds, bytes.
 * Errors  ERR_DOMAIN where messages block each other for good; ERR_INTERNAL for a schedule in which processes wait for
 *         ever; those of the schedule and of the model. */
#pragma once

#include "analysis/collective/cost.h"
#include "analysis/latency/latency.h"
#include "model/collective/collective.h"

struct execution {
    double time;                        /* the last process has ended */
    double messages, bytes;             /* sent, by all */
    double most;                        /* bytes that one process sends at most */
    int64_t steps;                      /* messages one after the other on the longest chain of them */
    double busiest;                     /* bytes on the wire of the link that has most (bus: of it); NAN: there are no
                                         * links */
    double hops;                        /* links crossed, by all messages; NAN */
    double waiting;                     /* bytes that have arrived and wait to be taken, at the process and the instant
                                         * with most of them: its buffer; NAN: none begins before it is waited for */
    enum validity validity;             /* of times that are means of drawn runs */
};
int execute(struct execution *out, const struct schedule *s, struct cost *c, double combine, const struct tick *t,
            struct err *err);
