/* cycles.h -- broadcasts in cycles: messages that take links one after the other and wait for each other there. An exact
 * discrete-event simulation.
 * Shapes  message m = b * n + v goes to rank v of broadcast b, b < nstart; that of rank 0 stands for what the root has
 *         from the start.
 * Units   cycles.
 * Errors  ERR_DOMAIN for values out of range, ERR_MEMORY, ERR_STOPPED.
 * Source  Dally and Towles 2004, chapters 12 and 13, for how switchings hold links.
 *
 * A message of F flits over links l_1 .. l_n takes t_k = F/bandwidth over each, s over the slowest; tau is the hop
 * time, length_k that of a link. It asks for l_1 when its sender starts it; l_k it gets at g_k, first come first
 * served:
 *   cut-through  asks for the next at g_k + tau + length_k; its tail leaves l_k, which is free then, at
 *                e_k = max(g_k + t_k, e_{k-1} + tau + length_{k-1})
 *   store and forward  asks for the next at e_k + tau + length_k, e_k = g_k + t_k, when l_k is free
 *   wormhole, circuit  asks as cut-through does, and keeps what it has. Its tail leaves the last link at e_n = g_n + s
 *                (a circuit, which is answered first and then followed: and 2 (n tau + sum of lengths)), and l_k as
 *                many hop times and lengths earlier, but not before g_n
 * It is delivered at e_n + length_n. Where it waits for nothing that is what it takes in the models of latency. Links
 * are one-way; of cables in parallel it takes the first that is free. Neither sending nor receiving is a link: any
 * number of messages may arrive at a process at once.
 *
 * A process that has the message queues sends to its children, in order, first come first served over all broadcasts.
 * It has so many ports; a send takes one until its message is delivered (blocking), or has left the sender, at g_1 +
 * t_1 (of messages that hold links: + s).
 *
 * At one instant: deliveries and ports, one by one, by (sender's rank, child, broadcast), each starting what it lets
 * start; broadcasts that start; then waiting messages get links; then requests: for further links in the same order, for
 * first ones as they were started.
 *
 * Messages may be posted one by one instead (cycles_send): a process sends its own in the order in which they were
 * posted, and they are ordered by (sender's rank, number among its own).
 *
 * Messages that hold links may deadlock where paths close cycles: `stuck` counts those undelivered when no event is left. */
#pragma once

#include "analysis/broadcast/cycles_ways.h"
#include "model/contention/switching.h"
#include "model/process/events.h"

struct cycles_how {
    const struct switching *switching;
    double flits, hop_time;
    int ports;                      /* 0: no limit */
    bool blocking;
};
struct cycles_start {
    int root;                       /* index among the roots of the ways */
    double at;
};

/* A link that message m gets. */
struct cycles_grant {
    size_t message, hop;            /* hop: index into the arrays of ways */
    int link;
    double asked, now;              /* `now`: when the link is its own but for `background_wait` */
    double released;                /* by the last message of the run; -INFINITY: none has used it */
};
struct cycles_run;
/* Called as it happens; all may be NULL. */
struct cycles_hooks {
    /* Wait from `now` on for messages that are not of the run. */
    double (*background_wait)(void *arg, const struct cycles_run *r, const struct cycles_grant *g);
    /* A message has its link, from `now` on; and the instant at which it releases one, known beforehand: in no order of
     * time. */
    void (*granted)(void *arg, const struct cycles_run *r, const struct cycles_grant *g);
    void (*released)(void *arg, const struct cycles_run *r, size_t message, size_t hop, int link, double at);
    /* Broadcast b is complete: when its root starts it again; INFINITY: never. */
    double (*restart)(void *arg, const struct cycles_run *r, size_t b);
    void *arg;
};

struct cycles_message {
    double started, delivered;      /* started: asked for its first link. NAN: not yet */
    double waited;                  /* at links */
    int collisions;                 /* links that it waited at */
    int hop;                        /* links granted */
    int last;                       /* link granted last */
    int longest_hop;                /* of the longest wait; -1: it never waited */
    double longest;
    size_t longest_holder;          /* message that held the link then; SIZE_MAX: none of the run */
    /* the run's own */
    double asked, tail;             /* of the link at hand: asked for, left by the tail */
    size_t holder;                  /* message that held it when it was asked for */
    size_t next;                    /* in a queue */
    int served;                     /* children started; of a posted message: its sender's rank */
    double size;                    /* of a posted message, times the flits of `how`; else 1 */
    size_t way;                     /* of the ways' */
    uint64_t order;                 /* among messages, at one instant */
};
/* State of runs over the same ways; after a run it holds the result. */
struct cycles_run {
    const struct cycles_ways *ways;
    struct cycles_how how;
    const struct cycles_start *start;
    size_t nstart;
    struct cycles_message *message;     /* nstart * n */
    double *completion;                 /* by broadcast: when the last process received; of the last round */
    double last;                        /* when the last message of all was delivered */
    uint64_t nstarted;                  /* messages */
    size_t begun;                       /* broadcasts */
    size_t stuck;                       /* messages undelivered at the end */

    bool single;                    /* messages are posted one by one */
    size_t delivered;               /* message that the last step delivered */
    size_t room, held_room, in_flight, nheld;   /* of messages; of `held`; not yet delivered; in `held` */
    const struct cycles_hooks *hooks;
    int nprocess;
    int *left;                          /* by broadcast: ranks that have not received */
    struct cycles_process *process;
    struct cycles_link *link;
    struct cycles_queue *queue;         /* by trunk */
    double *slow;                       /* by way: time over its slowest link; NULL: `flits` */
    int *held;                          /* with parallel cables: links that messages have taken; */
    size_t *held_first;                 /* by broadcast: those of message m begin at held_first[b] + ways.first[way], */
    size_t held_most;                   /* and are no more than this */
    struct events events;
};

/* Of so many broadcasts, in any order; a run is quicker where their starts rise. ways and start outlive it. */
int cycles_run_open(struct cycles_run *r, const struct cycles_ways *ways, const struct cycles_how *how,
                    const struct cycles_start *start, size_t nstart, struct err *err);
void cycles_run_release(struct cycles_run *r);
/* From the start, any number of times; roots of `start` may change from run to run, and where a broadcast is started
 * again. hooks, tick: NULL, or outlive the call. */
int cycles_run(struct cycles_run *r, const struct cycles_hooks *hooks, const struct tick *tick, struct err *err);

/* For messages one by one, between so many processes: no start, and how->flits are the flits of a unit of size. `ways`
 * has n = 1, and grows. */
int cycles_run_open_single(struct cycles_run *r, const struct cycles_ways *ways, const struct cycles_how *how,
                           int nprocess, struct err *err);
/* Clears all messages. hooks: NULL, or outlive the steps. */
void cycles_begin(struct cycles_run *r, const struct cycles_hooks *hooks);
/* Process `from`, a rank, posts message m, a number that no other message in flight has, over way `way` at `now`, not
 * before the last step. */
int cycles_send(struct cycles_run *r, size_t m, size_t way, double size, int from, double now, struct err *err);
/* Time of the next step; INFINITY: there is none. */
double cycles_next(const struct cycles_run *r);
/* Does it; r->delivered. */
int cycles_step(struct cycles_run *r, struct err *err);

/* After a run in deadlock, the message that holds the link for which message m waits; SIZE_MAX: m does not wait. */
size_t cycles_waits_for(const struct cycles_run *r, size_t m);
/* A message on a cycle of cycles_waits_for, of a run in deadlock; SIZE_MAX: there is none. */
size_t cycles_deadlocked(const struct cycles_run *r);

static inline size_t cycles_broadcast(const struct cycles_run *r, size_t m)
{
    return m / (size_t)r->ways->n;
}
static inline int cycles_rank(const struct cycles_run *r, size_t m)
{
    return (int)(m % (size_t)r->ways->n);
}
/* The process that broadcasts it. */
static inline int cycles_root(const struct cycles_run *r, size_t m)
{
    return r->ways->root[r->start[cycles_broadcast(r, m)].root];
}
/* The way of a message: its links are ways->trunk[ways->first[w]] .. before ways->first[w + 1]. */
static inline size_t cycles_way(const struct cycles_run *r, size_t m)
{
    return (size_t)r->start[cycles_broadcast(r, m)].root * (size_t)r->ways->n + (size_t)cycles_rank(r, m);
}
/* The process that receives m, and the one that sends it (of rank 0: none, -1). */
int cycles_to(const struct cycles_run *r, size_t m);
int cycles_from(const struct cycles_run *r, size_t m);
/* Time of a message over a link, where none on its path is slower. */
static inline double cycles_time(const struct cycles_run *r, int link)
{
    const double *slowness = r->ways->links->slowness;

    return slowness ? r->how.flits * slowness[link] : r->how.flits;
}
