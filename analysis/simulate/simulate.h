/* simulate.h -- the functional simulator: messages that move flit by flit over the network, with the routing, traffic,
 * classes and links that the models are given, and nothing of their assumptions.
 *
 * Network  a link passes one flit a cycle (as fast as its bandwidth), which is `hop_time` cycles on its way, the
 *          router's time and the link's length; at its far end every virtual channel has a buffer of so many flits.
 *          What leaves a buffer gives its place back by a credit: the place is used again `credit_loop` cycles after
 *          the flit before was sent, as soon as can be (hop time, router time and length, and a cycle) where none is
 *          said; then a channel has places for what the loop keeps under way, if its buffer has fewer. The longest link's
 *          loop is that of all.
 * Router   a message's first flit asks for a channel of its class on its next link, and in the same cycle for a turn of
 *          the crossbar (speculation). Separable allocators: every link gives its free channels, and every output a
 *          turn, to one of those that ask; every input takes one of those it was given. `allocator` says which: round
 *          robin with pointers that move when a turn is taken (islip, so many times a cycle), the oldest message, or
 *          the channel (source and destination) that was served the longest ago. Without speedup an input passes on a
 *          flit a cycle. Where messages are not interleaved a link stays with one while flits of it are in the buffer.
 *          A channel is free when the last flit was sent over it; where messages are adaptive, when its buffer is empty
 *          too, as Duato's condition asks.
 * Switching  wormhole and virtual-channel: a flit goes when it has a place. cut-through and store-and-forward have
 *          channels and buffers without limit: a link serves messages first come, first served; with buffers that
 *          are given (virtual-channel alone knows of them) they need places for a whole message.
 * Routing  hop by hop with the shares that the routing gives, each message by itself; adaptive ones take the hop with
 *          the most credits of those with a free channel, or the escape's; ugal compares credits where it is sent;
 *          drb takes the ways that its source has open (struct simulate_balance).
 * Sources  open (Poisson, or one cycle after the other: bernoulli), periodic (a random phase each), closed (an
 *          exponential time after the last message came), or a trace.
 * Latency  from a message's birth to its last flit's arrival, as latency.h counts it: a flit sent at t over the last
 *          link has arrived at t + 1 + length. Network latency: from the cycle in which its first flit is sent.
 *
 * Every run depends on its seed alone: replication r of a seed is the same whatever the number of threads.
 * Units   cycles of a unit link, flits.
 * Memory  a hundred bytes a channel of a link and a message under way or waiting, 5 MB of records a replication
 *         (record.h): forecast for all; messages that wait at sources without end until memory is.
 * Source  Dally and Towles 2004 (Principles and Practices of Interconnection Networks), chapters 13, 16 to 19 and 23;
 *         N. McKeown, "The iSLIP scheduling algorithm for input-queued switches", IEEE/ACM Transactions on Networking
 *         7(2), 1999; measures: K. P. White, "An effective truncation heuristic for bias reduction in simulation
 *         output", Simulation 69(6), 1997.
 * Errors  ERR_DOMAIN for what cannot be simulated so: circuits, hop time below a cycle, fewer channels or buffers than
 *         needed; those of routings and classes; ERR_MEMORY, ERR_STOPPED. */
#pragma once

#include "analysis/latency/collide.h"
#include "analysis/simulate/record.h"

enum simulate_source { SOURCE_OPEN, SOURCE_BERNOULLI, SOURCE_PERIODIC, SOURCE_CLOSED, SOURCE_TRACE };
enum simulate_allocator { ALLOCATE_ISLIP, ALLOCATE_AGE, ALLOCATE_CHANNEL };
struct simulate_mix {                   /* messages of so many flits */
    double flits, share;                /* shares sum to 1 */
};
struct simulate_message {               /* of a trace */
    double time;
    int source, target;                 /* nodes, different */
    double flits;
};
struct simulate_arrival {
    int source, target;                 /* nodes */
    unsigned number;                    /* of the births of the run, from 0; of a trace: which message */
    double born, started, arrived;      /* cycles; started: its first flit was sent */
};
/* A message of a plan: what a program sends, in which order. It enters its source's queue in the cycle in which all
 * that it waits for has happened. Plans take no links of terminals (cycles.h): they begin and end at routers. */
struct simulate_planned {
    int source, target;                 /* nodes, different */
    double flits;
    int after[2];                       /* messages of the plan that come before it; -1: none */
    bool come[2];                       /* that one has come, its last flit too; else all of it has left its source */
};
/* Sources that balance (drb): a message gathers the time that its first flit waits for links (at its source from when it
 * is the first in the queue), and an acknowledgement brings it back. The source takes it for what that way takes now,
 * decides on the metapath of the pair (drb_rule.h), and gives each message that comes to the queue's head a way. Each
 * pair decides for itself. */
enum simulate_ack {
    ACK_IDEAL,                          /* at once, outside of the network */
    ACK_BAND,                           /* a message of `flits`, straight back over the same links */
    ACK_PRIORITY,                       /* the same; routers serve it before all others */
    ACK_RESERVED                        /* on channels of their own, which have `share` of the ticks of each link */
};
enum simulate_parts {                   /* waits are told for: */
    PARTS_TOTAL,                        /* the way as a whole */
    PARTS_STEP,                         /* every step between intermediate destinations: other ways with it learn too */
    PARTS_DIMENSION                     /* every straight line within these */
};
struct simulate_balance {
    enum simulate_ack ack;
    enum simulate_parts parts;
    double flits, share;
    double delay;                       /* cycles until the source has it, besides */
    double early;                       /* one more as soon as a message has waited that long, which may open ways, does
                                         * not close any, and says nothing of shares; NAN: none */
};
struct simulate_change {                /* of the traffic, within a run */
    double at;                          /* cycle, ascending, above 0 */
    const struct traffic *traffic;      /* on the same network; outlives the simulation */
};
struct simulate_options {
    const struct switching *switching;
    struct router router;               /* vcs 0: what the switching means */
    double hop_time, flits;             /* at least 1; of a message (of streams with times of their own, these) */
    const struct simulate_mix *mix;     /* NULL: all of `flits` */
    size_t nmix;
    bool header;                        /* a flit more for every destination, intermediate ones too, taken off there; the
                                         * last one is delivered and not counted */
    struct simulate_balance balance;
    bool order;                         /* what it takes to keep messages of a pair in order is wanted */
    enum simulate_source source;
    const struct simulate_message *trace;       /* ascending by time */
    size_t ntrace;
    const struct simulate_planned *plan;        /* begins when the warm-up that is said ends, else at once; or NULL */
    size_t nplan;                       /* a run ends when all of them have come, or `cycles` are over. With an interval
                                         * of INFINITY there is nothing beside them */
    const struct simulate_change *change;       /* not of traces. Each traffic, and the first, has one source for a
                                                 * terminal at most; a terminal begins anew with each. Nothing is said
                                                 * of sources one by one; routings that choose by the traffic know the
                                                 * first */
    size_t nchange;
    const char *classes;                /* scheme; NULL: router.classes, which are datelines where dimension order goes
                                         * round rings, else are left out */
    bool terminals;                     /* as in flows_options */
    enum simulate_allocator allocator;
    int iterations;                     /* of islip */
    double queue;                       /* messages that may wait at a source before the one it sends; INFINITY */
    bool drain;                         /* a message of a deadlock is taken out; else the run ends */
    double look;                        /* cycles from one search for deadlocks to the next; 0: 2,048 ticks. Where
                                         * nothing moves any more there is one at once */
    double warmup;                      /* cycles that are not counted; NAN: found (record.h) */
    double cycles;                      /* that are counted; NAN: as many as SIMULATE_MESSAGES take, 10^4 at least and
                                         * 10^6 at most. With a warm-up that is found, of warm-up and counted both */
    double max_cycles;                  /* of all replications together, with `precision` */
    int replications;
    double precision;                   /* relative half-width of the interval of 95 % of the mean, of a plan its
                                         * completion's: at least 5 and `replications`, and as many more as it takes; 0:
                                         * `replications` */
    bool links;                         /* what links do is wanted */
    void (*arrived)(void *arg, const struct simulate_arrival *at);     /* of every message, when it is delivered; NULL.
                                         * For one replication: several call it at once */
    void *arg;
    uint64_t seed;
    int jobs;
    const struct tick *tick;
};
#define SIMULATE_MESSAGES 3e4
#define SIMULATE_LEAST 100              /* messages */
#define SIMULATE_LATENCIES 20           /* mean latencies in a run */
#define SIMULATE_WIDE 0.2               /* relative half-width of an interval that says little */
extern const struct simulate_options simulate_usual;

struct simulate_wait {                  /* of a cycle of messages: */
    int source, target;                 /* of the message */
    size_t holds, wants;                /* links: that the one before waits for; that the next one has */
    int channel;                        /* of `wants` */
};
struct simulate_link {
    int from, to;                       /* as flows_options.terminals: to -1: out of the network; from -1: into it */
    int cable;                          /* of several between two nodes, from 1; 0: it is the only one */
    double busy;                        /* part of the time that it transmits */
    double wait;                        /* mean cycles that a message's first flit waits for it */
    double rate;                        /* messages per cycle */
};
struct simulate_order {                 /* of messages that count: at the destination each waits for all that were sent to
                                         * it by its source before */
    double late;                        /* part that had to wait */
    double wait;                        /* cycles, mean over all */
    double flits;                       /* most that waited at a terminal at a time */
};
#define SIMULATE_PARTS 6
struct simulate_balanced {              /* of sources that balance, of the part that counts: */
    double ways;                        /* mean that a message could be given */
    double changes;                     /* of a metapath, per message */
    double ack;                         /* cycles from a message's arrival to its acknowledgement's, mean */
    double acks, early;                 /* acknowledgements per message; of these early ones */
    double wait[SIMULATE_PARTS];        /* mean of all messages by step, or by dimension, the first first */
};
struct simulate_result {
    int replications;
    double warmup, cycles;              /* the largest, and all that were counted */
    bool steady;                        /* in all replications: else warm-up has no end, or sources fall behind */
    bool precise;                       /* `precision` was reached; where none was asked for, SIMULATE_WIDE */
    bool brief;                         /* the runs: fewer messages came than anything can be said of, or, where there is
                                         * a steady state, fewer latencies one after the other (not of a trace) */
    /* Where the warm-up is found, by_source and what is of sources and links, hops, and the counts but `delivered` are
     * of the last three quarters of each run, whatever the warm-up was. Means over replications, with the half-width of
     * the interval of 95 % (Student); NAN where there is one only. */
    double mean, mean_half, network, network_half;      /* packet latency and network latency of messages */
    double by_source;                   /* packet latency, mean over sources, each counting once (latency.h) */
    double hops;                        /* mean links of the network that a message crossed */
    struct record_summary all;          /* of all messages: deviation, quantiles, maximum; with a plan of the first
                                         * replication's */
    double offered, accepted;           /* flits per cycle and terminal that sends: born, and arrived */
    double accepted_half;
    double born, rejected, delivered, drained;  /* messages, of the part that is counted */
    double left;                        /* messages that had not come when the runs ended */
    double ended;                       /* the cycle in which the longest run did */
    double flit_hops;                   /* of all the runs, warm-up too */
    struct simulate_order order;        /* where it was wanted; of all runs together, `flits` of the worst */
    struct simulate_balanced balanced;  /* NAN where sources do not */
    double deadlocks;                   /* found */
    double deadlock_at;                 /* cycle of the first; NAN */
    struct simulate_wait *cycle;        /* of the first replication that has one */
    size_t ncycle;
    double *source_mean, *source_many;  /* by source of the traffic: packet latency, messages counted */
    size_t nsource;
    struct simulate_link *link;         /* where wanted: links of the network, then out of it, then into it */
    size_t nlink;
    /* The plan, which is in none of the above but links: cycles since it began, of the runs in which all of it came. */
    double plan_completion, plan_half, plan_deviation;  /* when the last message had come; NAN: none of the runs */
    int plan_runs;
    double *plan_arrival;               /* by message, mean */
    struct record record;               /* windows of time; of a warm-up that is said none */
    int windows;                        /* replications that they are of: of those that are as long as the first, all,
                                         * where a warm-up is said and the same time counts in each; else the first */
    double tick;                        /* cycles that its unit of time is */
};
void simulate_result_release(struct simulate_result *r);

struct simulation;
/* `routing` is a spec of a routing, or of adaptive, ugal or drb. The traffic outlives it. */
int simulate_open(struct simulation **out, struct net *net, const struct traffic *traffic, const char *routing,
                  const struct simulate_options *o, struct err *err);
void simulate_close(struct simulation *s);          /* NULL is fine */
/* One load, as struct load has it (of a trace: its factor is left out). */
int simulate_run(struct simulate_result *out, struct simulation *s, const struct load *load, struct err *err);
/* Canonical spec of its routing; what there is to say of the run (classes that are not enough), or "". */
const char *simulate_routing(const struct simulation *s);
const char *simulate_note(const struct simulation *s);
/* "1.2>1.3", as flows_link_label. To be freed; NULL: memory. */
char *simulate_link_label(const struct simulation *s, size_t link);
