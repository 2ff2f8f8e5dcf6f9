/* lading.h -- the messages of a traffic as communication processors take them (processors.h): over which channels, and
 * in buffers of which part at each node. Every source sends as many; to destinations drawn by the traffic's shares.
 * Routings must have a single path, as a table of next channels by destination has. A node's buffers are divided evenly
 * among their parts: by a scheme of buffer classes, of which the first ones get what is over; without one into the
 * host's, and those of messages from other nodes, which get it.
 * Errors  those of routing, classes and traffic; ERR_DOMAIN for buffers that do not suffice for their parts. */
#pragma once

#include "analysis/primitive/processors.h"
#include "model/routing/route.h"
#include "model/traffic/traffic.h"

enum lading_mode { LADING_STORED, LADING_CIRCUIT, LADING_MIXED };       /* mixed: every other message by a circuit */
struct lading_how {
    struct routing *routing;
    const char *classes;                /* NULL: CVP I */
    int messages;                       /* of each source */
    double every;
    int64_t buffers;                    /* of a node; 0: any number */
    enum lading_mode mode;
    uint64_t seed;
};
/* What of a plan is the messages' and the buffers', over its wiring; to be released where it succeeds. */
int lading_open(struct processors_plan *p, const struct traffic *t, const struct lading_how *how, struct err *err);
void lading_release(struct processors_plan *p);

/* The half-link from node u to v; ERR_INTERNAL where no cable joins them. */
int lading_half(uint32_t *half, const struct wiring *w, int u, int v, struct err *err);
