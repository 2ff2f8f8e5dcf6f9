/* metapath_any.h -- working state of metapath_any.c: what is fixed for a run, and what each thread keeps. */
#pragma once

#include "analysis/metapath/metapath.h"
#include "analysis/metapath/rows.h"
#include "graph/distance/distances.h"

#define ANY_DEGREES 64          /* grids have at most 2 links in each of 30 dimensions */
#define ANY_STRIPE 64           /* targets whose sums over balls are made together */

/* A set of terminals for every terminal: many[v] from member[first[v]] on; none for switches. Hosts of a switch share
 * theirs. */
struct any_sets {
    size_t *first;              /* n each */
    int *many, *member;
    uint64_t *base;             /* n: hops between v and the members, summed */
    int *class_of;              /* n: index of the set's size */
    int *size;                  /* nclass different sizes */
    size_t nclass;
    int largest;
    size_t *again_first;        /* n x radius + 1; NULL: the members are summed, not smaller balls (without members) */
    int *again;                 /* rows counted again by V_k(v): again_first[v * radius + k - 1] .. [... + k] - 1 */
};
/* Links used and pairs, by the degree of the node they belong to. */
struct any_links {
    uint64_t out_pairs[ANY_DEGREES + 1], out_used[ANY_DEGREES + 1];
    uint64_t in_pairs[ANY_DEGREES + 1], in_used[ANY_DEGREES + 1];
};
struct any_thread {
    struct dist_work *work;
    uint8_t *row8;              /* n x DIST_BLOCK; row32 instead where distances exceed 254 */
    uint32_t *row32;
    uint8_t *last;              /* nplane x n x DIST_BLOCK: the link by which a path arrives, as a bit */
    int *coordinate;            /* ndim x DIST_BLOCK: of the block's targets */
    uint32_t *near;             /* n x DIST_BLOCK: areas on both sides */
    uint16_t **ball;            /* per supernode, n x DIST_BLOCK: sums over balls from smaller ones modulo 2^16; NULL */
    uint16_t *stripe;           /* ANY_STRIPE_BYTES a node: room to make them */
    int *joint, *column;        /* n each */
    uint8_t *seen;
    struct { uint16_t column, target; } *pair;
    int *place;                 /* n: position in the block, -1 */
    uint64_t *out_sum;          /* per terminal, directed networks: hops to the targets so far */
    struct moments **moments;   /* per supernode, per class */
    uint64_t **bin;             /* per supernode, NULL unless asked */
    struct any_links *links;    /* per supernode */
    uint32_t *sum;              /* per supernode, DIST_BLOCK each: over the set that begins at `summed` */
    size_t *summed;
    /* the block at hand */
    int first, ntarget;
    const int *target;
    int weight[DIST_BLOCK];
    uint32_t dist[DIST_BLOCK];  /* from the source at hand */
};
struct any {
    struct net *net;
    const struct supernode *sn;
    size_t n;
    const struct metapath_options *o;
    struct csr forward, backward;       /* backward is forward's twin on undirected networks */
    int nterminal, ntarget, *target;    /* targets in an order that keeps neighbours together */
    int *weight;                /* how many targets each stands for; NULL: 1 */
    int *target_of;             /* per terminal: the target that stands for it */
    bool narrow;                /* distances fit a byte */
    uint32_t longest;           /* bound on distances */
    uint64_t most_numerator;
    struct any_sets *set, *reverse;     /* per supernode; reverse: T where it is not S the other way round */
    int *degree;                /* n, grids only */
    int nplane;                 /* bytes of link bits: 4 dimensions each; 0: no dimension order */
    uint8_t **fixed;            /* per box: n x nplane, first links towards the members of S */
    uint64_t *in_sum;           /* per target: hops from all terminals */
    uint64_t *out_sum;          /* per terminal: hops to all terminals */
    double static_sum;          /* hops over all ordered pairs */
    size_t *nmoments, nbin;
    double *denominator, *intermediate; /* of the supernode at hand (any_classes) */
    int nthread;
    struct any_thread *thread;
    struct any_pace *pace;      /* shared by the threads */
};

/* Both copies of the graph, and a bound on distances; refuses networks that are not connected. */
int any_graph_open(struct any *a, struct err *err);
int any_open(struct any *a, struct err *err);
void any_close(struct any *a);
void any_merge(const struct any *a, struct any_thread *to, struct any_thread *from);
int any_classes(struct any *a, size_t i, struct err *err);

/* Bits of plane `plane` (4 dimensions, 2 bits each) by which the path between `node` and each target of the block
 * leaves the node (first) or arrives at the target (not first). */
void any_directions(const struct any *a, const struct any_thread *w, int node, int plane, bool first, uint8_t *mask);
void any_last_links(const struct any *a, struct any_thread *w);
/* Supernodes whose link use follows from their shape: one link each, or all. */
void any_plain_links(const struct any *a, size_t i, struct metapath_stats *s);
/* Fills degree, nplane, fixed. */
int any_links_open(struct any *a, struct err *err);
/* Whether S(s) must be looked up: neither a point nor everything. */
static inline bool any_listed(const struct supernode *sn)
{
    return sn->shape != SHAPE_POINT && sn->shape != SHAPE_ALL;
}
/* Sets of every supernode. */
int any_sets_open(struct any *a, struct err *err);
void any_sets_release(struct any_sets *set);
void any_sets_close(struct any *a);

/* Opens the balls of every terminal (`first` and `base`) to be summed from smaller ones: 1, or 0 where that is not
 * possible or no gain (release what was begun), and -1. */
int any_balls_open(const struct any *a, struct any_sets *set, const struct supernode *sn, struct err *err);
enum { ANY_STRIPE_BYTES = ANY_STRIPE * (2 * sizeof(uint16_t) + 1) };
/* The sums of the block at hand into w->ball[i]; and those of one source, n members and `base` hops to them, whole. */
void any_balls_sum(const struct any *a, struct any_thread *w, size_t i);
void any_balls_load(uint32_t *sum, const uint16_t *ball, const uint32_t *dist, uint32_t n, uint32_t base);
