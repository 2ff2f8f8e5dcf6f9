/* topo.h -- the catalogue of topologies. One file topo_NAME.c per family, found by name. */
#pragma once

#include "graph/base/entry.h"
#include "graph/net.h"

/* What closed forms say; NAN where the family has none. Hops, pairs and bisection are between terminals. */
struct topo_facts {
    double nodes, terminals;
    double edges;               /* cables; links where directed */
    double degree_min, degree_max;
    double diameter;            /* hops, over ordered pairs of different terminals */
    double mean_hops;
    double bisection;           /* fewest cables (links) cut by any split into halves, floor and ceiling, of the
                                 * terminals */
    const char *bisection_source;
};

#define TOPO_HOPS 40            /* more than any distance in a closed form */

struct topo {
    ENTRY;
    const char *layout;         /* which of layout.h is natural to it; NULL: depends on the network */
    bool vertex_transitive;     /* known to be, by construction */
    /* Fills n, directed, dimensions (size and wrap), lines, group, terminals, param; sets spec to the canonical text,
     * which opens the same network again. No graph yet. net_open checks it. */
    int (*open)(struct net *net, const struct spec *spec, struct err *err);
    /* The graph; NULL for families that have a group. */
    int (*build)(igraph_t *graph, const struct net *net, struct err *err);
    const char *const *cable_class;     /* NULL-terminated: classes of cables, which have keys (cables.h); NULL: the
                                         * dimensions are */
    int (*class_of)(const struct net *net, int a, int b);   /* of the cable between two nodes */
    int (*radix)(const struct net *net, int node);      /* ports of a switch, 0 of a host; NULL: not known */
    int (*group)(const struct net *net, int node);      /* which of the family's groups, from 0; NULL: it has none */
    bool (*by_groups)(const struct net *net);   /* whether, intact, one path from a node to another has the fewest links
                                                 * between groups and of these the fewest hops; NULL: not known */
    void (*facts)(const struct net *net, struct topo_facts *facts);    /* all NAN on entry; NULL: none */
    int (*alike)(const struct net *net, int node);      /* a node, the same for all of its class, that a symmetry known
                                                         * by construction takes it to; NULL: none is known */
    /* Ordered pairs of different terminals at each distance, and the longest; NULL: no closed form. */
    int (*pairs)(uint64_t pairs[TOPO_HOPS], const struct net *net);
};

/* The keys of a class of cables, in a family's own list. */
#define TOPO_CLASS_KEYS(name, which)                                                \
    { name "-bandwidth", "B", "of links " which ", in unit links" },                \
    { name "-latency", "CYCLES", "that the length of links " which " adds to the hop time" }

KIND_HEADER(topo, topo, struct topo);

/* What the network's family says; all NAN where it says nothing. */
void topo_facts(struct topo_facts *facts, const struct net *net);

/* Of an intact network: what its family says of alike nodes (0 where all are), and of pairs; -1: nothing. */
int topo_alike(const struct net *net, int node);
int topo_pairs(uint64_t pairs[TOPO_HOPS], const struct net *net);

/* For the open functions. Sizes "5x4x3" or "8^3". */
int topo_sizes(const char *text, int **size, int *ndim, struct err *err);
/* Begins a spec with the family's name and the sizes: "torus:5x4x3". */
int topo_sizes_spec(struct net *net, struct err *err);
/* "18+9": at least one number of lo to hi, at most `most` of them, whose number is left in *n. */
int topo_numbers(int *out, int *n, int most, const char *text, int lo, int hi, const char *what, struct err *err);
/* Product as a node count; refuses what does not fit an int. */
int topo_count(const int *size, int ndim, int *n, struct err *err);
/* The first nterminal nodes as terminals. Forecasts the graph with them, of so many edges: of such a network nothing is
 * known without it. */
int topo_first_terminals(struct net *net, double edges, const char *spec, struct err *err);
/* Room for a list of endpoints, 2 per edge; NULL: memory, which is forecast. Then the graph from it; frees it. */
igraph_integer_t *topo_ends(double edges, const struct net *net, struct err *err);
int topo_from_edges(igraph_t *graph, igraph_integer_t *end, size_t nends, const struct net *net, struct err *err);

/* The key hosts= of an opened network whose nodes are all terminals: it becomes the switches of another. */
int topo_hosts_hang(struct net *net, const struct spec *spec, struct err *err);

/* Of a fat tree (tree.h has its numbering): how many levels above the hosts; 0 for other networks. */
int topo_tree_levels(const struct net *net);
/* Its cables from a level to the next, hosts being level 0. */
double topo_tree_cables(const struct net *net, int level);
/* How a node of it sends towards a host, were nothing failed. */
struct topo_up {
    int n, first;               /* up, over nodes first .. first + n - 1; n 0: the host is below it, or the node is a
                                 * root, or the target no host */
    int cables;                 /* to each of them */
    int roots;                  /* of its subtree: w_1 .. w_i of level i; of a root without parallel cables as of
                                 * the level below */
};
int topo_tree_up(struct topo_up *up, const struct net *net, int node, int host);
