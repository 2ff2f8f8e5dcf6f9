/* net.h -- a network: what every command is about.
 * Known by its group (Cayley graphs) or by its igraph graph, which is made on first need.
 * Nodes are 0..n-1; where there are coordinates, row-major, first dimension slowest. */
#ifndef GRAPH_NET_H
#define GRAPH_NET_H

#include <igraph.h>

#include "graph/base/err.h"
#include "graph/base/spec.h"
#include "graph/group.h"

struct topo;

enum weight_meaning { WEIGHT_NONE, WEIGHT_UNSAID, WEIGHT_LATENCY, WEIGHT_CAPACITY };

struct net {
    char *spec;                 /* canonical; parses to itself */
    const struct topo *topo;
    void *param;                /* the family's own, released with free(); NULL where it needs none */
    int n;                      /* nodes, at least 1 */
    bool directed;
    int ndim;                   /* coordinates: 0 when the network has none */
    int *size;                  /* ndim */
    bool *wrap;                 /* ndim: whether the dimension is a ring */
    struct group *group;        /* NULL unless translation-invariant */
    int nterminal;
    int *terminal;              /* ascending; NULL when every node is one */
    char **name;                /* n names, or NULL */
    int *by_name;               /* with names: nodes in their order */
    double *weight;             /* one per edge of the graph, or NULL */
    enum weight_meaning weight_meaning;
    bool has_graph;
    igraph_t graph;             /* use net_graph() */
};

/* Once, before and after everything: igraph reports instead of aborting. Not for parallel regions. */
void net_setup(void);
void net_teardown(void);
/* 0 for success; otherwise sets `err` to igraph's reason ("what: reason") and returns -1. */
int net_status(igraph_error_t status, const char *what, struct err *err);

int net_open(struct net **out, const char *spec, struct err *err);
void net_close(struct net *net);        /* NULL is fine */

/* The graph, built on the first call. Edge i joins IGRAPH_FROM and IGRAPH_TO; no loops, no multiple edges. */
int net_graph(struct net *net, const igraph_t **graph, struct err *err);
/* Cables (undirected) or links (directed), without building the graph where the family knows. */
double net_edges(struct net *net, struct err *err);     /* -1 on error */

/* The edge of net_graph() that leads from one node to another (either way, where undirected). ERR_USAGE: there is none. */
int net_link(int64_t *edge, struct net *net, int from, int to, struct err *err);

static inline int net_terminal(const struct net *net, int i)
{
    return net->terminal ? net->terminal[i] : i;
}
/* Position of `node` among the terminals, -1 when it is a switch. */
int net_terminal_index(const struct net *net, int node);
/* How a node prints: its name, its coordinates "r.c", or its number. */
const char *net_label(const struct net *net, int node, char out[96]);
/* A node by name, coordinates or number. */
int net_node(const struct net *net, const char *text, int *node, struct err *err);
void net_coordinates(const struct net *net, int node, int *c);

#endif
