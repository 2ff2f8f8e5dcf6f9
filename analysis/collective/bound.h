/* bound.h -- what no algorithm of a collective can beat, under a model of what messages cost: the largest of
 *
 * growth    every process must hear of the root (broadcast, scatter), the root of every process (reduce, gather), or
 *           all of all. A message is alone(least) on its way, a process begins another `gap` later at the soonest, and
 *           a process that has heard may tell: the postal model (Bar-Noy and Kipnis 1994; of LogP Karp and others
 *           1993), exact by taking senders in the order of their time. Turned round for reductions: then `gap` is
 *           between two that are taken. least is 1 byte, or none where there are none: an operation of no bytes still
 *           tells.
 * volume    what some process must send at least: m of a broadcast and reduce, of a gather its block, (n - 1) m of the
 *           others, (n - 1)/n m of reduce-scatter and twice that of allreduce, since they are what all send over n
 *           (Chan and others 2007; Patarasuk and Yuan 2009). Of a gather what the root must take, (n - 1) m, where
 *           messages hold their receiver as they do their sender (no `take`). What all send where all share one bus.
 *           On a network the links of a process say it. Where the network copies messages (multicast=yes) one may tell
 *           all: growth is a single message, and what all must have is sent once.
 * links     bytes that must cross a cut of the network, over its rate: those of broadcast_rate.h, round the root, and
 *           round every process (what all send, over all links of theirs). Of all-to-all hops times bytes of all pairs
 *           over the rate of all links, and half of the bytes through the bisection where a closed form has it. Beyond
 *           COLLECTIVE_FLOWS (processes times links) cuts round processes alone.
 * distance  the way to the farthest process, its cables and the work at both ends.
 * steps     of models that count steps: broadcast_bound.h, with all ports; of other operations distance alone.
 * Units   seconds; steps where the cost has them.
 * Errors  those of broadcast_rate.h and broadcast_bound.h. */
#pragma once

#include "analysis/broadcast/broadcast_rate.h"
#include "analysis/collective/cost.h"
#include "model/collective/collective.h"

#define COLLECTIVE_FLOWS 1e7

/* What the network leaves, for one placement. Rates in bytes a second. */
struct collective_cuts {
    struct broadcast_rate rate;         /* capacities of its cuts in bytes a second */
    double out, all_out;                /* of all links that leave the root's node; those of all processes */
    double far, across;                 /* seconds or steps, from the root to the farthest process, between the farthest
                                         * two */
    double broadcast_steps;
    double pairs;                       /* of all-to-all, seconds a byte of each pair; 0: not known */
    int beside;                         /* processes on the root's node */
    bool crowded;                       /* some node has several: its own cut and distance are all that is looked at */
    bool directed;
};
/* `cost` needs a network, w. */
int collective_cuts(struct collective_cuts *out, enum operation operation, int root, const struct cost *cost,
                    const struct cost_network *w, const struct tick *t, struct err *err);

struct collective_bound {
    double time;                        /* NAN: nothing is known */
    const char *reason;                 /* "growth"; NULL */
};
/* cuts NULL: the cost knows no network. */
int collective_bound(struct collective_bound *out, enum operation operation, int64_t bytes, const struct cost *cost,
                     const struct collective_cuts *cuts, struct err *err);
