/* capacity.h -- capacities of links that differ: by link in the order of csr_init (distances.h), all from
 * 1e-100 to 1e100, so that neither their ratios nor their products leave the range of double.
 *   auto       the weights of a network file that says they are capacities, else 1 each
 *   unit       1 each
 *   weights    the weights of a network file, whatever it says
 *   FILE.csv   columns from, to, capacity; links that are not named have 1. On undirected networks a row is about
 *              both directions, unless another is about the other one.
 * Errors  ERR_USAGE for another word, or weights that are not there; ERR_FORMAT ("path:line"). */
#ifndef ANALYSIS_BOUND_CAPACITY_H
#define ANALYSIS_BOUND_CAPACITY_H

#include "graph/net.h"

/* Fresh; *out is NULL where all are 1. text NULL: auto. */
int capacity_open(double **out, struct net *net, const char *text, struct err *err);

#endif
