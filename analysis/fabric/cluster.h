/* cluster.h -- a network as its cables show it: of which level switches are, how much leads down and up from each,
 * and what breaks the pattern of the others.
 *   host     a terminal whose neighbours are all switches; any other terminal is a switch with a host of its own
 *   level    0 for hosts; a switch with hosts is of level 1 (a leaf); others are a hop more than their lowest neighbour
 *   limit    under uniform traffic what N hosts may each send before the cables of a leaf with h of them are full:
 *            up / (h (N - h) / (N - 1)), since h hosts send (N - h)/(N - 1) of their messages out of the leaf. No
 *            routing has more; where every leaf has as many cables to each spine, some routing has as much
 * Units    bandwidths in unit links, one way; limits in parts of a unit link.
 * Errors   ERR_DOMAIN for networks of one-way links; ERR_MEMORY. */
#pragma once

#include "graph/distance/trunks.h"

struct cluster_switch {
    int level, part;            /* -1: no host is in reach; part: which of those not joined, from 0 */
    int hosts, ports;           /* ports: cables */
    double down, up;            /* bandwidth to lower levels (a host of its own is one unit link), and to others */
    double limit;               /* NAN: no hosts, or some of them are at other switches too */
};
struct cluster {
    struct net *net;            /* outlives it */
    struct trunks trunks;
    int *tail, *head, *back;    /* by link: its ends, and the link back */
    struct cluster_switch *at;  /* by node; of hosts level and part alone */
    int levels, parts;
};
int cluster_open(struct cluster *c, struct net *net, struct err *err);
void cluster_close(struct cluster *c);          /* a zeroed struct is fine */

enum cluster_fault { FAULT_MISSING, FAULT_FEWER, FAULT_SLOW, FAULT_MORE };
struct cluster_flaw {
    enum cluster_fault fault;
    int a, b;                   /* a is of the lower level */
    double have, usual;         /* cables; of SLOW: bandwidth of the slowest */
};
/* What breaks the pattern, fresh. Patterns are majorities: nothing is said where no more than half agree.
 *   FEWER     fewer cables than most pairs of these two levels have
 *   SLOW      a cable slower than most of these two levels
 *   MISSING   no cable to a switch that all others have which share more than half of a's switches one level up */
int cluster_flaws(struct cluster_flaw **out, size_t *n, const struct cluster *c, struct err *err);
/* What differs from the network meant where that has a cable, nodes matched by label; *unknown counts those of its
 * nodes that are not there. */
int cluster_design(struct cluster_flaw **out, size_t *n, size_t *unknown, const struct cluster *c,
                   const struct cluster *design, struct err *err);
