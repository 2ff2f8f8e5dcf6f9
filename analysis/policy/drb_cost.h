/* drb_cost.h -- what spreading over several paths costs in bits and decisions, of any routing with ways (a
 * configuration of a policy, metapath:SUPERNODE, table:FILE).
 *
 * With a = ceil(log2(nodes)) bits for an address, f bits for a latency, and a way of m stops before the destination:
 *   header           (m + 1) (a + 1): each stop and the destination, with a bit that says whether more follow
 *   more than plain  that less a, the one header of a message that goes straight
 *   carried          a + m a + f: origin, stops and latency, for the acknowledgement
 *   acknowledgement  a + f + m a: destination (the origin), latency, stops
 *   state of a pair  f + sum over its ways of (m a + f): latencies of the metapath and of each way, stops of each way
 *   decisions        m more than the straight path: a message is routed anew at every stop
 * Means are over the pairs by their parts of the traffic, and over the ways of a pair alike, as idle ways share by
 * bandwidth; those of the state are over pairs alike. Every message is acknowledged once; for that its source
 * decides on a configuration once, and chooses a path once.
 * Source  Franco's thesis, section 4.7.4.
 * Errors  ERR_USAGE for a routing hop by hop. */
#pragma once

#include "model/routing/route.h"
#include "model/traffic/traffic.h"

#define DRB_LATENCY_BITS 16

struct drb_mean {
    double mean, most;
};
struct drb_cost {
    int address_bits, latency_bits;
    size_t pairs;                       /* that were looked at: where all nodes are alike, those of one source */
    struct drb_mean ways;               /* of a pair, pairs alike */
    struct drb_mean header, extra;      /* bits of headers; more than the plain one */
    struct drb_mean carried;            /* bits for the acknowledgement, in the message */
    struct drb_mean acknowledgement;    /* bits of it */
    struct drb_mean state;              /* bits at a source for each destination */
    struct drb_mean decisions;          /* of routing, per message, more than on the straight path */
    int acknowledgements;               /* per message: 1 */
    int choices;                        /* of a path, per message: 1 */
    int configurings;                   /* decisions on the configuration, per acknowledgement: 1 */
};
/* NULL traffic: every ordered pair of terminals alike. latency_bits: DRB_LATENCY_BITS where 0. */
int drb_cost(struct drb_cost *out, struct routing *r, const struct traffic *traffic, int latency_bits,
             const struct tick *tick, struct err *err);
