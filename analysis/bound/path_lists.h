/* path_lists.h -- paths that are given one by one: for each pair with demand, the links (classes, where folded) of
 * each path that it may take.
 * Errors  ERR_NETWORK where a pair has none; ERR_MEMORY. */
#pragma once

#include "analysis/bound/fold.h"
#include "analysis/bound/throughput.h"
#include "model/routing/route.h"

struct path_lists {
    size_t nsource;
    size_t *source;             /* nsource + 1: pairs of a source */
    size_t npair;
    double *amount;             /* by pair */
    size_t *pair;               /* npair + 1: paths of a pair */
    size_t npath;
    size_t *path;               /* npath + 1: links of a path */
    int *link;
};
/* The `most` shortest loopless paths of each pair with demand, in igraph's order. */
int path_lists_fewest(struct path_lists *p, struct net *net, const struct fold *f, const struct demand *d, int most,
                      const struct tick *tick, struct err *err);
/* The ways of the options' routing; where both look the same from every node and they do not forbid it, those of one
 * source over steps: *f is made accordingly. */
int path_lists_ways(struct path_lists *p, struct fold *f, struct net *net, const struct demand *d,
                    const struct throughput_options *o, struct err *err);
/* The path of pair k that is cheapest at prices length[link], and *cost of it. */
size_t path_lists_cheapest(double *cost, const struct path_lists *p, size_t k, const double *length);
void path_lists_release(struct path_lists *p);
