/* link_values.h -- values of a network's links from rows that name them, for drawings (graph/layout/sketch.h: two per
 * edge). Of the two directions of a cable the larger value counts, unless the network tells them apart
 * (cables_uneven). Of parallel cables a row is about the one at its port; without ports the rows of a pair are about one
 * cable after the other, a single row about all. */
#ifndef CLI_REQUEST_LINK_VALUES_H
#define CLI_REQUEST_LINK_VALUES_H

#include "graph/net.h"

struct link_values {
    struct net *net;
    double *v;                  /* the caller's to free */
    int *rows;                  /* where cables are parallel: rows without port, by the first edge of a pair */
    size_t nedge;
};

/* All NaN. */
int link_values_open(struct link_values *l, struct net *net, struct err *err);
/* port: its name at `from`, or the cable's number from 1; NULL or empty: none. ERR_USAGE: no such link. */
int link_values_put(struct link_values *l, int from, int to, const char *port, double value, struct err *err);
/* After the last row. */
int link_values_end(struct link_values *l, struct err *err);
/* A link's own bandwidth, or its length. */
int link_values_own(double **out, struct net *net, bool bandwidth, struct err *err);

#endif
