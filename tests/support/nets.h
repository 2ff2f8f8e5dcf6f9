/* nets.h -- networks made by hand, for tests that need one no family gives. */
#pragma once

#include "graph/numeric/rng.h"
#include "graph/net.h"

/* n nodes and nedge pairs of ends. Close with net_close(). Fails the test when memory is out. */
struct net *nets_from_edges(int n, const int *end, int nedge, bool directed);
/* A random tree (directed: a cycle) through all nodes and `more` edges tried beside it. */
struct net *nets_random(struct rng *rng, int n, int more, bool directed);
/* Doubles and trebles some of the cables of a network made here, whose graph has not been asked for yet, and draws
 * bandwidths and lengths for each way of each. */
void nets_cables(struct rng *rng, struct net *net);
/* The cables that lead from one node to another, in the order of edges: what each is like, in kind[0..most); how
 * many. */
int nets_between(struct link_kind *kind, int most, struct net *net, int from, int to);
/* Makes switches of nodes drawn at random; two at least stay terminals. */
void nets_switch(struct rng *rng, struct net *net);
bool nets_linked(struct net *net, int from, int to);
/* Whether a terminal is its own switch: its only cable does not lead to a node that is no terminal. By igraph. */
bool nets_own_switch(struct net *net, int node);
/* Text with every '%' replaced by the path of a file; to be freed. */
char *nets_spec(const char *text, const char *path);
