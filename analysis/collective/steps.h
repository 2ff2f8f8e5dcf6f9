/* steps.h -- broadcasts over process trees in steps: executed under the cost `hops`, whose rules these are.
 * Shapes  received[p] of every process p (by its own number, not relative to the root).
 * Units   hops, and steps of one unit: crossing any link takes one unit. Doubles, since they outgrow an int.
 * Errors  ERR_DOMAIN for a root or a number of ports out of range, or narrow links, ERR_USAGE for a routing without
 *         single paths, ERR_NETWORK where there is none, ERR_MEMORY.
 * Source  paper on reconfigurable MPI collectives, section 5. The definitions it leaves open:
 *
 * Serialised hops: the hops of all messages, as if the whole network moved one message one hop at a time.
 *
 * Makespan: units until the last process has received. Store and forward, one message a tree edge. In a unit a terminal
 * does one operation: it receives a message, forwards one, or its process sends its own. A switch (a node that is no
 * terminal) is bounded by its links alone: each of them, in and out, moves a message a unit, or as many as its
 * bandwidth has whole units, and the cables between two nodes as many as all of them; bandwidths below 1 are refused,
 * lengths are nothing to steps. A process sends from the unit after it has received. With p ports one operation sends
 * the process's own message to up to p children, one each, over different links or one that is wide enough; messages of
 * others go one at a time. Blocking: the next operation of a process starts after the messages of its last one were
 * delivered. Each unit, pending operations are tried over the whole network in the order (unit in which the edge's
 * sender received, sender's rank, index of the child); one runs if the terminals at both ends of its link, and the
 * link, are idle. A process serves its children strictly in order; an operation on several ports ends at the first
 * child that cannot start. Ranks are relative to the root, so that a broadcast from root r is that from root 0 with the
 * placement turned. */
#pragma once

#include "analysis/broadcast/broadcast.h"
#include "analysis/collective/cost.h"
#include "model/process/tree.h"
#include "model/routing/route.h"

/* One message crosses one link. */
struct step {
    int64_t unit;                   /* from 1 */
    enum step_kind { STEP_SEND, STEP_FORWARD } kind;    /* by its sender, or by a node on the way */
    int from, to;                   /* processes: the tree edge */
    int link_from, link_to;         /* nodes: the link */
    int message, number;            /* rank of the receiver relative to the root: 1..P-1; among all, as tried */
    bool delivers;                  /* the last hop of the message */
};
/* Steps in the order of units, and within a unit in the order tried. A non-zero answer ends the run with -1. */
struct steps_watch {
    int (*step)(void *arg, const struct step *step, struct err *err);
    void *arg;
};
struct steps {
    const struct placement *where;  /* each process on a node of its own */
    struct routing *routing;
    struct broadcast_how how;
    const struct steps_watch *watch;        /* NULL */
};
/* The cost `hops` of a routing that is open. received: by process, filled in as messages arrive. What `s` points to is
 * kept. */
int steps_cost(struct cost *c, const struct steps *s, double *received, struct err *err);
/* The tree has as many ranks as `where` has processes. tick may be NULL. */
int steps_broadcast(struct broadcast *out, const struct tree_shape *tree, int root, const struct steps *s,
                    const struct tick *tick, struct err *err);
