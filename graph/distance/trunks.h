/* trunks.h -- the links of a network one by one, beside its compressed graph: csr.to has one entry for every pair of
 * nodes that are joined, one way; such an entry is a trunk, of one link for each cable. Links are numbered trunk by
 * trunk, those of a trunk in the order of their cables. Without parallel cables link and trunk are the same number. */
#pragma once

#include "graph/distance/distances.h"
#include "graph/net.h"

struct trunks {
    const struct csr *csr;          /* outlives them */
    size_t nlink;
    size_t *first;                  /* csr->m + 1: the links of a trunk; NULL: one each */
    int *edge;                      /* by link: its edge of the network's graph; NULL unless it was asked for */
    const struct link_kind *kind;   /* of the network; NULL: all links are unit links */
    int *of;                        /* by link; NULL: all of the first kind */
};

/* `edges`: the edges too. */
int trunks_open(struct trunks *t, struct net *net, const struct csr *csr, bool edges, struct err *err);
/* The same, over the links that the network keeps. */
int trunks_open_net(struct trunks *t, struct net *net, bool edges, struct err *err);
void trunks_release(struct trunks *t);          /* a zeroed struct is fine */

/* Links trunks_first(t, k) .. trunks_first(t, k + 1) - 1 are those of trunk k. */
static inline size_t trunks_first(const struct trunks *t, size_t trunk)
{
    return t->first ? t->first[trunk] : trunk;
}
static inline size_t trunks_cables(const struct trunks *t, size_t trunk)
{
    return t->first ? t->first[trunk + 1] - t->first[trunk] : 1;
}
static inline struct link_kind trunks_kind(const struct trunks *t, size_t link)
{
    return t->kind ? t->kind[t->of ? t->of[link] : 0] : (struct link_kind){ 1, 0 };
}
/* Of all links of a trunk together. */
double trunks_bandwidth(const struct trunks *t, size_t trunk);
