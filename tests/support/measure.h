/* measure.h -- what igraph says of a network, for tests that hold our answers to it. Failures are cmocka's. */
#pragma once

#include "graph/net.h"

/* Opens or fails the test with the message. */
struct net *measure_open(const char *spec);
const igraph_t *measure_graph(struct net *net);
/* hops[u * n + v] by igraph, -1 where there is no path; free(). */
int *measure_hops(struct net *net);

struct measured {
    double nodes, edges, degree_min, degree_max;
    double diameter, mean_hops; /* over ordered pairs of different terminals; NAN when one has no path */
    double pairs[2048];         /* by distance */
};
void measure(struct measured *m, struct net *net);
/* Orbits of the automorphism group that keeps terminals apart from switches, over all nodes. */
int measure_orbits(struct net *net);
