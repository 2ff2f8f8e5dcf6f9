/* adapt.h -- a minimum spanning tree that its processes keep least while latencies change: after Cheng, Cimet and Kumar
 * (A protocol to maintain a minimum spanning tree in a dynamic topology, Computer Communication Review 18(4), 1988), as
 * in wide-area collectives, sections 2.2 and 2.3, mended where that does not keep the tree least.
 *
 * A check begins at all processes at once: each knows what its links take now. A link of the tree that takes longer
 * has failed, another one that takes less has recovered. What is left needs no messages.
 * 1. Failures   Who is next to one tells the top of its part of the tree (Failure), or is the top of what is cut off. A
 *               top names its part anew and learns its depth, the level (Reiden, Reiden-ack); then the part looks for
 *               its best link (Findmoe), and parts join as fragments do when a tree is built (ghs.h). A process that is
 *               cut off alone asks to be joined at once. Until a process knows its level it answers no message.
 *               Who is next to none says so to its neighbours in the tree (Not-fail) and, when all below it have, to
 *               the one above (Not-fail-ack). The root, of the tree as it was or as it is joined now, ends this
 *               (Gosleep-fal).
 * 2. Recoveries As above (Not-rec, Not-rec-ack, which says whether something waits below). The root so knows where the
 *               privilege is to go. Who has it asks over a link that recovered (Id-check); the other end looks for the
 *               worst link on its way back over the tree (Recovery). If that is worse, it leaves the tree, and the
 *               other joins it, as a message goes round the cycle (Replace), which turns the ways to the privilege
 *               below the cut; then the privilege goes on (Privilege), over links behind which something waits. Who has
 *               it last is the root, and ends all (Gosleep-rec).
 * Two published rules do not keep the tree least; tests/unit/test_adapt.c has runs that break them:
 *   a failed link is marked as rejected there, so that it cannot come back though it be the best still: here it is one
 *     like others, with its new latency (the_failed_link_is_still_the_best);
 *   recovered links compete with their new latencies when failures are mended, which joins parts over them and leaves
 *     in the tree what their cycles should drop: here they count as before until it is their turn
 *     (a_recovered_link_joins_too_soon).
 * Done otherwise, without a proof that the published way fails: there recoveries climb to the root at once and wait for
 * each other on the way, and acknowledgements go to all neighbours, since ways turn meanwhile; here the root hears
 * first where something waits, each recovery looks for the worst link when it has the privilege
 * (recoveries_whose_cycles_overlap), and the root is the process that has it last.
 * A link that is gone has failed, one that comes back joins as a failure does and then recovers; where the graph falls
 * apart there is a tree for each part, with a root of its own.
 * Messages take the latencies of now. Units, errors: protocol.h. */
#pragma once

#include "model/protocol/ghs.h"

enum adapt_type { ADAPT_FAILURE = GHS_TYPES, ADAPT_REIDEN, ADAPT_REIDEN_ACK, ADAPT_FINDMOE, ADAPT_ID_CHECK,
                  ADAPT_RECOVERY, ADAPT_PRIVILEGE, ADAPT_REPLACE, ADAPT_NOT_FAIL, ADAPT_NOT_FAIL_ACK,
                  ADAPT_GOSLEEP_FAL, ADAPT_NOT_REC, ADAPT_NOT_REC_ACK, ADAPT_GOSLEEP_REC, ADAPT_TYPES };
extern const struct machine adapt_machine;

struct spanning {
    struct wiring w;                    /* its order: the latencies that processes went by */
    struct ghs g;                       /* which links are in it, and which lead to the root */
};
struct protocol_cost {                  /* sums of several runs */
    double count[PROTOCOL_TYPES], time;
    size_t failed, recovered;           /* links */
};
static inline bool spanning_has(const struct spanning *s, size_t half)
{
    return s->g.link[half] == GHS_BRANCH;
}
struct protocol_how {
    uint64_t seed;                      /* 0: latencies are delays, else they are random (protocol.h) */
    const struct protocol_watch *watch; /* NULL */
    struct protocol_cost *cost;         /* is added to */
    const struct tick *tick;            /* NULL */
};
/* Links that are there, `latency` what messages take, `order` what processes believe (0: the same). */
int spanning_build(struct spanning *s, int n, const struct wire *wire, size_t m, const struct protocol_how *how,
                   struct err *err);
/* The same processes, links as they are now. */
int spanning_adapt(struct spanning *s, const struct wire *wire, size_t m, const struct protocol_how *how,
                   struct err *err);
void spanning_release(struct spanning *s);
