/* bisection.h -- bounds on the bisection width: the fewest cables (links, where directed) that any split of the
 * terminals into halves (floor and ceiling) cuts; switches may stand on either side. Below: every pair of terminals
 * that a split separates sends one unit over its shortest paths, in equal shares at every fork; 2 * floor * ceiling
 * units cross the cut, and no cable carries more than the greatest load (Leighton 1992, section 1.9). Above: the best
 * split found from orders of the nodes, improved by exchanges (Kernighan and Lin 1970). Of up to 24 nodes all splits
 * are looked at, and both are the least cut.
 * In bandwidth a cable counts as much as the mean of its two directions has (directed: a link as much as it has), in
 * unit links; then the greatest load is that of a unit of bandwidth, parallel cables together. */
#pragma once

#include "graph/net.h"

struct bisection_bounds {
    double lower, upper;        /* NaN where the network is too large to look */
};
/* D: distances of a translation-invariant network, else NULL. Connected networks only, but for nodes that are down.
 * bandwidth: of the links as they are, else every cable counts one. */
int bisection_bounds(struct bisection_bounds *b, struct net *net, const uint32_t *D, bool bandwidth,
                     const struct tick *tick, struct err *err);
/* The upper of the two alone, without distances; NaN where the network is too large to look. */
int bisection_split(double *cut, struct net *net, const struct tick *tick, struct err *err);
