/* simple_bounds.h -- bounds on throughput (throughput.h) that need no linear program: for uniform traffic.
 *   bisection  half of the traffic of every half of the terminals crosses to the other: theta <= capacity of the links
 *              that cross, both ways, over 2 floor ceiling / (T - 1), for halves of floor(T/2) and ceiling(T/2) of T
 *              terminals. The split is the network's known bisection, or the best that is found (bisection.h). NaN
 *              where capacities differ.
 *   moore      no network of as many nodes and links and of no higher degree has shorter distances than Moore's tree
 *              (Cerf, Cowan, Mullin and Stanton 1974): theta <= capacity of all links / (nodes * its mean distance).
 *              NaN with switches. */
#pragma once

#include "graph/net.h"

struct simple_bounds {
    double bisection, moore;    /* NaN where there is none */
};
/* capacity: as in capacity.h. */
int simple_bounds(struct simple_bounds *out, struct net *net, const double *capacity, const struct tick *tick,
                  struct err *err);
