/* processors.h -- messages of many sources through communication processors, stored or over circuits of their own, with
 * finite buffers: event by event (cvp, II.2, II.3, III.1 1 and 8, III.2).
 *   decision unit   handles what arrives in order of arrival, `decide` for each: messages, requests, confirmations,
 *                   heads of messages over circuits, and what frees these
 *   buffers         of a node, in parts: a message takes `chain` of one part, a request one, from when it is accepted
 *                   until the next node acknowledges it; at its target none. CVP I: part 0 of messages from the host,
 *                   part 1 of others. CVP II: a part a class
 *   refused         where its part has no room, and sent again as soon as that is known; other classes of the channel's
 *                   queue go first (dispatch.h). A host tries again when its part has room
 *   host            hands over its messages one by one, the next when the last is accepted, or its circuit freed
 *   circuit         a request reserves each channel as the next node accepts it; what comes there waits in order of
 *                   arrival until it is freed, which follows the message's last flit
 * Not modelled: flits that hold up a decision unit. Deadlock: only refusals for longer than all take to be refused.
 * Units   protocol.h. Latency is from when a host first offers a message until the target's host has it; a wait from
 *         when a node accepts it until the next does.
 * Errors  ERR_MEMORY; ERR_STOPPED. */
#pragma once

#include "model/protocol/protocol.h"

/* What is wrong in print (primitive.h has the places): a bit each. */
enum {
    PRINTED_ACK = 1,                    /* II.7 waits for an acknowledgement of its own acknowledgement */
    PRINTED_ASK = 2,                    /* III.16 counts a request before it is queued: it waits for itself */
    PRINTED_FREE = 4                    /* III.21 frees a channel beyond the target, too: the target's first */
};
struct processors_hop {
    uint32_t half;
    int part;                           /* of the buffers at its far end; of the target's any class: none is taken */
};
struct processors_message {
    size_t way;                         /* its first hop */
    int hops, part;                     /* at least one; at its source */
    int host;                           /* those of one stand together, in order; all have as many */
    double due;
    bool circuit;
};
#define PROCESSORS_ENDLESS INT_MAX
struct processors_plan {                /* everything is the caller's */
    const struct wiring *w;
    struct processors_hop *hop;
    struct processors_message *message;
    size_t n;
    int hosts;
    int *room;                          /* by part, in buffers; PROCESSORS_ENDLESS */
    int parts, chain;                   /* no part has less room than a message takes */
    bool classes;                       /* CVP II; without circuits */
    double decide, length, ack, confirm, request, flit;
    unsigned printed;
    double *when;                       /* by message: when it came, of those that did; NULL: nobody asks */
    const struct tick *tick;
};
struct processors_wait {
    int node, part;                     /* buffers */
    int64_t half;                       /* or a channel that a circuit holds; -1 */
};
struct processors_outcome {
    double makespan, mean, late95, latest, wait;        /* of those that came; NAN: none did */
    double came, refused, refused_hosts, again;         /* again: lengths of what was refused over channels */
    double fairness;                    /* Jain's index of the hosts' rates: one over when their last came */
    double beyond;                      /* channels freed that their circuit did not hold */
    bool deadlock;                      /* not all came, and these wait in a circle */
    double when;                        /* of the last event that was no refusal */
    struct processors_wait *circle;     /* each waits for the next; NULL without deadlock */
    size_t ncircle;
};
int processors_run(struct processors_outcome *out, const struct processors_plan *p, struct err *err);
void processors_release(struct processors_outcome *o);
