/* towards.h -- hops to a target, from any node: what routings of shortest paths ask. Where they fit, the distances
 * between all nodes are kept with the network for all that ask (a byte each, 512 targets at a time, filled when one of
 * them is asked about); else each asker searches, and keeps what it found until it asks about another target. Leaves,
 * as hosts on switches are, have no distances of their own: theirs are those of the node that they hang on.
 * May be asked by several threads, each by its own struct towards. */
#pragma once

#include "graph/distance/search.h"

#define TOWARDS_MOST 1e9            /* bytes of distances that are kept */

struct hops {                       /* what a network keeps */
    struct csr ahead, core;         /* the network's; its nodes but for leaves, links turned round */
    int *at;                        /* by node: of the core, itself or what the leaf hangs on */
    unsigned char *leaf;
    uint8_t **block;                /* by DIST_BLOCK targets of the core: a row of distances for each, or NULL */
    bool far;                       /* no more is kept: a distance does not fit a byte, or memory is short */
};
struct towards {
    const struct csr *ahead;        /* links as they are */
    struct hops *kept;              /* the network's */
    int target;                     /* -1: none yet */
    const uint8_t *row;             /* of the target, from every node that is no leaf; NULL: searched */
    struct search search;
    struct net *net;
    const char *what;
};

/* `what` names the purpose where memory is short. On error nothing of that is kept. */
int towards_open(struct towards *t, struct net *net, const char *what, struct err *err);
void towards_close(struct towards *t);              /* a zeroed struct is fine */
int towards_begin(struct towards *t, int target, struct err *err);
int towards_hops(struct towards *t, int node);      /* from a node to that target; -1: out of reach */
/* The first entry of ahead->to from `i` on that leads a hop nearer from the node, which is at so many hops as
 * towards_hops said; ahead->first[node + 1]: none. */
size_t towards_nearer(const struct towards *t, int node, int hops, size_t i);
