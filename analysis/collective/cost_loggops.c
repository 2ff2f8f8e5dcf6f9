/* LogGOPS without its rendezvous: a send has the sender's processor for o + (m - 1) O and, from the same moment, its
 * interface for g + (m - 1) G; the last byte leaves when the slower of both lets it, and is L on the way; the
 * receiver's processor works for o + (m - 1) O. S, the size from which a sender waits until its receiver is ready, is
 * left out: models hear of messages when they are sent, not of receivers that are ready. */
#include "analysis/collective/loggp.h"
#include "texts/cost.h"

static int loggops_open(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err)
{
    if (loggp_open(c, spec, w, err) < 0 || cost_rate(&c->cpu, c, spec, "cpu", INFINITY, err) < 0)
        return -1;
    return cost_time(&c->g, c, spec, "g", 0, err);      /* the processor's o is no part of the interface's */
}

const struct cost_kind cost_loggops = {
    COST_LOGGOPS_ENTRY,
    .apart = true,
    .open = loggops_open,
    .send = loggp_send,
    .take = loggp_take,
    .alone = loggp_alone,
    .gap = loggp_gap
};
