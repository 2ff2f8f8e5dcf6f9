/* sight.h -- what process trees see of a network: places and groups of processes, what links weigh, shortest ways.
 * Weights  of a link, as struct tree_scene says, of the cable that is the quickest; of a way, the sum of its links.
 *          A link that weighs nothing weighs next to nothing, so that hops decide.
 * Ranks    relative to the scene's root.
 * Errors   ERR_NETWORK where a process cannot be reached, ERR_DOMAIN beyond a tree's limits, ERR_MEMORY, ERR_STOPPED.
 * Source   shortest ways: Dijkstra 1959; nearest of several sources: Mehlhorn 1988. */
#pragma once

#include "graph/distance/distances.h"
#include "model/process/events.h"
#include "model/process/placement.h"
#include "model/process/tree.h"

struct sight {
    const struct tree_scene *scene;
    int n;                          /* processes */
    struct csr links;               /* the network's own */
    double *weight;                 /* by entry of links.to; NULL: all weigh `alike` */
    double alike;
    int *here, *next;               /* by node: its least rank, -1: it has no process; by rank: the next of its node */
    /* Of the last search: */
    double *away;                   /* by node, INFINITY: out of reach */
    int *from, *owner;              /* the node before it, -1 of sources; the rank it is nearest to, of several the
                                     * least */
    double *last;                   /* what the link from there weighs */
    int *order, reached;            /* nodes as they were reached */
    unsigned char *left;            /* by node: its links have been followed */
    struct events queue;
    uint64_t found;                 /* so many were put there */
};
int sight_open(struct sight *s, const struct tree_scene *scene, struct err *err);
void sight_close(struct sight *s);              /* a zeroed struct is fine */
static inline double sight_weight(const struct sight *s, size_t link)
{
    return s->weight ? s->weight[link] : s->alike;
}
static inline int sight_node(const struct sight *s, int rank)
{
    return s->scene->where->node[tree_process(rank, s->scene->root, s->n)];
}
/* From one rank, or -1, from all; by the fewest links, `hops`, or the least weight. Of ways that are alike each node
 * keeps the one found first: from nodes that were reached earlier, over links in the order of their other ends.
 * ERR_NETWORK where a process is out of reach of the one. */
int sight_search(struct sight *s, int rank, bool hops, struct err *err);

/* What a message takes over a way of that weight. */
static inline double sight_message(const struct tree_scene *scene, double way)
{
    return scene->start + way + (scene->cut ? scene->size : 0);
}
/* Ranks and times, the least first; of those that are alike by rank. */
struct sight_time {
    double time;
    int rank;
};
int sight_earlier(const void *a, const void *b);
/* A tree of known parents: the child whose subtree is complete last is served first, by rank where these are
 * alike. The message to each rank goes a way of weight `way`. */
int sight_serve(struct tree_shape *t, const double *way, const struct tree_scene *scene, struct err *err);

/* Process tree of the shortest ways from the root's node (`build` of breadth-first and shortest-path). The nodes' tree
 * has for each node the last link of its way. A node without a process stands for the process that is nearest to it in
 * this tree, above or below, by weight, of several the least rank; so does the one of least rank for the others of its
 * node. Where the way of a node leads from what stands for one process to what stands for another, these are parent
 * and child. A leaf switch below which there are processes so stands for one of them: a fat tree has the root send to
 * one process a pod, these to one a leaf, and these to the others there. */
int sight_tree(struct tree_shape *t, const struct tree_scene *scene, bool hops, struct err *err);

/* The tree of the least sum of ways between all ranks, by the scene's weights: n - 1 joins of two, the least first. Of
 * ways that are alike that of the lesser ranks comes first: there is one such tree. For networks whose links weigh the
 * same both ways; ERR_NETWORK where some rank is out of reach. */
struct sight_join {
    double way;
    int a, b;                       /* a < b */
};
int sight_spanning(struct sight_join **out, struct sight *s, struct err *err);
/* ERR_DOMAIN, by that name, where cables are not the same both ways. */
int sight_even(const struct sight *s, const char *name, struct err *err);
/* n - 1 joins of processes that make a tree, hung up by the scene's root, its children served as sight_serve says. */
int sight_hang(struct tree_shape *t, const struct sight_join *list, const struct tree_scene *scene, struct err *err);

/* The group of each rank, numbered by their least ranks, and how many there are. Processes of a node, where some node
 * has several; else those whose terminals hang on one switch (the least of its neighbours); where that gives one group,
 * or only groups of one: ceil(sqrt n) consecutive ranks each. */
int sight_groups(int *group, int *ngroup, const struct tree_scene *scene, struct err *err);
/* Groups in groups, outermost first: group[l * n + rank], numbers below n, each group within one of the level above. A
 * group is led by its least rank. The leader of a group (of all, at the outermost level: rank 0) sends to the leaders
 * of the groups in it, in the end to its members: binomially, or, `flat`, at the outermost level to each; outer levels
 * come first. */
int sight_levels(struct tree_shape *t, const int *group, int nlevel, bool flat, struct err *err);
/* The same of the groups that sight_groups says. */
int sight_grouped(struct tree_shape *t, const struct tree_scene *scene, bool flat, struct err *err);
