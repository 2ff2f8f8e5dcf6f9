/* relay.h -- messages over a tree of processes on a wiring: when each has what its parent sends, or all has been put
 * together at the root. Executions (execute.h) under a cost of their own, which no spec names:
 * A message from parent to child takes the link between them; where none joins them, the quickest way over others, at
 * the pace of the narrowest. It takes `overhead`, its size over the bandwidth, and the latency. Where sends are serial
 * a process begins a send, or takes a message up in a reduction, when the one before has taken its overhead and its
 * size over the bandwidth; else all at once. In a reduction a process sends when it has all its children's.
 * Reduce    the root has all. Barrier: a reduction and a broadcast of nothing.
 * Units     times as latencies are given, sizes so that bandwidth 1 takes one unit of time for one. */
#pragma once

#include "model/process/sight.h"
#include "model/protocol/protocol.h"

struct relay_how {
    double size, overhead;
    bool serial;
};
struct relay {
    const struct tree_shape *tree;
    int root;
    /* by rank: */
    double *way, *bandwidth;            /* of the message from its parent; way INFINITY: none */
    double *sent, *at;                  /* of the last broadcast: left the parent, was here; INFINITY: never */
    int *order;                         /* parents before children */
    struct tree_shape reached;          /* the tree; ranks that are out of reach have parent -1 */
    double broadcast, reduce, barrier;  /* of processes that can be reached */
    int last, lost;                     /* rank that has it last; how many cannot be reached */
};
/* The tree is kept, not copied. ERR_DOMAIN where ways over other links take more than 2^27 steps to search. */
int relay_open(struct relay *r, const struct wiring *w, const struct tree_shape *tree, int root, const struct tick *t,
               struct err *err);
/* n - 1 joins: a shortest-path tree from a process; unreachable processes are attached to the root. */
int relay_shortest(struct sight_join *join, const struct wiring *w, int root, const struct tick *t, struct err *err);
/* All of them, or, `alone`, the broadcast alone. */
int relay_run(struct relay *r, const struct relay_how *how, bool alone, struct err *err);
void relay_close(struct relay *r);
