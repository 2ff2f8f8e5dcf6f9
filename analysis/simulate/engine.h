/* engine.h -- a run: what moves over a fabric, tick by tick.
 *   channel   of a link, its buffer at the far end: messages with flits that are or will be there, in a queue; that of
 *             the first goes on over a channel of the next link, `out`. Behind all of these one for each source, then
 *             for those of the plan: what it sends. Where there is no limit, channels are made as messages come.
 *   flits     are counted, not kept: those of a message follow each other in a channel
 *   wheel     what is on its way: flits and credits by the tick in which they are there
 *   heads     channels with a message that asks for one of the next link's; `ready` ones can send
 * In a tick: messages are born; flits and credits come; then router by router channels are given, and turns. Nothing is
 * looked at where nothing may happen; where nobody can send, time goes on to what comes or is born next. Where sources
 * send whatever the network does, a run ends when more than engine_most messages are alive.
 * Source  input-queued routers with speculation: Peh and Dally 2001; Dally and Towles 2004, chapter 16. */
#pragma once

#include "analysis/simulate/agent.h"
#include "analysis/simulate/sequence.h"
#include "analysis/simulate/injector.h"

enum { GONE = -2 };          /* a channel's `out`: not yet; the message has come where it goes */

struct channel {                        /* what a flit touches, a line of the cache: */
    int first, receiving, due;          /* messages: the first; the one that comes next, and how many of its flits */
    int here, left;                     /* flits of the first: that are here; that have not gone on */
    int out;                            /* where it goes on */
    int want;                           /* the link that it asks for, or goes on over */
    int next;                           /* channel that waits for the same link */
    int places, owner;                  /* as its sender sees it: places that are free; the channel that has it */
    int router, at;                     /* for good: where it ends; its bit, of all routers */
    int input, link;                    /* the input of the crossbar, of all; its own link (of sources: NONE) */
    uint16_t lo, hi, turn;              /* of the link that it asks for: channels; the one looked at first, behind lo */
    bool fresh;                         /* no flit of the first has gone on */
    uint8_t output;                     /* of `want`, modulo 32 */
};
struct behind {                         /* what a message touches: */
    int rest, last;                     /* messages behind the first */
    int mark;                           /* that its first will carry on the link it asks for */
};
struct lane {                           /* a link, as a run uses it */
    int used;                           /* flits sent without a credit back; no limit: that wait */
    int waiting, last;                  /* channels that wait for one of its own; no limit: for itself, to the last */
    int held;                           /* the channel that it stays with */
    int turn, head_turn;                /* the input, the bit that is looked at first */
    int delay, back;                    /* until a flit is there; until its credit is, once it has gone on */
    int output;                           /* of its router */
    int64_t sent;
    double waited, came;                /* ticks that first flits waited; messages */
};
struct input {                          /* of a crossbar: the output, the channel looked at first */
    int turn, channel;
};
struct slot {
    int *item;
    size_t n, room;
};
struct request {
    int input, output, link, channel;     /* the input as in struct channel */
    int64_t rank, born;                 /* the least goes first, of several the oldest; islip: of heads alone */
    bool urgent;                        /* before all that are not */
};
struct engine_sums {                    /* what was counted */
    double *source_sum, *source_many;   /* by source */
    uint64_t flit_hops;
    double hops, born, rejected, drained, deadlocks;
    int64_t deadlock_at;                /* -1: none */
    struct simulate_wait *cycle;        /* of the first */
    size_t ncycle;
    bool full;                          /* the run ended with as many messages as may be alive */
    double left;                        /* messages that have not come at the end, those of a trace unborn among them */
};
struct engine {
    const struct fabric *f;
    const struct simulate_options *o;
    struct finder *finder;
    struct injector *injector;
    struct record *record;
    struct agent agent;                 /* of sources that balance */
    struct sequence sequence;           /* where it is wanted */
    struct rng rng;
    int64_t now, end, begin, counted;   /* ticks; from when on `record` is kept, and links and sources are counted */

    struct channel *channel;
    struct channel *room;
    struct behind *behind;
    struct channel *place;
    size_t nchannel, nsource, channel_room;
    size_t acks;                        /* the first of those that acknowledgements are sent by, one a node */
    int spare;                          /* where there is no limit: those that are free again */
    struct message *message;
    size_t nmessage, message_room, alive;
    int gone;                           /* messages that are */

    struct slot *flits, *credits;       /* wheels: channels; of flits twice that, and 1 for a message's first */
    size_t wheel;                       /* slots, a power of two */
    uint64_t *due;                      /* slots with something in them */
    double most;                        /* messages that may be alive; INFINITY */
    bool plain;                         /* round robin alone decides which goes first */
    bool wide;                          /* too large for a cache */
    int back;                           /* of every link; 0: they differ */
    bool looks;                         /* the routing asks what is used */
    int64_t quiet;                      /* with no message alive: when nothing is on its way any more */
    bool counting;

    size_t *word;                       /* by router, and one more: its words of the next two */
    uint64_t *ready, *heads;
    int *channel_at;                    /* by bit */
    uint64_t *late;                     /* by word: channels of acknowledgements, where they have ticks of their own */
    uint64_t *active;                   /* routers that have any; where there is no limit: links */
    int *active_next;                   /* routers of a tick */
    struct lane *lane;                  /* by link */
    int64_t *free_at;                   /* by link, in 1/FABRIC_ONE ticks, where links differ */

    /* allocation */
    int *input_first;                   /* by router, and one more */
    struct input *input;                /* by input */
    struct request *request;
    int *asking, *given, *touched, *taken, *inputs;
    int64_t *input_done, *output_done, turns;   /* of a router's inputs and outputs, as `given` and `taken` are */
    struct map served_at;               /* by link and pair: when it was served last, in `served` */
    int64_t *served;
    size_t nserved, served_room;
    struct finder_hop *hop;

    struct engine_sums sum;
    int64_t checked, moved;             /* ticks: deadlocks were looked for; a flit was sent */
};
struct engine_setup {
    struct finder *finder;
    struct injector *injector;
    struct record *record;
    const struct simulate_options *o;
    int64_t end, begin, counted;        /* as in struct engine */
    uint64_t seed;
};
int engine_open(struct engine *e, const struct fabric *f, const struct engine_setup *s, struct err *err);
/* To `end`, or a deadlock that is not to be drained; *stop is looked at now and then, and `tick` asked (NULL: another
 * thread does). */
int engine_run(struct engine *e, const int *stop, const struct tick *tick, struct err *err);
void engine_close(struct engine *e);                /* a zeroed struct is fine */
double engine_bytes(const struct fabric *f, size_t nsource);
/* Messages of open sources that may be alive at a time: more than any steady state has. */
static inline double engine_most(size_t nsource)
{
    return 1e6 + 100 * (double)nsource;
}
/* Whether a message is one that the run is about. */
static inline bool engine_counts(const struct message *m)
{
    return m->planned < 0 && m->ack < 0;
}

/* ---- its parts ---- */
/* A message is gone: its place is free. */
static inline void engine_forget(struct engine *e, int message)
{
    e->message[message].next = e->gone;
    e->gone = message;
    if (--e->alive == 0)
        e->quiet = e->now + (int64_t)e->wheel;
}
/* engine_give.c: channels and turns at routers; what that sends. */
int engine_give(struct engine *e, struct err *err);
int engine_serve(struct engine *e, int link, struct err *err);         /* no limit */
int engine_first(struct engine *e, int channel, struct err *err);       /* a first flit goes on */
int engine_head(struct engine *e, int channel, struct err *err);       /* its first message has begun to come */
int engine_next(struct engine *e, int channel, struct err *err);       /* its first message has left */
void engine_wake(struct engine *e, int link);
void engine_range(struct engine *e, int channel, int mark, int link);          /* lo and hi */
int engine_used(const void *engine, int link);          /* as finder_begin asks */
int engine_arrived(struct engine *e, int channel, struct err *err);    /* its first message, as a whole, at its end */
int engine_left(struct engine *e, int channel, struct err *err);       /* of a plan: its first's last flit goes on */
static inline int engine_put(struct engine *e, struct slot *wheel, int64_t at, int item, struct err *err)
{
    struct slot *s = &wheel[(size_t)at & (e->wheel - 1)];

    if (s->n == s->room && GROW(&s->room, s->n + 1, "what is on its way", err, GROWN(s->item)) < 0)
        return -1;
    e->due[((size_t)at & (e->wheel - 1)) / 64] |= 1ull << ((size_t)at & (e->wheel - 1) & 63);
    s->item[s->n++] = item;
    return 0;
}
/* A place of the channel's buffer is free again. */
static inline int engine_credit_back(struct engine *e, int channel, struct err *err)
{
    const int link = e->channel[channel].link;

    return link < 0 || e->f->unlimited ? 0 :
        engine_put(e, e->credits, e->now + (e->back ? e->back : e->lane[link].back), channel, err);
}
static inline void engine_ready(struct engine *e, int channel, bool is)
{
    const struct channel *p = &e->channel[channel];
    const size_t word = (size_t)p->at / 64;
    const uint64_t bit = 1ull << (p->at & 63);

    if (is) {
        e->ready[word] |= bit;
        e->active[p->router / 64] |= 1ull << (p->router & 63);
    } else {
        e->ready[word] &= ~bit;
    }
}
/* Nothing moves any more, though somebody waits: longer than anything is on its way. */
static inline bool engine_still(const struct engine *e)
{
    return e->alive > 0 && e->now - e->moved > 16 + (int64_t)e->wheel;
}
/* engine_stuck.c: looks for messages that wait for each other for good; *stuck: there are, and they are not drained. */
int engine_stuck(struct engine *e, bool *stuck, struct err *err);
