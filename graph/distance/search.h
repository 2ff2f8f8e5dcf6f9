/* search.h -- breadth-first search from one node, level by level, kept until another is asked for: what supernodes
 * and the tree of up-down routing know of networks that have no group (towards.h: what routings of shortest paths do). */
#pragma once

#include "graph/distance/distances.h"
#include "graph/net.h"

struct search {
    struct csr ahead, behind;       /* links as they are, and turned round: the same arrays where undirected */
    bool directed;
    int from;                       /* where the search began, -1: nowhere yet */
    bool against;                   /* it goes against the links: hops[v] lead from v to there */
    int *hops;                      /* -1 not reached so far */
    int *queue;                     /* the nodes reached, in order; those before `head` have been left */
    int head, tail;
};

/* `what` names the purpose where memory is short. On error nothing is kept. */
int search_open(struct search *s, struct net *net, const char *what, struct err *err);
void search_close(struct search *s);                /* a zeroed struct is fine */
/* Begins at a node, unless the search at hand did already. */
void search_begin(struct search *s, int from, bool against);
/* One more level; false when there is none. Between calls every node up to the level of queue[tail - 1] is reached,
 * and none beyond. */
bool search_level(struct search *s);
