/* matching.h -- who goes when: messages that each need two nodes at once, tried in a fixed order, unit by unit.
 * In a unit a node takes part in one operation, or in as many as it has room for; every waiting message is tried in
 * ascending order of its key and goes when both its nodes are idle. That is a greedy matching, unit after unit. A link
 * between two switches stands for a node, both nodes of the messages that cross it.
 *
 * Trying every message every unit would be slow. Instead each waits at one of its two nodes, its guard: the
 * one last seen busy. A unit takes the guards in the order of their first message. A guard that is busy by then
 * holds back all its messages, unseen; an idle one tries its first, which goes, or else moves to the other
 * node, which is busy. So messages are tried in order, or not at all where they could not have gone.
 *
 * Shapes  messages 0..nmessage-1, nodes 0..nnode-1; keys of waiting messages differ.
 * Source  the definition in broadcast.h. */
#ifndef ANALYSIS_BROADCAST_MATCHING_H
#define ANALYSIS_BROADCAST_MATCHING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "graph/base/err.h"

struct matching_message {
    uint64_t key;
    int a, b;                       /* the nodes it needs; it waits first at a */
    int child, sibling;             /* pairing heap of a guard's messages */
};
struct matching_guard {
    uint64_t key;                   /* of its first message */
    int node;
};
struct matching {
    int64_t unit;                   /* the current one, 0 before the first */
    struct matching_message *message;
    int *first;                     /* by node: its first message, -1 for none */
    int64_t *busy;                  /* by node: the last unit it took part in something */
    const int *room;                /* by node: operations in a unit, outlives the matching; NULL: 1 each */
    int *used;                      /* with room: those in its last busy unit */
    bool *listed;                   /* by node: in `list` */
    int *list, nlist;               /* nodes that guard messages */
    struct matching_guard *heap;       /* those still to be taken in this unit */
    size_t nheap;
};

int matching_init(struct matching *t, int nmessage, int nnode, const int *room, struct err *err);
void matching_release(struct matching *t);
double matching_bytes(int nmessage, int nnode);

/* Between units, or within one when `a` is busy in it: message v waits for nodes a and b, which may be the same. */
void matching_wait(struct matching *t, int v, uint64_t key, int a, int b);
void matching_next_unit(struct matching *t);
/* The next message that goes in this unit, -1 when there is no more. It waits no longer; its nodes are busy. */
int matching_take(struct matching *t);

static inline bool matching_idle(const struct matching *t, int node)
{
    return t->busy[node] != t->unit || (t->room && t->used[node] < t->room[node]);
}
static inline void matching_occupy(struct matching *t, int node)
{
    if (t->room)
        t->used[node] = t->busy[node] == t->unit ? t->used[node] + 1 : 1;
    t->busy[node] = t->unit;
}

#endif
