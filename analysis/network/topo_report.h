/* topo_report.h -- the properties of one network that `metapath topo` reports. Hops and pairs are between terminals. */
#pragma once

#include "analysis/metapath/metapath.h"
#include "graph/distance/distances.h"
#include "graph/net.h"

enum symmetry {
    SYMMETRY_UNKNOWN,           /* the search for symmetries was given up */
    SYMMETRY_NONE,              /* not vertex-transitive */
    SYMMETRY_VERTEX,            /* vertex-transitive: every node sees the same network */
    SYMMETRY_TRANSLATION        /* translation-invariant: a Cayley graph of an abelian group */
};
extern const char *const symmetry_name[];

struct topo_report {
    double nodes, terminals, edges;
    bool directed;
    double degree_min, degree_max;      /* outgoing links */
    double joined_pairs;        /* of nodes (directed: ordered): fewer than `edges` where cables are parallel */
    /* As hardware. A terminal with one neighbour, which is no terminal, is a host; every other node is a switch, and
     * one that is a terminal too has its host within: that takes a port, but no cable. Failed nodes are neither. */
    double switches, switch_ports;      /* most ports of a switch */
    double ports_used, ports_free;      /* of all switches; free: NaN where their radix is not known */
    double host_cables;         /* between a host and a switch; the rest of `edges` is between switches */
    double within;              /* between switches of one group or pod of the family's, or within a host */
    double bandwidth;           /* of all cables, each as much as the mean of its two directions, in unit links */
    double failed_nodes, failed_cables;
    int parts;                  /* connected ones, of the nodes that are up; strongly, where directed */
    int *part_size, *part_node; /* nodes in each, largest first, and its smallest node */
    struct dist_count pairs;    /* of terminals, by distance */
    double diameter, mean_hops; /* NaN when not connected */
    /* Where sources were drawn (sample.sources, else 0 and all is exact): the statistics of `static` seen from them.
     * Then `pairs` are those from them, and `diameter` is a lower bound. */
    struct metapath_stats sample;
    double bisection_lower, bisection_upper;    /* equal when known; NaN when not looked at */
    const char *bisection_source;       /* source of the closed form; NULL for bounds */
    double bandwidth_lower, bandwidth_upper;    /* of the bisection in bandwidth (bisection.h) */
    double connectivity_lower, connectivity_upper;      /* fewest cables that disconnect it when lost */
    enum symmetry symmetry;
    int orbits;                 /* of terminals under the symmetries found; 0: not searched */
    double moore_diameter, moore_mean;  /* least possible for as many nodes of that degree; NaN with switches */
};
struct topo_report_options {
    bool no_symmetry;           /* distances from every terminal, whatever is known of the network */
    bool exact_connectivity;    /* edge connectivity by maximum flows, however long they take */
    bool bisection;             /* look for bounds where there is no closed form */
    int sources;                /* distances from so many, drawn by the seed, where neither a closed form nor a group
                                 * gives all: symmetries are not searched then. 0, or as many as there are: from all */
    uint64_t seed;
    int jobs;
    struct tick tick;
};
int topo_report(struct topo_report *r, struct net *net, const struct topo_report_options *o, struct err *err);
void topo_report_release(struct topo_report *r);

/* Least diameter and mean distance of any network of n nodes with `degree` cables (links) each: at most
 * degree*(degree-1)^(i-1) nodes (degree^i where directed) at distance i. Moore's bound (Hoffman and Singleton 1960);
 * mean: Cerf, Cowan, Mullin and Stanton 1974. */
void moore_bounds(double n, double degree, bool directed, double *diameter, double *mean);
