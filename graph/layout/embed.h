/* embed.h -- positions in the plane for any graph, from its hop distances. For layout_force.c and its tests.
 * Small graphs: stress, the weighted squared difference of drawn and hop distances of all pairs, made small by
 * stochastic gradient descent (Zheng, Pawar and Goodman 2019). Large graphs, and the start for small ones: pivot
 * multidimensional scaling (Brandes and Pich 2007). */
#pragma once

#include "graph/distance/distances.h"

#define EMBED_STRESS 1500       /* most nodes for which all pairs are looked at */

/* Part of a graph, connected when the directions of links are passed over. */
struct part {
    const struct csr *out, *in; /* of the whole graph; in: NULL where every link has its opposite */
    const int *node;            /* the n nodes of this part */
    const int *at;              /* their places in `node`, by node */
    int n;
};

/* What a part of n nodes takes while it is worked on. */
double embed_bytes(int n);
/* x, y: n each, in the order of part->node; hops of one unit. */
int embed(double *x, double *y, const struct part *part, uint64_t seed, struct err *err);
