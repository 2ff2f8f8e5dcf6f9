/* capacity.h -- capacities of links that differ: by link in the order of trunks.h, all from 1e-100 to 1e100, so that
 * neither their ratios nor their products leave the range of double.
 *   auto       the bandwidths of links
 *   unit       1 each
 *   weights    the weights of a network file that does not say what they mean
 *   FILE.csv   columns from, to, capacity: of all cables between two nodes together, in equal parts; links that are not
 *              named have their bandwidth. On undirected networks a row is about both directions, unless another is
 *              about the other one.
 * Errors  ERR_USAGE for another word, or weights that are not there; ERR_FORMAT ("path:line"). */
#pragma once

#include "graph/distance/trunks.h"

/* Fresh; *out is NULL where all are 1. text NULL: auto. */
int capacity_open(double **out, struct net *net, const char *text, struct err *err);

static inline double capacity_of(const double *capacity, size_t link)
{
    return capacity ? capacity[link] : 1;
}
/* Of all links of a trunk together; and of the narrowest. */
double capacity_trunk(const struct trunks *t, const double *capacity, size_t trunk);
double capacity_narrowest(const struct trunks *t, const double *capacity, size_t trunk);
/* Whether capacities look the same from every node of a network with a group. */
bool capacity_invariant(const struct net *net, const struct trunks *t, const double *capacity);
/* Whether links of one kind (cables.h) have the same capacity: symmetries keep them then. */
bool capacity_by_kind(const struct trunks *t, const double *capacity);
