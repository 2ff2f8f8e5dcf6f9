/* broadcast.h -- hops of a broadcast over a process tree on a network, and of flooding.
 * Shapes  received[p] of every process p (by its own number, not relative to the root).
 * Units   hops, and steps of one unit: crossing any link takes one unit. Doubles, since they outgrow an int.
 * Errors  ERR_DOMAIN for a root or a number of ports out of range, or narrow links, ERR_NETWORK where a process
 *         cannot be reached, ERR_USAGE for a routing without single paths, ERR_MEMORY before allocating too much.
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
 * placement turned.
 *
 * Flooding: every node sends to all its neighbours when it first hears the message, on all links at once,
 * but not to the node it first heard it from (the smallest, of several at once). Makespan: hops from the root's
 * node to the farthest terminal, whether a process runs there or not, since nobody knows when to stop.
 * Serialised hops: messages sent, each over one link. Ports and blocking do not apply. */
#ifndef ANALYSIS_BROADCAST_BROADCAST_H
#define ANALYSIS_BROADCAST_BROADCAST_H

#include <stdint.h>

#include "graph/base/tick.h"
#include "model/process/placement.h"
#include "model/routing/route.h"
#include "model/process/tree.h"

struct broadcast_how {
    int ports;                      /* 0: no limit */
    bool blocking;
};

/* One message crosses one link. */
struct broadcast_step {
    int64_t unit;                   /* from 1 */
    enum broadcast_kind { BROADCAST_SEND, BROADCAST_FORWARD } kind;     /* by its sender, or by a node on the way */
    int from, to;                   /* processes: the tree edge */
    int link_from, link_to;         /* nodes: the link */
    int message, number;            /* rank of the receiver relative to the root: 1..P-1; among all, as tried */
    bool delivers;                  /* the last hop of the message */
};
/* Steps in the order of units, and within a unit in the order tried. A non-zero answer ends the run with -1. */
struct broadcast_watch {
    int (*step)(void *arg, const struct broadcast_step *step, struct err *err);
    void *arg;
};

struct broadcast {
    double serial_hops;             /* also the number of steps of the schedule */
    double makespan_steps;
    double messages;                /* tree edges; for flooding the same as serial_hops */
    int n;
    double *received;               /* n: unit at the end of which each process has the message; root 0 */
};

/* watch and tick may be NULL. The tree has as many ranks as `where` has processes. */
int broadcast_run(struct broadcast *out, const struct tree_shape *tree, const struct placement *where, int root,
                  struct routing *routing, struct broadcast_how how, const struct broadcast_watch *watch,
                  const struct tick *tick, struct err *err);
int broadcast_flood(struct broadcast *out, struct net *net, const struct placement *where, int root, struct err *err);
void broadcast_release(struct broadcast *b);
/* 0 where `root` is one of the placed processes and there are as many of them as ranks. */
int broadcast_root(int root, int ranks, const struct placement *where, struct err *err);

/* Process trees (in catalogue order) and, when asked for, flooding after them. */
struct broadcast_row {
    const char *name;
    double serial_hops, makespan_steps;
    bool fewest_serial, fewest_makespan;    /* among those that compete; all that tie */
};
struct broadcast_table {
    size_t n;
    struct broadcast_row *row;
    double serial_hops, makespan_steps;     /* the least: what a broadcast that picks its tree takes (RMBcast) */
};
enum broadcast_flooding {
    FLOODING_NONE,
    FLOODING_SHOWN,                 /* a row of its own, out of the competition, as in the paper */
    FLOODING_COMPETES
};
/* trees: which of the catalogue, NULL-terminated (tree_all for all); shape: of each, laid out, n 0: it is left out. */
int broadcast_compare(struct broadcast_table *out, const struct tree *const *trees, const struct tree_shape *shape,
                      const struct placement *where, int root, struct routing *routing, struct broadcast_how how,
                      enum broadcast_flooding flooding, const struct tick *tick, struct err *err);
void broadcast_table_release(struct broadcast_table *t);

#endif
