/* supernode.h -- supernodes: the sets of intermediate nodes that a metapath spreads over. One file supernode_NAME.c per
 * kind. A supernode is bound to one network and says, for every source s, which nodes S(s) are; T(t), the
 * destination's, is {t} or, for kinds with `both`, the ball of nodes j with d(j,t) <= radius. Members are terminals;
 * members.h finds them. Source of the kinds: Franco, Garces and Luque 1999 (Distributed Routing Balancing). */
#pragma once

#include "graph/base/entry.h"
#include "graph/net.h"

/* The shape of a kind's sets, for algorithms that are faster on balls and windows. Every kind gives its members by a
 * function. */
enum supernode_shape {
    SHAPE_ANY,                  /* nothing: sets are listed, source by source */
    SHAPE_POINT,                /* S = {s} */
    SHAPE_ALL,                  /* S = every terminal */
    SHAPE_BALL,                 /* S = {i: d(s,i) <= radius}; T the same the other way round where `both` */
    SHAPE_BOX,                  /* S = a window of consecutive nodes in some dimensions */
    SHAPE_BETWEEN               /* S depends on the target too: the kind's `between` has it */
};

struct side {                   /* of a box */
    int dim;                    /* as net_dimensions counts */
    int length;                 /* nodes */
};
struct supernode {
    const struct supernode_kind *kind;
    char *spec;                 /* canonical */
    enum supernode_shape shape; /* the kind's */
    int radius;                 /* of SHAPE_BETWEEN: hops that a path may be longer than the shortest */
    bool both;
    struct side *side;
    int nside;
    bool centre;                /* box: s stands in the middle (position floor(length/2)) instead of at the start */
    bool aligned;               /* box: the block of a regular tiling that holds s */
    bool exclude_line;          /* box of one side: destinations on s's whole line are left out, not only S */
    void *state;                /* the kind's own; kind->close releases it */
};
struct members;

struct between {                /* the set of one pair */
    int n, direct;              /* terminals in it; hops of the shortest path */
    uint64_t hops;              /* of the paths over each, summed */
};

struct supernode_kind {
    ENTRY;
    enum supernode_shape shape;
    bool both;                  /* of balls: T too */
    /* Fills spec and what belongs to the shape; ERR_DOMAIN for networks without the lines or groups it needs. */
    int (*bind)(struct supernode *s, const struct net *net, const struct spec *spec, struct err *err);
    /* The members of S(node), or of T(node) for `into`, which is asked of kinds with `both` alone: terminals, each
     * once, into `member`; how many. May change nothing but what is m's own. */
    int (*members)(struct members *m, int node, bool into, int *member);
    /* Of SHAPE_BETWEEN, instead: the members of S(source, target). */
    int (*between)(struct between *b, struct members *m, int source, int target, int *member, struct err *err);
    void (*close)(struct supernode *s);     /* NULL: no state */
    /* |S| by formula; NAN where there is none on this network; NULL: not the same for all pairs. */
    double (*size)(const struct supernode *s, const struct net *net);
};
KIND_HEADER(supernode, supernode, struct supernode_kind);

/* ERR_USAGE for a wrong spec, ERR_DOMAIN for one that does not fit this network. */
int supernode_open(struct supernode *out, const char *text, const struct net *net, struct err *err);
void supernode_release(struct supernode *s);

/* Start of a side's window at the node with coordinate c: offset from s (negative: before it), where the
 * dimension has k nodes and wraps or not. */
int supernode_offset(const struct supernode *s, int length, int c, int k, bool wrap);
/* True when S(s) is the translate of S(0), however the network's group moves 0 to s. */
bool supernode_invariant(const struct supernode *s, const struct net *net);

/* For the kinds' bind. */
/* Adds a side; dim counts from 0. Checks that the network has that dimension and that it is long enough. */
int supernode_side(struct supernode *s, const struct net *net, int dim, int length, struct err *err);
/* For boxes: size and members. */
double supernode_box_size(const struct supernode *s, const struct net *net);
int supernode_box(struct members *m, int s, bool into, int *member);
int supernode_origin(struct supernode *s, const struct spec *spec, struct err *err);
/* Appends ",origin=centre,..." to the spec, nothing for defaults. */
int supernode_suffix(struct supernode *s, struct err *err);
