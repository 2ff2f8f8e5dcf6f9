/* agent.h -- sources that balance: Distributed Routing Balancing, as simulate.h describes it. An agent has what the
 * sources of one run know: by pair the metapath it has, and for each way what was last told of its waits.
 *   part   of a way: all of it, a step, a straight line; ways of a pair that have a part in common learn of it together
 *   trail  what a message under way has waited in each part of its way
 *   ack    a trail that is brought back; `early` where the message is still under way
 * Latency of a way: what it takes where nothing waits, and the waits of its parts.
 * Source  Franco, thesis on Distributed Routing Balancing, 4.7.2.4.1 (tables 4-1, 4-2) and 7.2.1.2 a.
 * Errors  ERR_MEMORY; those of routings. */
#pragma once

#include "analysis/simulate/finder.h"
#include "model/process/events.h"

enum { NONE = -1 };
#define AGENT_PARTS 12                  /* of a way; those behind count as the last */

struct agent_part {
    uint64_t key;
    double wait;                        /* ticks, as last told */
};
struct agent_way {
    double idle;                        /* ticks */
    int n, part[AGENT_PARTS];           /* of the pair's */
};
struct agent_pair {
    int at;                             /* configuration */
    double idle;                        /* ticks: of the first one's ways together, where nothing waits */
    struct agent_part *part;
    size_t npart, part_room;
    struct agent_way **way;             /* by configuration, then way; NULL: not asked for yet */
    size_t *nway;
    struct drb_past past;
};
struct agent_trail {
    int pair, n;                        /* parts so far */
    int leg, dim;                       /* of its last link */
    unsigned number;                    /* of the message */
    int node;                           /* where it waits since `since` */
    int64_t since;
    bool told;                          /* early */
    double wait[AGENT_PARTS];
};
struct agent_ack {
    int option, way;
    bool early;
    double sent;
    struct agent_trail trail;
    int next;                           /* of those that are free */
};
struct agent {
    struct finder *finder;
    const struct simulate_options *o;
    const struct fabric *f;
    int (*send)(void *arg, int from, int to, int ack, struct err *err);     /* a message, from router to router */
    void *arg;
    struct map pair_at;
    struct agent_pair *pair;
    size_t npair, pair_room;
    struct agent_trail *trail;          /* by message under way */
    size_t ntrail;
    struct agent_ack *ack;
    size_t nack, ack_room;
    int free_ack;
    struct events due;                  /* acks: 2 * ack; looks at what waits: 2 * message + 1 */
    double *share;
    size_t share_room;
    size_t among;                       /* ways that the last message had to choose among */
    bool counting;
    struct agent_sums {
        double messages, ways, changes, acks, early, back, brought, wait[SIMULATE_PARTS];
    } sum;
};
void agent_open(struct agent *a, struct finder *finder, const struct fabric *f, const struct simulate_options *o,
                int (*send)(void *arg, int from, int to, int ack, struct err *err), void *arg);
void agent_close(struct agent *a);                  /* a zeroed struct is fine */
/* The configuration and way that a message goes by. */
int agent_choose(struct agent *a, struct message *m, struct err *err);
/* The first flit of a message (by number) goes on over a link, for which it waited since `from`. */
int agent_goes(struct agent *a, const struct message *m, size_t index, int link, int64_t from, int64_t now,
               struct err *err);
/* It has come to a router: an early ack may be due there. */
int agent_waits(struct agent *a, const struct message *m, size_t index, int node, int64_t now, struct err *err);
/* It has come. */
int agent_came(struct agent *a, const struct message *m, size_t index, int64_t now, struct err *err);
/* An acknowledgement is back at its source; or was lost. */
int agent_acknowledged(struct agent *a, int ack, int64_t now, struct err *err);
void agent_drop(struct agent *a, int ack);
/* What is due by now, of messages under way. */
int agent_due(struct agent *a, const struct message *message, int64_t now, struct err *err);
