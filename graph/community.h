/* community.h -- communities of a graph: sets of nodes with more links among themselves than chance would give, as
 * modularity counts them (Newman and Girvan 2004). Found by igraph's Louvain method (Blondel et al. 2008), the best of
 * a few tries: a good partition, seldom the best one, which is NP-hard to find; the same for the same graph. */
#pragma once

#include "graph/base/base.h"

/* n nodes (1 at least) and m undirected links end[2e]-end[2e + 1]; those that are given several times add up, loops are
 * passed over, so are weights that are not positive or not finite (NULL: all 1).
 * of: n; communities from 0, the largest first, of equal ones that with the least node. Returns how many; -1: memory.
 * *modularity: below 1; 0 where there are no links. */
int community_find(int *of, double *modularity, int n, size_t m, const int *end, const double *weight,
                   struct err *err);
