/* net.h -- a network: what every command is about.
 * Known by its group (Cayley graphs) or by its igraph graph, which is made on first need.
 * Nodes are 0..n-1; where there are coordinates, row-major, first dimension slowest. */
#pragma once

#include <igraph_datatype.h>
#include <igraph_error.h>

#include "graph/base/spec.h"
#include "graph/cables.h"
#include "graph/devices.h"
#include "graph/group.h"

struct topo;
struct hops;

#define NET_DIMENSIONS 30       /* at most: 2^30 nodes, more do not fit an int */
#define NET_LABEL 96            /* bytes of a label that is made of coordinates or a number */

/* What rows, planes, windows, dimension order and closed forms may rely on. */
enum net_lines {
    LINES_NONE,                 /* no dimensions */
    LINES_SETS,                 /* coordinates: the nodes of a line and their order; nothing about hops */
    LINES_GRID,                 /* products of rings and paths: a hop is a step along one dimension, so hops are summed
                                 * over dimensions; with a group, generator d is the unit vector of dimension d */
    LINES_JUMPS                 /* no coordinates: the multiples of the jumps of a circulant, which serve as
                                 * dimensions */
};

struct net {
    char *spec;                 /* canonical; parses to itself */
    const struct topo *topo;
    void *param;                /* the family's own, released with free(); NULL where it needs none */
    int n;                      /* nodes, at least 1 */
    bool directed;
    int ndim;                   /* coordinates: 0 when the network has none */
    int *size;                  /* ndim */
    bool *wrap;                 /* ndim: whether the dimension closes to a ring (windows run round its end) */
    enum net_lines lines;       /* families leave NONE unless they know of a grid or of jumps: net_open looks */
    struct group *group;        /* NULL unless translation-invariant */
    int nterminal;
    int *terminal;              /* ascending; NULL when every node is one */
    int hosts;                  /* of every switch, where hosts= hung them there (topology/hosts.c); 0 */
    struct net *switches;       /* and the network that they hang at, its nodes behind the hosts here; NULL */
    int each;                   /* processes on a terminal, where a file's spec says so; 0 */
    char **name;                /* n names, or NULL */
    int *by_name;               /* with names: nodes in their order */
    double *at;                 /* where a file says that nodes are: 2 a node, to the right and down, of its own unit;
                                 * NaN: not known; or NULL */
    char *unread;               /* what its file says and nobody reads: "its column ... is not read"; or NULL */
    char *told;                 /* what a routing found in its file that the network lacks; or NULL */
    double *weight;             /* of a file that does not say what it means: one per edge of the graph, or NULL */
    struct cables cables;
    struct devices devices;
    bool has_graph;
    igraph_t graph;             /* use net_graph() */
    struct hops *hops;          /* distances that were asked for (graph/distance/towards.h), or NULL */
    void (*hops_close)(struct hops *h);
};

/* Once, before and after everything: igraph reports instead of aborting. Not for parallel regions. */
void net_setup(void);
void net_teardown(void);
/* 0 for success; otherwise sets `err` to igraph's reason ("what: reason") and returns -1. */
int net_status(igraph_error_t status, const char *what, struct err *err);

int net_open(struct net **out, const char *spec, struct err *err);
/* What net_open asks of every family: all that others rely on without looking again. ERR_INTERNAL names family and
 * fault. */
int net_check(struct net *net, struct err *err);
void net_close(struct net *net);        /* NULL is fine */

/* The graph, built on the first call. Edge i joins IGRAPH_FROM and IGRAPH_TO; no loops. Nodes that are joined by
 * several cables have several (cables.h). */
int net_graph(struct net *net, const igraph_t **graph, struct err *err);
/* Cables (undirected) or links (directed), without building the graph where the family knows. */
double net_edges(struct net *net, struct err *err);     /* -1 on error */
/* The nodes that an edge of the graph joins, from and to; net_graph() has made it. */
void net_ends(int end[2], const struct net *net, int64_t edge);

/* An edge of net_graph() that leads from one node to another (either way, where undirected). ERR_USAGE: there is
 * none. */
int net_link(int64_t *edge, struct net *net, int from, int to, struct err *err);
/* All of them, ascending, and how many; free(). */
int net_cables(int64_t **edge, int *n, struct net *net, int from, int to, struct err *err);
/* The cable from a node to what `text` says: "B", any of those to B, or "B:PORT", the one at that port of `from`, by
 * its name or, where its ports have none, its number from 1. The node is left in `to`, the number in `cable` (0: any).
 * ERR_USAGE: no such node, cable or port. */
int net_cable(int64_t *edge, int *cable, struct net *net, int from, int *to, const char *text, struct err *err);
/* The name of the port at which an edge leaves one of its nodes, NULL where it has none. */
const char *net_port(const struct net *net, int64_t edge, int from);
/* The same where that is a whole number from 1; 0 else. */
int net_port_number(const struct net *net, int64_t edge, int from);

static inline int net_terminal(const struct net *net, int i)
{
    return net->terminal ? net->terminal[i] : i;
}
/* Position of `node` among the terminals, -1 when it is a switch. */
int net_terminal_search(const struct net *net, int node);      /* where they are not the first nodes */
static inline int net_terminal_index(const struct net *net, int node)
{
    if (!net->terminal)
        return node;
    if (net->nterminal > 0 && net->terminal[net->nterminal - 1] == net->nterminal - 1)
        return node < net->nterminal ? node : -1;
    return net_terminal_search(net, node);
}
/* How a node prints: its name, whole and where the network keeps it, or its coordinates "r.c" or number, written to
 * `out`. */
const char *net_label(const struct net *net, int node, char out[NET_LABEL]);
/* "from>to", whole, with what stands between; to be freed; NULL: memory. */
char *net_label_pair(const struct net *net, int from, const char *between, int to);
/* A node by name, coordinates or number. */
int net_node(const struct net *net, const char *text, int *node, struct err *err);
void net_coordinates(const struct net *net, int node, int *c);     /* c has room for NET_DIMENSIONS */

/* Whether there are coordinates and every dimension closes to a ring, as one of two nodes does. */
bool net_rings(const struct net *net);
/* Which of its family's groups a node is in, from 0; -1: in none, or the family has none. */
int net_group(const struct net *net, int node);
bool net_grouped(const struct net *net);
/* Ports that a switch has, used or free, by its family; 0: not known, or no switch. */
int net_radix(const struct net *net, int node);
/* Dimensions that rows run along: 0 where there are no lines. */
int net_dimensions(const struct net *net);
/* Nodes on a line of dimension d. */
int net_line(const struct net *net, int d);
/* What a step along dimension d adds to a node of a network with a group. */
int net_unit(const struct net *net, int d);
