/* best.h -- metapath:best:K, metapaths chosen for a traffic. A pair's messages go over K multistep paths in equal
 * shares: the straight one, way 0, and K - 1 of those it is offered, whose links carry little (one that is taken again
 * has twice the share). Offered are, each once, the straight one and then the ways of metapath:SUPERNODE for supernodes
 * that are listed, or those over one terminal i with d(s,i) + d(i,t) <= d(s,t) + N, hops by the base; where all looks
 * the same from every node they are those of node 0, in its order, moved.
 * To begin with all is on way 0. Then the pairs, the largest demand first (of equals by source and target), each take
 * their K - 1 paths back and choose them anew, one after the other: of all offered the one with the least (largest load
 * of its links, its share added, in parts of their bandwidth; hops; number). That again and again, until nothing
 * changes or BEST_PASSES are done; kept is the state with the smallest largest load of any link, way 0 alone among
 * them, of equals the last. Loads count as equal within 1e-9.
 * Source  the two alternatives that carry little, of Franco's thesis on Distributed Routing Balancing, section 6.2.4.
 * Errors  ERR_USAGE for a wrong spec; those of the supernodes and of route.h; ERR_STOPPED. */
#pragma once

#include "model/routing/route.h"

#define BEST_WAYS 64            /* K at most */
#define BEST_PASSES 20

struct best;
bool best_is(const struct spec *spec);          /* whether a metapath's spec names no supernode but this */
/* Sets r->base, r->invariant and, where there is something to choose, r->tell, and begins r->spec, as in
 * metapath:best:3,of=shortest+2. To be closed on error as well. */
int best_open(struct best **out, struct routing *r, const struct spec *spec, routing_tell *tell, struct err *err);
void best_close(struct best *b);                /* NULL is fine */
int best_ways(struct ways *w, struct best *b, struct routing *r, int source, int target, struct err *err);
int best_tell(struct best *b, struct routing *r, const struct routing_demand *pair, size_t n, const struct tick *tick,
              struct err *err);
