/* grid.h -- products of rings and paths: torus, mesh, hypercube, ring. Closed forms and opening, once.
 * Mean distances: sums over pairs of a ring (k^3/4 even, k(k^2-1)/4 odd) or a path (k(k^2-1)/3) in each
 * dimension (Dally and Towles 2004, section 3.2). Bisection: Azizoglu and Egecioglu 2003. */
#pragma once

#include "graph/distance/distances.h"
#include "graph/topology/topo.h"

/* Takes over size (malloc'ed); wrap is copied (NULL: every dimension is a ring). Sets n, dimensions and, where all are
 * rings, the group. */
int grid_open(struct net *net, int *size, int ndim, const bool *wrap, struct err *err);
int grid_build(igraph_t *graph, const struct net *net, struct err *err);
void grid_facts(const struct net *net, struct topo_facts *facts);
/* Of LINES_GRID: pairs at each distance, by convolving the dimensions' distributions: exact at any size. */
int grid_count(struct dist_count *out, const struct net *net, struct err *err);
