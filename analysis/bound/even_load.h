/* even_load.h -- what the routing ecmp puts on the busiest link, without the flows of flows.h: for one target after the
 * other, from the farthest nodes inwards, all that reaches a node goes on in equal shares over the cables of its
 * shortest next hops. Work and memory are targets times links, and links; what a routing is held to when it is asked
 * whether it spreads.
 * Units   of the demand (demand.h), in parts of a link's capacity.
 * Errors  ERR_MEMORY, ERR_STOPPED. */
#pragma once

#include "analysis/load/demand.h"
#include "graph/net.h"

#define EVEN_LOAD_MOST 1e8      /* targets times links: half a second or so. One target stands for all where all nodes
                                 * are alike and send to all others */

/* capacity: as in capacity.h, NULL: 1 each. NAN where it would take more than EVEN_LOAD_MOST, or a pair
 * has no path. */
int even_load_busiest(double *out, struct net *net, const struct demand *d, const double *capacity,
                      const struct tick *tick, struct err *err);
