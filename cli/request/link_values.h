/* link_values.h -- values of a network's links from rows that name them, for drawings (graph/layout/sketch.h: two per
 * edge). Of the two directions of a cable the larger value counts, unless they are of different kinds
 * (cables.h). A row that names no port is about all cables of its pair. */
#pragma once

#include "graph/net.h"

/* All NaN; NULL: no memory, or no graph. */
double *link_values_open(struct net *net, struct err *err);
/* to: "B" or "B:PORT" (net_cable). ERR_USAGE: no such node or link. */
int link_values_put(double *v, struct net *net, const char *from, const char *to, double value, struct err *err);
/* A link's own bandwidth, or its length; NULL: as above. */
double *link_values_own(struct net *net, bool bandwidth, struct err *err);
