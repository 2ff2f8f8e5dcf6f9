/* metapath.h -- statistics of metapaths without traffic: what spreading over a supernode costs in hops and what it
 * buys in width.
 *
 * A metapath of (s,t) is all multistep paths s -> i -> j -> t, i in S(s), j in T(t), every step minimal. Its length is
 * the mean of d(s,i) + d(i,j) + d(j,t) over S x T [hops], its width |S| |T|. The statistics are over all ordered pairs
 * of terminals that are kept: destinations inside S are left out; d(s,t) <= 2r-1 for double gravity areas; on row:...,
 * exclude=line the source's line. Source: Franco, Garces and Luque 1999 (Distributed Routing Balancing), chapter 5 of
 * Franco's thesis.
 *
 * Exact on every network. Translation-invariant ones: one source stands for all, sums over S and T are convolutions
 * over the group, O(N log N). Others: distances from blocks of 512 targets, summed over the members of every source's
 * supernode, O(N^2 |S|) byte additions; or estimated from a sample of sources and all their destinations. Sets that
 * depend on the pair are found pair by pair, from one source where that stands for all. */
#pragma once

#include "graph/numeric/moments.h"
#include "graph/numeric/sample.h"
#include "model/supernode/supernode.h"

/* Which links of source and destination the multistep paths use under dimension-order routing. */
enum link_use {
    LINKS_UNKNOWN,              /* the network has no dimension order, no pair was kept, or sets depend on the pair */
    LINKS_MINIMAL,              /* one outgoing and one incoming link, for every pair */
    LINKS_LOW,                  /* anything else */
    LINKS_MEDIUM,               /* all outgoing ones, not all incoming ones */
    LINKS_HIGH                  /* all, for every pair */
};
extern const char *const link_use_name[];

enum { METAPATH_MEAN, METAPATH_LENGTHENING, METAPATH_WIDTH, METAPATH_INTERMEDIATE, METAPATH_EXTRA, METAPATH_ESTIMATES };

struct metapath_stats {
    double pairs;               /* ordered pairs kept; with none, all the rest is NaN but width and nodes */
    double mean_hops, sd_hops;  /* of metapath lengths; deviation of the population */
    double least_hops, greatest_hops;
    double lengthening;         /* percent against the static mean over all pairs */
    double width;               /* multistep paths; mean over the pairs kept */
    double intermediate;        /* nodes: 0 for one point, |S|, or |S| + |T| when both sides have an area; mean */
    double extra_width_per_hop; /* (width - 1) / (mean - static mean); NaN when it is not longer */
    double source_links, destination_links;     /* share of them used, mean over the pairs; NaN: unknown */
    enum link_use use;
    uint64_t *bin;              /* pairs with length in [i, i+1) / bins_per_hop hops, i < nbin; NULL unless asked */
    size_t nbin;
    /* From a sample, where so many sources were drawn (else 0, and all is exact): how far the means may be off. Then
     * `pairs` and sd_hops are estimates, least and greatest those seen (NaN where S is every terminal, which has no
     * distribution either), bins of pairs seen, each with the error of its part of them; links are not known. */
    int sources;
    struct estimate error[METAPATH_ESTIMATES], *bin_error;
};
struct metapath_options {
    int bins_per_hop;           /* 0: no distribution */
    int jobs;                   /* threads; 0: as OpenMP decides */
    bool no_symmetry;           /* all sources, even where the network is translation-invariant */
    int sources;                /* where it is not: a random sample of so many; 0, or as many as there are: all */
    uint64_t seed;
    struct tick tick;
};

/* One result for each of n supernodes bound to `net`; release each. Refuses networks that are not (strongly)
 * connected, naming a pair without a path. */
int metapath_stats(struct metapath_stats *out, struct net *net, const struct supernode *sn, size_t n,
                   const struct metapath_options *o, struct err *err);
void metapath_stats_release(struct metapath_stats *s);

/* ---- for the ways of computing, and their tests ---- */

/* Counts a numerator x for `weight` pairs. */
static inline void metapath_count(struct moments *m, int64_t x, int64_t weight)
{
    m->n += (uint64_t)weight;
    m->sum += (wide_int)x * weight;
    m->squares += (wide_int)x * x * weight;
    m->least = x < m->least ? x : m->least;
    m->greatest = x > m->greatest ? x : m->greatest;
}
/* The results that follow from sums: mean to extra width. static_mean: mean hops over all pairs. */
void metapath_finish(struct metapath_stats *s, const struct moments *m, const double *denominator,
                     const double *intermediate, size_t nclass, double static_mean);
int metapath_group(struct metapath_stats *out, struct net *net, const struct supernode *sn, size_t n,
                   const struct metapath_options *o, struct err *err);
/* Of SHAPE_BETWEEN: links are not known. */
int metapath_between(struct metapath_stats *out, struct net *net, const struct supernode *sn, size_t n,
                     const struct metapath_options *o, struct err *err);
int metapath_any(struct metapath_stats *out, struct net *net, const struct supernode *sn, size_t n,
                 const struct metapath_options *o, struct err *err);
int metapath_sampled(struct metapath_stats *out, struct net *net, const struct supernode *sn, size_t n,
                     const struct metapath_options *o, struct err *err);
