/* protocol.h -- processes as state machines that send each other messages over the links of a graph, on the event queue
 * of model/process.
 *
 * A link is two half-links, one at each end. Those of process p are first[p] .. first[p + 1] - 1, in the order of their
 * rank: links are ranked by (latency, smaller process, larger process), so that no two are alike and a minimum spanning
 * tree is unique (wide-area collectives, section 2.1).
 * Messages over a half-link arrive in the order in which they were sent. What a process cannot handle yet it keeps, and
 * handles once it has changed.
 * Service (none unless it is said): a process handles one message at a time, in order of arrival, and takes `decide` for
 * each, so that its answers leave when it is done; a half-link sends one message at a time, for latency + length /
 * bandwidth, and the next when the acknowledgement of the last is back, which leaves once that was handled. It is the
 * decision unit and the dispatchers of a communication processor (cvp, II.2). Nothing is kept for later then.
 * Units   as the latencies are given.
 * Errors  ERR_DOMAIN for latencies that are negative or no numbers, links from a process to itself or twice;
 *         ERR_MEMORY; ERR_STOPPED. */
#pragma once

#include "graph/numeric/rng.h"
#include "model/process/events.h"
#include "model/process/placement.h"

struct wire {                           /* of a wiring before it is made */
    int a, b;
    double latency, order;              /* order: what it is ranked by; 0: the latency */
    double bandwidth;                   /* 0: 1 */
};
struct wiring {
    int n;
    size_t m;                           /* links */
    size_t *first;                      /* n + 1 */
    int *to;                            /* 2 m, by half-link, as all that follow */
    uint32_t *twin;                     /* at the other end */
    uint32_t *rank;                     /* of the link, 0.. */
    double *latency, *order;            /* order: what ranks go by, the latency mostly */
    double *bandwidth;                  /* of a unit link */
    int *from;                          /* the process it belongs to */
    uint32_t *half;                     /* by rank, one of the two */
};
/* Processes of one node, `inside` apart and joined as widely as any, and of nodes that are joined: as late as the cable
 * that is the least, 1 where the network says no lengths (0 where it says rates); as wide as the widest of them. Where
 * there are switches all pairs, by the quickest ways, up to 4096 processes. Into an empty list, to be freed either way;
 * by their lesser processes. Links that are not as late both ways are half as late as both together, as a round trip
 * measures them. ERR_DOMAIN for networks with links of one way. */
double wires_hop(const struct net *net);
int wires_net(struct wire **wire, size_t *m, struct net *net, const struct placement *where, double inside,
              struct err *err);
/* The network's nodes themselves, switches too, each a process: cables of two nodes count as the best of them, each
 * `cable` late and `length` times its own length. Into an empty list, to be freed either way. */
int wires_nodes(struct wire **wire, size_t *m, struct net *net, double cable, double length, struct err *err);
double wiring_bytes(double links);
int wiring_open(struct wiring *w, int n, const struct wire *wire, size_t m, struct err *err);
void wiring_release(struct wiring *w);
/* For each half-link of w, the one between the same processes in another wiring of theirs; WIRING_NONE. */
int wiring_match(int64_t *out, const struct wiring *w, const struct wiring *other, struct err *err);

enum { WIRING_NONE = -1 };
struct message {
    int type;                           /* of the machine's */
    int level;
    uint32_t value;                     /* what it is about: a rank, mostly */
    uint32_t link;                      /* half-link at the receiver; in protocol_send at the sender */
};
#define PROTOCOL_HOST UINT32_MAX        /* link of an instruction that comes from the process's own host */
struct protocol_service {
    double decide;
    const double *length;               /* by type: what a link of bandwidth 1 takes */
    double ack;                         /* likewise, of an acknowledgement; NAN: half-links need none */
    uint32_t unheld;                    /* bits of types that pass the dispatchers by: over circuits */
};
struct protocol;
enum handled { HANDLED, NOT_YET, HANDLED_CHANGED };     /* CHANGED: what was kept may be handled now */
struct machine {
    const char *const *type;            /* names of messages */
    int ntype;
    int (*wake)(struct protocol *r, int p, struct err *err);
    /* enum handled; -1 with err */
    int (*on_message)(struct protocol *r, int p, const struct message *m, struct err *err);
};

enum { PROTOCOL_TYPES = 32 };
/* Every message as it is sent, is taken, or is put aside (`what`). */
struct protocol_watch {
    int (*message)(void *arg, const struct protocol *r, const struct message *m, int from, int to, int what,
                   struct err *err);
    void *arg;
};
enum { WATCH_SENT, WATCH_TAKEN, WATCH_KEPT };
struct protocol {
    const struct wiring *w;
    const struct machine *machine;
    void *state;                        /* the machine's */
    const struct protocol_watch *watch; /* NULL: none */
    const struct protocol_service *service;     /* NULL: none; to be set by protocol_serve */
    bool random;                        /* delays uniform in (0, 1], not the latencies */
    struct rng rng;

    double now;
    double since;                       /* when the message at hand was sent */
    double count[PROTOCOL_TYPES];       /* messages sent, by type */
    size_t ahead, peak;                 /* events in the queue; the most there were */
    size_t kept;                        /* put aside, and not taken: 0 in the end, where all is well */
    /* its own */
    struct events queue;
    struct letter *letter;
    size_t nletter, room, spare;
    struct kept *aside;                 /* by process */
    double *last;                       /* by half-link, with random delays: when the last one arrives */
    double *idle;                       /* by process, with service: when all that came is handled */
    struct dispatcher *dispatcher;      /* by half-link, with service */
    uint64_t sent;
};
/* seed 0: latencies are delays. */
int protocol_open(struct protocol *r, const struct wiring *w, const struct machine *machine, void *state, uint64_t seed,
                  struct err *err);
/* With service, before it runs; it outlives the run. */
int protocol_serve(struct protocol *r, const struct protocol_service *service, struct err *err);
/* An instruction to process p from its host, at a time that is not past; only with service. */
int protocol_post(struct protocol *r, int p, struct message m, double at, struct err *err);
/* Wakes every process at 0, and goes on until no message is left. */
int protocol_run(struct protocol *r, const struct tick *t, struct err *err);
int protocol_send(struct protocol *r, struct message m, struct err *err);
double protocol_messages(const struct protocol *r);
void protocol_release(struct protocol *r);
