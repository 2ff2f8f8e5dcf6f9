/* turns.h -- whose turn it is: messages that each need two nodes at once, tried in a fixed order, unit by unit.
 * In a unit a node takes part in one operation; every waiting message is tried in ascending order of its key
 * and goes when both its nodes are idle. That is a greedy matching, unit after unit.
 *
 * Trying every message every unit would be slow. Instead each waits at one of its two nodes, its guard: the
 * one last seen busy. A unit takes the guards in the order of their first message. A guard that is busy by then
 * holds back all its messages, unseen; an idle one tries its first, which goes, or else moves to the other
 * node, which is busy. So messages are tried in order, or not at all where they could not have gone.
 *
 * Shapes  messages 0..nmessage-1, nodes 0..nnode-1; keys of waiting messages differ.
 * Source  the definition in broadcast.h. */
#ifndef ANALYSIS_BROADCAST_TURNS_H
#define ANALYSIS_BROADCAST_TURNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graph/base/err.h"

struct turns_message {
    uint64_t key;
    int a, b;                       /* the nodes it needs; it waits first at a */
    int child, sibling;             /* pairing heap of a guard's messages */
};
struct turns_guard {
    uint64_t key;                   /* of its first message */
    int node;
};
struct turns {
    int64_t unit;                   /* the current one, 0 before the first */
    struct turns_message *message;
    int *first;                     /* by node: its first message, -1 for none */
    int64_t *busy;                  /* by node: the last unit it took part in something */
    bool *listed;                   /* by node: in `list` */
    int *list, nlist;               /* nodes that guard messages */
    struct turns_guard *heap;       /* those still to be taken in this unit */
    size_t nheap;
};

int turns_init(struct turns *t, int nmessage, int nnode, struct err *err);
void turns_release(struct turns *t);
double turns_bytes(int nmessage, int nnode);

/* Between units, or within one when `a` is busy in it: message v waits for nodes a and b. */
void turns_wait(struct turns *t, int v, uint64_t key, int a, int b);
void turns_next_unit(struct turns *t);
/* The next message that goes in this unit, -1 when there is no more. It waits no longer; its nodes are busy. */
int turns_take(struct turns *t);

static inline bool turns_idle(const struct turns *t, int node)
{
    return t->busy[node] != t->unit;
}
static inline void turns_occupy(struct turns *t, int node)
{
    t->busy[node] = t->unit;
}

#endif
