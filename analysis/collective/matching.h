/* matching.h -- a greedy matching: messages that each need two nodes at once, tried in a fixed order, unit by unit.
 * In a unit a node takes part in one operation, or in as many as it has room for; every waiting message is tried in
 * ascending order of its key and goes when both its nodes are idle. That is a greedy matching, unit after unit. A link
 * between two switches stands for a node, both nodes of the messages that cross it.
 *
 * Trying every message every unit would be slow. Instead each waits at one of its two nodes, its guard: the
 * one last seen busy. A unit takes the guards in the order of their first message. A guard that is busy by then
 * holds back all its messages, unseen; an idle one tries its first, which goes, or else moves to the other
 * node, which is busy. So messages are tried in order, or not at all where they could not have gone.
 *
 * Messages are called by their place in that order, which makes a set of bits of the queue of guards: one bit for the
 * first message of each, and above them, level by level, one for each word that is not 0. What comes next is found in
 * as many looks as there are levels, and from unit to unit the set stays as it is. A bit is taken away when its turn
 * comes and its message is no guard's first any more.
 *
 * Shapes  messages 0..nmessage-1 in the order of trial, nodes 0..nnode-1.
 * Source  the definition in steps.h; the bits are those of van Emde Boas (1975), 64 at a time. */
#pragma once

#include "graph/base/base.h"

#define MATCHING_LEVELS 6           /* 64^6 are more than there are messages */

struct matching_message {
    int a, b;                       /* the nodes it needs; it waits first at a */
    int child, sibling;             /* pairing heap of a guard's messages */
};
struct matching_node {
    int64_t busy;                   /* the last unit it took part in something */
    int used;                       /* operations in that */
    int first;                      /* of the messages it guards, -1 for none */
};
struct matching {
    int64_t unit;                   /* the current one, 0 before the first */
    int nmessage, nnode;
    struct matching_message *message;
    struct matching_node *node;
    const int *room;                /* by node: operations in a unit, outlives the matching; NULL: 1 each */
    uint64_t *level[MATCHING_LEVELS];   /* messages, then words of the level before; one block */
    size_t tried;                   /* messages before this one had their turn in this unit */
    int soon;                       /* the message that is next, or -1 */
};

int matching_init(struct matching *t, int nmessage, int nnode, const int *room, struct err *err);
/* Between units: room for more messages. */
int matching_grow(struct matching *t, int nmessage, struct err *err);
void matching_release(struct matching *t);

/* Between units, or within one when `a` is busy in it: message v waits for nodes a and b, which may be the same. */
void matching_wait(struct matching *t, int v, int a, int b);
void matching_next_unit(struct matching *t);
/* The next message that goes in this unit, -1 when there is no more. It waits no longer; its nodes are busy. */
int matching_take(struct matching *t);

static inline bool matching_idle(const struct matching *t, int node)
{
    return t->node[node].busy != t->unit || (t->room && t->node[node].used < t->room[node]);
}
static inline void matching_occupy(struct matching *t, int node)
{
    struct matching_node *o = &t->node[node];

    o->used = o->busy == t->unit ? o->used + 1 : 1;
    o->busy = t->unit;
}
