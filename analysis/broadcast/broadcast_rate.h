/* broadcast_rate.h -- how fast long messages can be broadcast, from one process or from all, and the steps of
 * all-to-all. Looser rules than steps.h's, so that what holds here holds there and for other algorithms: messages
 * are cut up at will, every node may copy what it has and send it on, on all its links at once both ways; the node of a
 * process on at most `ports` of them each way (0: on all), that is at `ports` times its widest link. All cables between
 * two nodes are one link.
 * Units   a link carries its bandwidth in a unit of time. A rate is what part of every process's message all have got
 *         per unit of time: time = length / rate. Steps are of one message over a unit link.
 * Errors  as broadcast_bound.h.
 *
 * broadcast   no faster than the least cut between the root and any process; a maximum flow is such a cut (Ford and
 *             Fulkerson 1956). Reached with arc-disjoint trees where every node has a process and ports do not bind
 *             (Edmonds 1973).
 * all to all  each side X of a cut with a process in it must take in the messages of all processes outside: rate <=
 *             capacity into X / processes outside. The least over all X is found by flows from a source that feeds
 *             every process at the rate tried: one that receives less lies behind a cut that gives the next rate, in
 *             whole numbers where capacities are (Dinkelbach 1967). Reached likewise: Edmonds's theorem for several
 *             roots (Schrijver 2003, ch. 53).
 * Where all nodes are alike by translation, all links of one bandwidth, and each node has a process, the cut round one
 * node is the least: every cut has as many links as a node (Mader 1971; directed: Hamidoune 1977), or goes through the
 * ports of some node, as many as round it. Beyond BROADCAST_FLOWS (processes times arcs) only cuts round one node are
 * looked at: a bound as well, but perhaps not the best.
 *
 * Steps of all-to-all (NAN where links have bandwidths below 1): a message takes `diameter` steps between some two
 * processes. Not combined, each step carries as many messages over a cable as its bandwidth has whole units, so
 * 1 / rate; combined (what a process has by then goes as one message), the processes that know a message multiply as in
 * broadcast_bound.h (Johnsson and Ho 1989: ceil((P-1)/p), ceil(log_{p+1} P)). */
#pragma once

#include "model/process/placement.h"

#define BROADCAST_FLOWS 1e8

struct broadcast_cut {
    double capacity;                /* into its far side */
    int nodes;                      /* there; 0: no cut (one process) */
    int processes;
    int node;                       /* one of them; where all nodes but one are there, that one */
};
struct broadcast_rate {
    double rate, all_rate;          /* INFINITY for one process, 0 where one cannot be reached */
    struct broadcast_cut cut, all_cut;
    bool all_cuts;                  /* every cut was looked at */
    double diameter;                /* between processes; NAN where one cannot be reached from another */
    double hops;                    /* from every process to every other, together, where none is out of reach */
    double all_steps, all_combined_steps;
};
int broadcast_rate(struct broadcast_rate *out, struct net *net, const struct placement *where, int root, int ports,
                   int jobs, const struct tick *tick, struct err *err);

/* The same without the closed form and without shortcuts: the slow twin of tests. */
int broadcast_rate_by_flows(struct broadcast_rate *out, struct net *net, const struct placement *where, int root,
                            int ports, int jobs, const struct tick *tick, struct err *err);
