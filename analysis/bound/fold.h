/* fold.h -- quotients of a network by its symmetries: orbits of links and sources, and a quotient graph for each
 * source.
 *
 * A concurrent flow may be averaged over all symmetries of network, capacities and demand without loss: links of one
 * orbit (a class) then carry the same, and so do the sources of one orbit. One of them stands for the others; for it,
 * nodes that the symmetries which keep the source take to each other are one node of a quotient graph; its arcs join
 * such nodes over links of one class. A flow in the quotient is one in the network, spread evenly. Without symmetry the
 * quotient is the network itself. The orbits are those of the symmetries that igraph (BLISS) and the network's group
 * give; of those that keep a source, as many as random products yield: a part of them folds less, and as rightly.
 * Errors  ERR_MEMORY, ERR_STOPPED. */
#pragma once

#include "analysis/load/demand.h"

struct quotient {               /* seen from one source */
    int n;
    int root;                   /* the source's own place, alone there */
    int *of;                    /* by node of the network: where it is; NULL: unchanged */
    size_t *first;              /* n + 1: arcs that leave, to ascending */
    int *to, *class;
};
struct fold {
    const struct net *net;
    size_t nlink;               /* in the order of csr_init: all cables between two nodes are one */
    int *link_from, *link_to;
    double *capacity;           /* of one link; NULL: 1 each */
    bool invariant;             /* capacities look the same from every node of a network with a group */
    size_t nclass;
    int *class_of;              /* by link; NULL: each its own */
    double *class_capacity;     /* of all its links together */
    double *class_size;         /* links */
    bool folded;
    size_t nsource;
    size_t *source;             /* place in demand.source of the one that stands for the others */
    double *copies;             /* how many it stands for */
    struct quotient *view;      /* nsource; or one for all, where not folded */
};

/* `capacity`: as in capacity.h, all above 0. The net must outlive the fold. */
int fold_open(struct fold *f, struct net *net, const struct demand *d, const double *capacity, bool unfolded,
              const struct tick *tick, struct err *err);
/* For a network with a group where all else but capacities looks the same from every node for certain: classes by
 * step, numbered as the links of node 0 are in csr_init; node 0 stands for all; there are no views. Where capacities do
 * not: unfolded. */
int fold_by_steps(struct fold *f, struct net *net, const struct demand *d, const double *capacity, struct err *err);
void fold_close(struct fold *f);                /* a zeroed struct is fine */
static inline const struct quotient *fold_view(const struct fold *f, size_t i)
{
    return &f->view[f->folded ? i : 0];
}
/* The node of the quotient where source i begins. */
static inline int fold_root(const struct fold *f, const struct demand *d, size_t i)
{
    return f->folded ? f->view[i].root : d->source[f->source[i]];
}
/* at[x], x = 0..view.n-1: what source i asks for there; `row` has room for every node. */
void fold_demand(double *at, double *row, const struct fold *f, const struct demand *d, size_t i);
static inline double fold_capacity(const struct fold *f, size_t link)
{
    return f->capacity ? f->capacity[link] : 1;
}
static inline size_t fold_class(const struct fold *f, size_t link)
{
    return f->class_of ? (size_t)f->class_of[link] : link;
}
