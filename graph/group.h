/* group.h -- a finite abelian group Z_k1 x ... x Z_km and steps in it: the Cayley graph that a
 * translation-invariant network is. d(u,v) = D[v-u], so one array of N distances holds all N^2.
 * Elements are numbered row-major, first coordinate slowest. */
#pragma once

#include "graph/base/base.h"

struct group {
    int n;                      /* elements */
    int ndim;
    int *order;                 /* ndim */
    /* Grids: the unit vectors of the dimensions, in order. Circulants: the jumps, ascending. Routing goes along the
     * last generator first, + before -. */
    int ngen;
    int *gen;                   /* ngen elements, by number */
    bool directed;              /* only + steps */
    bool unit;                  /* generator g is the unit vector of dimension g  */
};

/* Copies order and gen. */
int group_init(struct group *g, int ndim, const int *order, int ngen, const int *gen, bool directed, struct err *err);
void group_release(struct group *g);

int group_add(const struct group *g, int a, int b);
int group_negative(const struct group *g, int a);
/* How many multiples an element has: the length of the lines it cuts the group into. */
int group_order_of(const struct group *g, int a);
/* Links that leave a node: 2 a generator, 1 where directed or where the generator is its own inverse. */
int group_degree(const struct group *g);
/* The steps in routing order of preference: last generator first, + before -. `step` holds group_degree()
 * elements; `of` (may be NULL) the generator of each. */
void group_steps(const struct group *g, int *step, int *of);

/* D[v], hops from 0 to v, v = 0..n-1: summed over dimensions where every generator lies along one, and those of one
 * dimension stand together in the order of dimensions; else by breadth-first search. UINT32_MAX where v is out of
 * reach. */
int group_distances(const struct group *g, uint32_t *D, struct err *err);
