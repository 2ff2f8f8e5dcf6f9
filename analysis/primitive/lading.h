/* lading.h -- the messages of a traffic as communication processors take them (processors.h): over which channels, and
 * in buffers of which part at each node. Every source sends as many; to destinations drawn by the traffic's shares.
 * Routings must have a single path, as a table of next channels by destination has. With a scheme of buffer classes each
 * node's buffers are divided evenly among its classes, the lesser ones getting what is over; without one in two halves,
 * the host's and that of messages from other nodes, which gets what is over.
 * Errors  those of routing, classes and traffic; ERR_DOMAIN for buffers that do not suffice for their parts. */
#ifndef ANALYSIS_PRIMITIVE_LADING_H
#define ANALYSIS_PRIMITIVE_LADING_H

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
struct lading {
    struct processors_hop *hop;
    struct processors_message *message;
    size_t n, nhop;
    int hosts, *room, parts;
    double hops;                        /* of all messages */
    int most;                           /* of one */
};
int lading_open(struct lading *out, const struct wiring *w, const struct traffic *t, const struct lading_how *how,
                struct err *err);
void lading_release(struct lading *l);

/* The half-links of a path from node to node: `way` has room for its nodes but one. */
int lading_way(uint32_t *way, const struct wiring *w, const struct route_path *path, struct err *err);

#endif
