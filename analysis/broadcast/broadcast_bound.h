/* broadcast_bound.h -- what no broadcast over a process tree can do better, by the rules of steps.h: steps and
 * hops. Every process tree, every order of children, every routing and every order in which operations are tried keeps
 * these.
 * Units   steps of one link; hops.
 * Errors  ERR_DOMAIN for a root or ports out of range, ERR_NETWORK where a process cannot be reached, ERR_MEMORY.
 *
 * distance  the message has to reach the farthest process, and a step takes it over one link.
 * growth    in a step each process that has the message sends it to at most k others, k the ports or the links of its
 *           node: at most 1 + k times as many have it after a step (ceil(log2 P) with one port: Hedetniemi, Hedetniemi
 *           and Liestman 1988; ceil(log_{p+1} P): Johnsson and Ho 1989). Where the two nearest processes are h links
 *           apart, a message is h steps on its way: N(t) = N(t-1) + sum of k over the N(t-h) that have it (the postal
 *           model: Bar-Noy and Kipnis 1994), and with blocking N(t) = N(t-h) + sum of k over N(t-h), since a sender
 *           waits those h steps. The processes with most links are taken to receive first: more is sent in no other
 *           order.
 * work      the hops of all messages, below, over the most hops that a step holds: operations of a step share no node,
 *           so with at most q links each they are at most n q / (q + 1) hops on n nodes, and at most the sum of the
 *           links per operation over nodes that every link touches (those with several neighbours; a hub alone, on a
 *           star). Where there are switches, a hop belongs to the operation of a terminal at one of its ends, or is one
 *           over a link between switches: at most the sum of both.
 * hops      each process but the root receives one message from another over at least their distance: a spanning tree
 *           of the processes under distances, so the least one (undirected: found without all pairs, Mehlhorn 1988;
 *           directed: a least arborescence, Chu and Liu 1965, Edmonds 1967). Some tree has exactly so many where routes
 *           are shortest. Directed networks with more than BROADCAST_ARBORESCENCE processes on part of their nodes: one
 *           hop a message.
 *
 * Flooding keeps another rule, since a node hands the message to all its neighbours: it hears no sooner than its
 * distance, and every terminal but the root hears at least once. */
#pragma once

#include "analysis/broadcast/broadcast.h"

#define BROADCAST_ARBORESCENCE 1000

/* What bounds have to know of a network, its processes and the root, for any number of ports. */
struct broadcast_reach {
    int n;                          /* processes */
    int nodes, terminals;
    bool directed, switched;        /* switched: some nodes are no terminals */
    double eccentricity;            /* hops from the root to the farthest process */
    double farthest;                /* to the farthest terminal; NAN where one is out of reach */
    int nearest;                    /* hops between the two nearest processes, or less; 1 where there is but one */
    double hops;                    /* of all messages, at least */
    bool narrow;                    /* some link is of a bandwidth below 1: there are no steps */
    int *links;                     /* n: messages that each process's node can put on its links in a step, one for each
                                     * neighbour that is a terminal, to a switch as many as its link passes; the root's
                                     * first, the others descending */
    int64_t through;                /* hops of a step that no process sends or receives: one for each terminal without
                                     * a process that has several neighbours, as many between switches as links pass */
};
int broadcast_reach(struct broadcast_reach *out, struct net *net, const struct placement *where, int root,
                    struct err *err);
void broadcast_reach_release(struct broadcast_reach *r);

struct broadcast_bound {
    double distance, growth, work;  /* each by itself */
    double steps;                   /* the largest; NAN, as those, with narrow links */
    double hops;
};
int broadcast_bound(struct broadcast_bound *out, const struct broadcast_reach *reach, struct broadcast_how how,
                    struct err *err);
/* Steps and hops; growth and work are NAN. */
void broadcast_bound_flood(struct broadcast_bound *out, const struct broadcast_reach *reach);
/* "distance", "growth+work": which of them are the largest. */
const char *broadcast_bound_reason(char out[40], const struct broadcast_bound *b);

/* Steps until `wanted` have a message that one has, by growth alone: link[0..n-1] as in struct broadcast_reach. */
int broadcast_growth(double *steps, const int *link, int n, int wanted, int nearest, struct broadcast_how how,
                     struct err *err);
