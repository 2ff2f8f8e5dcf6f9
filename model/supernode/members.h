/* members.h -- the members of a supernode, node by node: which nodes S(s) and T(t) are. */
#pragma once

#include "graph/distance/towards.h"
#include "model/supernode/supernode.h"

struct members {                    /* what finding them needs */
    struct net *net;
    const struct supernode *sn;     /* both outlive it */
    int *ball, nball;               /* with a group: the ball at 0, of which all others are translates */
    struct search search;           /* balls without; of SHAPE_BETWEEN from the source, with a group from 0 */
    struct towards to;              /* of SHAPE_BETWEEN without a group */
};

int members_open(struct members *m, struct net *net, const struct supernode *sn, struct err *err);
void members_close(struct members *m);              /* a zeroed struct is fine */
/* The members of S(node), or of T(node) for `into`, each once, into `member`, which has room for n nodes; how many.
 * None only for switches: balls that hold no terminal, groups without any. */
int members_of(struct members *m, int node, bool into, int *member);
/* The members of S(source) towards that target, of any shape: how many, -1 on error. Where there is none: source. */
int members_towards(struct members *m, int source, int target, int *member, struct err *err);
