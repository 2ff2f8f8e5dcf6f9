/* broadcast.h -- what a broadcast takes in steps and hops: flooding, and what broadcasts over trees share (the rules of
 * steps are those of analysis/collective/steps.h).
 * Shapes  received[p] of every process p (by its own number, not relative to the root).
 * Units   hops, and steps of one unit: crossing any link takes one unit. Doubles, since they outgrow an int.
 * Errors  ERR_DOMAIN for a root out of range, or narrow links, ERR_NETWORK where a process cannot be reached,
 *         ERR_MEMORY before allocating too much.
 * Source  paper on reconfigurable MPI collectives, section 5. The definition it leaves open:
 *
 * Flooding: every node sends to all its neighbours when it first hears the message, on all links at once,
 * but not to the node it first heard it from (the smallest, of several at once). Makespan: hops from the root's
 * node to the farthest terminal, whether a process runs there or not, since no node knows when to stop.
 * Serialised hops: messages sent, each over one link. Ports and blocking do not apply. */
#pragma once

#include "graph/distance/trunks.h"
#include "model/process/placement.h"

struct broadcast_how {
    int ports;                      /* 0: no limit */
    bool blocking;
};

struct broadcast {
    double serial_hops;             /* also the number of steps of the schedule */
    double makespan_steps;
    double messages;                /* tree edges; for flooding the same as serial_hops */
    int n;
    double *received;               /* n: unit at the end of which each process has the message; root 0 */
};

int broadcast_flood(struct broadcast *out, struct net *net, const struct placement *where, int root, struct err *err);
void broadcast_release(struct broadcast *b);
/* 0 where `root` is one of the placed processes and there are as many of them as ranks. */
int broadcast_root(int root, int ranks, const struct placement *where, struct err *err);
/* Messages that the cables of a trunk pass in a step: whole ones, each of them. */
int broadcast_messages(const struct trunks *t, size_t trunk);
/* Whether some links are narrower than a message a step. */
bool broadcast_narrow(const struct net *net);
/* ERR_DOMAIN where they are: there are no steps of such. */
int broadcast_whole(const struct net *net, struct err *err);
