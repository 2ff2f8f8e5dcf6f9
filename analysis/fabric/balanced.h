/* balanced.h -- forwarding tables of a network, a tree for each terminal, such that the busiest link carries little
 * while all send to all alike. At a node all messages to one terminal go out by one link, as switches by lid do.
 *   ways      up any number of links and then down, by levels (cluster.h), on one level towards the node of most
 *             neighbours; where this leaves a pair without a way, towards that node alone, as updown. No links wait
 *             for each other in a cycle, so that one lane suffices. A node that can go down does, by the fewest links
 *   placing   terminals in random order; their sources in random order, each by the way on which the fullest link, with
 *             what is added, is least full (of several, the least sum); what sources before it have fixed stays
 *   rounds    each tree in random order is taken out and placed again; the best round is kept
 * As sssp and dfsssp (Domke, Hoefler and Nagel 2011) place by sums, once.
 * Errors   ERR_NETWORK where a pair has no way; ERR_MEMORY before it is taken; ERR_STOPPED; those of cluster.h. */
#pragma once

#include "model/routing/route.h"

/* An opened routing, called "balanced"; to be closed as any other. */
int balanced_open(struct routing *out, struct net *net, int rounds, uint64_t seed, const struct tick *tick,
               struct err *err);
