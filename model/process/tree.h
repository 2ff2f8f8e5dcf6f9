/* tree.h -- process trees: which process sends to which in a broadcast, and in which order.
 * A tree is over ranks relative to the root: rank 0 is the root, and with root r rank v is process
 * (v + r) mod P, as in MPI implementations. Ranks are 0..n-1. Trees by rank number parents first; those built
 * for a network do not.
 * Source  paper on reconfigurable MPI collectives, section 5; the order in which children are served is that
 *         of MPI implementations (Thakur, Rabenseifner and Gropp 2005). */
#pragma once

#include "graph/base/entry.h"

struct placement;
/* What a tree may go by. A link weighs hop + length * its length + size / its bandwidth; where messages cut through,
 * whose size passes all links at once, what it is slower than a unit link instead of the last. A message takes `start`,
 * then what its links weigh, and where it cuts through its size; a process's sends begin `gap` apart. One unit for
 * all. */
struct tree_scene {
    struct net *net;
    const struct placement *where;
    int root;                       /* process */
    double hop, length, size, gap, start;
    double inside;                  /* what a message weighs between processes of one node */
    bool cut;
    const struct tick *tick;
};

struct tree_shape;
struct tree {
    ENTRY;
    int (*parent)(int v, int n);    /* by rank: of ranks 1..n-1; less than v */
    bool asked;                     /* of some networks alone: not among all that are compared, but where it is named */
    bool barrier;                   /* a barrier goes up and down it too; where it is built, all do */
    bool whole;                     /* ranks of a subtree follow each other: their blocks go as one message */
    bool flat;                      /* of one level: the root sends to all others */
    bool spans;                     /* of the least sum of latencies: what processes build by messages (ghs.h) */
    bool quickest;                  /* of the quickest ways from the root */
    bool largest_first;             /* children served in descending order, the largest subtree (of a full
                                     * tree) first; else ascending */
    /* Instead of both: for the network at hand, all of the tree, the order of children too, into room for its ranks.
     * ERR_DOMAIN where it does not serve that. */
    int (*build)(struct tree_shape *t, const struct tree_scene *scene, struct err *err);
};

KIND_HEADER(tree, tree, struct tree);

/* A tree laid out: children of rank v, in the order served, are child[first[v]] .. child[first[v + 1] - 1]. */
struct tree_shape {
    int n;
    int *parent;                    /* n; parent[0] = -1 */
    int *first;                     /* n + 1 */
    int *child;                     /* n - 1 */
};
/* scene, of n processes: NULL where there is none, which is ERR_DOMAIN for trees that are built. */
int tree_shape_init(struct tree_shape *shape, const struct tree *tree, int n, const struct tree_scene *scene,
                    struct err *err);
/* From parents given one by one (copied; parent[0] is not read). ERR_DOMAIN unless parent[v] < v. */
int tree_shape_from(struct tree_shape *shape, const int *parent, int n, bool largest_first, struct err *err);
/* `first` and `child` for parents in any order, -1 for a rank that has none, in arrays of the caller: `first` n + 2
 * zeros, `child` n. Children are served as they stand in `order`, all ranks but the root; NULL: by rank, or, the
 * largest first, backwards. */
void tree_shape_children(struct tree_shape *shape, const int *order, bool largest_first);
void tree_shape_release(struct tree_shape *shape);

static inline int tree_nchild(const struct tree_shape *s, int v)
{
    return s->first[v + 1] - s->first[v];
}
/* Process that rank v is when the root is process `root`. */
static inline int tree_process(int v, int root, int n)
{
    return v < n - root ? v + root : v - (n - root);
}
/* The rank of a process. */
static inline int tree_rank(int process, int root, int n)
{
    return process >= root ? process - root : process - root + n;
}
