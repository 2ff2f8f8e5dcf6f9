/* LogGOPS without its rendezvous: a send has the sender's processor for o + (m - 1) O and, from the same moment, its
 * interface for g + (m - 1) G; the last byte leaves when the slower of both lets it, and is L on the way; the
 * receiver's processor works for o + (m - 1) O. S, the size from which a sender waits until its receiver is ready, is
 * left out: models hear of messages when they are sent, not of receivers that are ready. */
#include <math.h>

#include "analysis/collective/loggp.h"
#include "texts/cost.h"

static int loggops_open(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err)
{
    if (loggp_open(c, spec, w, err) < 0 || cost_rate(&c->cpu, c, spec, "cpu", INFINITY, err) < 0)
        return -1;
    return cost_time(&c->g, c, spec, "g", 0, err);      /* the processor's o is no part of the interface's */
}

static const struct spec_key keys[] = {
    { "l", "TIME", "on the way" },
    { "o", "TIME", "that a processor takes to send or to receive a message" },
    { "g", "TIME", "that an interface takes for a message (default: 0)" },
    { "rate", "RATE", "of an interface, for bytes after the first: 1/G (default: without end)" },
    { "cpu", "RATE", "of a processor, for bytes after the first: 1/O (default: without end)" },
    { NULL, NULL, NULL }
};

const struct cost_kind cost_loggops = {
    .name = "loggops",
    .synopsis = "loggops,l=TIME,o=TIME[,g=TIME][,rate=RATE][,cpu=RATE]",
    COST_LOGGOPS_TEXT,
    .source = "Hoefler, Schneider and Lumsdaine 2010 (LogGOPSim: simulating large-scale applications in the LogGOPS "
        "model)",
    .example = "loggops,l=5us,o=1us,g=2us,rate=10Gb/s,cpu=40Gb/s",
    .keys = keys,
    .apart = true,
    .open = loggops_open,
    .send = loggp_send,
    .take = loggp_take,
    .alone = loggp_alone,
    .gap = loggp_gap
};
