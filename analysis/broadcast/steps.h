/* steps.h -- messages of processes, unit by unit, by the rules of broadcast.h, as they are posted, one by one. They are
 * tried in that order; a process sends its own in that order too.
 * Shapes  processes by rank relative to the root, each on a node of its own.
 * Errors  ERR_DOMAIN for narrow links, ERR_USAGE for a routing without single paths, ERR_NETWORK where there is none,
 *         ERR_MEMORY. */
#ifndef ANALYSIS_BROADCAST_STEPS_H
#define ANALYSIS_BROADCAST_STEPS_H

#include "analysis/broadcast/broadcast.h"
#include "analysis/broadcast/matching.h"
#include "graph/distance/trunks.h"

struct steps_message {              /* by order of trial */
    int *path;                      /* nodes; NULL before the message is its sender's next, and after arrival */
    int hops, at;                   /* hops of the path; where the message is along it */
    int from, to;                   /* ranks */
    int next;                       /* of its sender's; -1 */
};
struct steps_process {
    int first, last;                /* own messages that it has not begun to send; first -1: none */
    int waiting;                    /* on their way */
};
struct steps_crossing {
    int message;                    /* that goes on */
    int end[2];                     /* of its next link, noted while its path is at hand */
};
struct steps_reached {
    int rank, message;
};
struct steps {
    /* to be set before steps_open; all outlive it */
    const struct placement *where;
    int root;
    struct routing *routing;
    struct broadcast_how how;
    const struct broadcast_watch *watch;    /* NULL */

    struct steps_reached *reached;  /* in the last unit, by rank */
    int nreached;
    double hops;                    /* crossed by all */
    struct matching matching;       /* has the unit */
    struct steps_message *message;
    int nmessage;
    size_t room;
    struct steps_process *process;
    struct steps_crossing *crossed; /* in this unit */
    int ncrossed;
    struct trunks links;            /* of a network with switches; else empty */
    int *width;                     /* messages a unit of terminals, then of links; NULL: 1 each */
    struct route_path path;
};
/* Room for so many messages at first. */
int steps_open(struct steps *s, int nmessage, struct err *err);
void steps_release(struct steps *s);
/* Between units: rank `from` has a message to send; its number is s->nmessage - 1. */
int steps_post(struct steps *s, int from, int to, struct err *err);
/* The next unit. */
int steps_unit(struct steps *s, struct err *err);

#endif
