/* link_values.h -- values of a network's links from rows that name them, for drawings (graph/layout/sketch.h: two per
 * edge), one for each direction. A row that names no port is about all cables of its pair; of several rows for one link
 * the larger value counts. */
#pragma once

#include "graph/net.h"

/* All NaN; NULL: no memory, or no graph. */
double *link_values_open(struct net *net, struct err *err);
/* to: "B" or "B:PORT" (net_cable). ERR_USAGE: no such node or link. */
int link_values_put(double *v, struct net *net, const char *from, const char *to, double value, struct err *err);
/* After all rows: where only one direction has a value it is that of both. */
void link_values_settle(double *v, int64_t edges);
/* A link's own bandwidth, or its length; NULL: as above. */
double *link_values_own(struct net *net, bool bandwidth, struct err *err);
