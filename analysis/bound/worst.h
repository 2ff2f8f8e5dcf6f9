/* worst.h -- the worst that any traffic can do to an oblivious routing (Towles and Dally 2002, "Worst-case traffic
 * for oblivious routing functions", SPAA). Admissible traffic sends at most 1 from every terminal and at most 1 to
 * every terminal; the most of it that can cross a link is a maximum-weight assignment of sources to destinations,
 * where a pair weighs the part of its messages that the routing sends over the link (a way that crosses it twice
 * counts twice). Every link has its own; the worst link is the one with the most for its capacity. Where network and
 * routing look the same from every node, one link for each step stands for all, and where the routing keeps every
 * symmetry of the network, one of those that symmetries take to each other. Over any terminal (Valiant), all
 * permutations that leave none in place are as bad as uniform traffic is; one of them is told. Links are taken in the
 * order of an upper bound (prices that any assignment respects), and left out where it cannot beat what was found: the
 * result is exact, and the same whatever the number of threads.
 * Units   loads are in messages while every source sends one; what a node may inject, in units of a link.
 * Errors  ERR_USAGE for a routing with shares that depend on waits; ERR_MEMORY before it is taken; ERR_NETWORK where
 *         there is no path. */
#pragma once

#include "model/routing/route.h"
#include "model/traffic/traffic.h"

struct worst_options {
    bool unfolded;              /* every link, even where all nodes are alike */
    bool unit;                  /* of worst_traffic: every link carries 1, whatever its bandwidth */
    bool every_link;            /* what every link has to bear at worst, not only which bears the most */
    int jobs;                   /* threads; 0: as OpenMP decides */
    const struct tick *tick;
};
struct worst {
    int from, to;               /* the link: one of several alike; where folded it leaves node 0 */
    double capacity;            /* its own */
    double load;                /* the most that admissible traffic puts on it */
    double theta;               /* capacity / load, the least of all links: what a node may inject, whatever the
                                 * traffic */
    double bound;               /* the prices' sum, of load / capacity over all links: no traffic does worse */
    double gap;                 /* bound over load / capacity, less 1: rounding */
    int n;                      /* terminals */
    int *target;                /* the permutation, n nodes by terminal; -1: does not send, since nothing of it would
                                 * cross the link */
    double *part;               /* of a terminal's messages, what crosses the link */
    double *distance;           /* mean hops of a terminal's messages; NAN: does not send */
    int senders;
    double hops;                /* mean of the senders' */
    double uniform;             /* what a node may inject under uniform traffic */
    double uniform_hops;
    size_t nlink, solved;       /* links looked at (folded: steps), and those that needed an assignment */
    /* every_link: all links of the network, in the order of csr_init; else NULL */
    size_t nall;
    int *link_from, *link_to;
    double *link_worst, *link_uniform;      /* loads, at worst and under uniform traffic */
};
/* capacity: as in capacity.h, above 0; NULL: 1 each. */
int worst_open(struct worst *out, struct net *net, struct routing *routing, const double *capacity,
               const struct worst_options *o, struct err *err);
void worst_close(struct worst *w);

/* The worst permutation of a routing (a spec) as a traffic, called worst:ROUTING: those of its streams that put
 * something on the worst link. To be released by traffic_release. Commands come here by load_traffic (cli/request).
 * capacity NULL: the bandwidths of links. */
int worst_traffic(struct traffic *out, struct net *net, const char *routing, const double *capacity,
                  const struct worst_options *o, struct err *err);
