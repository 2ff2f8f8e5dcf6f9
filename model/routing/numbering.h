/* numbering.h -- nodes numbered so that routes change direction seldom. Numbers 0 to n - 1, each once.
 *   inversion  where a route that rises, from number to number, begins to fall, or the other way; a route begins
 *              rising, so that one that falls at once has an inversion there
 *   cost       the most inversions of any route, and how many routes have as many
 * Source  K. Guenther, "Prevention of deadlocks in packet-switched data transport systems", IEEE Transactions on
 *         Communications 29(4), 1981: direction inversions; along a tree, numbered towards its root, routes up and then
 *         down have one. L. Drummond 1990, chapter IV.
 * Judging a numbering takes the states of follow.h, not routes one by one: how a route got to a link matters by the
 * link's direction alone. Errors: those of follow.h. */
#pragma once

#include "model/routing/follow.h"

struct numbering_cost {
    int inversions;
    double routes;                  /* whole up to 2^53 */
};

/* What a numbering costs routes between all pairs, of all routings together. */
int numbering_judge(struct numbering_cost *cost, const int *number, struct follow *f, struct routing *r,
                    size_t nrouting, struct err *err);
/* The cheapest that is found: never worse than the nodes' own numbers, and *exact where it is known that none is
 * cheaper. Up to NUMBERING_EXACT nodes all orders are tried, lowest number first, as long as the links whose direction
 * is known then do not cost too much already; above, nodes are moved to other places in the order as long as that costs
 * no more, from the best of four (their own numbers, by hops from the node of most links; from above and from below).
 * Moves and work are limited, whatever the network: about 10 s. Same seed, same answer. */
#define NUMBERING_EXACT 10
int numbering_search(int *number, struct numbering_cost *cost, bool *exact, struct follow *f, struct routing *r,
                     size_t nrouting, uint64_t seed, struct err *err);
