/* adaptive.h -- fully adaptive minimal routing: at each node a message may take any cable to a next node on a shortest
 * path, by what is free or little used. Which one, a policy or a simulator decides; `next` answers with all of them.
 * Escape  a routing with a single path, a shortest one, which goes on from any node: its channels are its own, and a
 *         message may take them at any node, and leave them again. Where they are in order it may always wait for one
 *         (J. Duato, "A new theory of deadlock-free adaptive routing in wormhole networks", IEEE Transactions on
 *         Parallel and Distributed Systems 4(12), 1993; analysis/deadlock/escape.h).
 * Hops    ecmp's, with its shares. The first leads where the escape does (over which cable, the escape says); the
 *         others ascend by node.
 * Errors  ERR_USAGE for an escape that is none; those of ecmp and of the escape. */
#pragma once

#include "model/routing/route.h"

/* No entry of the catalogue, since what looks at the load is a policy. Sets out->escape, which outlives it. */
int adaptive_open(struct routing *out, struct net *net, struct routing *escape, struct err *err);
