/* cost.h -- what messages cost: when a process that sends may go on, and when the receiver has it. One file cost_NAME.c
 * per model. Asked in order of time: what holds a resource (a port, a bus, a link) has it from then on.
 * Units   seconds, bytes.
 * Errors of the wire  With `errors`, e a byte, a message is sent again until it comes through whole, on average
 *         1/(1 - e)^bytes times, headers counted: so many times its bytes are on the wire. These are expected values;
 *         answers to messages take nothing.
 * Source  Hockney 1994 (The communication challenge for MPP: Intel Paragon and Meiko CS-2); Culler and others 1993
 *         (LogP: towards a realistic model of parallel computation); Alexandrov and others 1995 (LogGP); Hoefler,
 *         Schneider and Lumsdaine 2010 (LogGOPSim); paper on reconfigurable MPI collectives, section 4, for bus and
 *         switch.
 * Errors  ERR_USAGE for a wrong spec; ERR_DOMAIN where a model needs a network and has none, and for messages that
 *         would be sent more than a million times; ERR_MEMORY. */
#pragma once

#include "graph/base/entry.h"
#include "model/process/placement.h"

struct execution;
struct schedule;
struct cost_kind;
/* The network as it is, for models that ask for it. */
struct cost_network {
    struct net *net;
    const struct placement *placement;  /* of the processes */
    const char *routing;                /* spec; NULL: the usual one */
    double rate, cable, overhead;       /* bytes a second of a unit link; seconds a cable, and of a process a message */
    bool rate_given, cable_given, overhead_given;       /* before what a model's keys of these names say */
    double length;                      /* seconds that a link's length of 1 adds to a cable; 0: lengths are nothing */
    uint64_t seed;                      /* of what is drawn; by `jobs` threads, 0: all, whatever they are the same */
    int jobs;
};
struct cost_message {                   /* that was taken */
    int from, to;
    double bytes, sent, arrival;        /* when its sender turned to it; it was there */
};
struct cost {
    const struct cost_kind *kind;
    char *spec;                         /* canonical */
    int n, root;                        /* processes; which the order of ranks begins with, set by cost_begin */
    double errors;                      /* probability that a byte is wrong */
    bool pieces;                        /* each piece goes as a message of its own */
    int ports;                          /* sends, and receives, of a process at once; 0: no limit */
    double frame, header;               /* bytes of payload in a packet, and besides; frame 0: none */
    double *free;                       /* resources: when each is free; the kind's own numbering */
    size_t nfree;
    double *carried;                    /* bytes on the wire by link, since cost_begin; NULL: there are no links */
    size_t ncarried;
    double hops;                        /* links crossed since; NAN */
    double a, b, o, g, cpu;             /* as the kind has them, and cost_alone and its neighbours */
    double before;                      /* of networks: what a message takes at least before and after its bytes pass */
    bool serial;
    bool copies;                        /* it makes copies for EVERYONE, by the kind's `copy` */
    bool whole;                         /* its time is that of whole schedules, by the kind's `whole` */
    double limit;                       /* an execution beyond it may be given up (execute.h); cost_open: INFINITY */
    void (*seen)(void *arg, const struct cost_message *m);     /* NULL, or told of every message of an execution */
    void *seen_arg;
    void *state;                        /* the kind's own */
};
struct cost_kind {
    ENTRY;
    bool network;                       /* it needs one */
    bool says;                          /* keys rate=, cable-time= and overhead= say what its links are like */
    bool steps;                         /* its time is in steps of one link, not seconds */
    bool shared;                        /* all messages go over one thing, one after the other: what `alone` says of
                                         * bytes holds for all of them together */
    bool apart;                         /* sends hold what is the sender's alone, receives the receiver's: the order
                                         * in which processes are asked does not matter */
    size_t room;                        /* bytes of state, all 0 when it is opened; 0: it takes its own, or none */
    int (*open)(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err);
    void (*close)(struct cost *c);      /* of what is in state; NULL: nothing */
    int (*begin)(struct cost *c, struct err *err);  /* nothing is under way any more; NULL: that is all in `free` */
    /* A message of process `from`, that is ready at *time: *time becomes when it may go on; returns when the message is
     * there. NAN with err. Here and in start, bytes are those on the wire. */
    double (*send)(struct cost *c, int from, int to, double bytes, double *time, struct err *err);
    /* A message to all other processes: arrival[0..n-1], that of `from` aside. */
    int (*copy)(struct cost *c, int from, double bytes, double *time, double *arrival, struct err *err);
    /* Models in which messages delay each other have these three instead of send. `letter` is the message's number,
     * the caller's own, free again when it was there; *time becomes when the sender may go on. */
    int (*start)(struct cost *c, size_t letter, int from, int to, double bytes, double *time, struct err *err);
    /* When something happens next; INFINITY: nothing does. */
    double (*next)(const struct cost *c);
    /* Lets it happen: a letter that is there at that instant, SIZE_MAX: none. Asked until `next` is later. */
    int (*pass)(struct cost *c, size_t *letter, struct err *err);
    /* Of a schedule executed as if nothing else were sent: x->time, validity as it is. ERR_DOMAIN
     * for one that it does not know. */
    int (*whole)(struct execution *x, struct cost *c, const struct schedule *s, const struct tick *t, struct err *err);
    /* Instead of all of these: executes the schedule itself, `combine` as of execute.h. */
    int (*execute)(struct execution *x, struct cost *c, const struct schedule *s, double combine, const struct tick *t,
                   struct err *err);
    /* For bounds. What a process needs at least to send `bytes`, or to receive them, in however many messages, up to
     * when whoever receives the last has them: as of one message alone, between the nearest two. */
    double (*alone)(const struct cost *c, double bytes);
    /* Between the begins of two messages of `bytes` of one process, at the least. */
    double (*gap)(const struct cost *c, double bytes);
    /* When process `to`, ready at `time`, has taken what is there from `arrival` on. NULL: at once. */
    double (*take)(struct cost *c, int to, double bytes, double arrival, double time);
};
KIND_HEADER(cost, cost, struct cost_kind);
extern const struct spec_key cost_keys[];       /* of every kind */

/* n processes; w may be NULL for models without a network. What keys rate=, cable-time= and overhead= of a model over
 * one say of it, but for what is given, *w has from then on: trees and bounds are to be of the same network. */
int cost_open(struct cost *c, const char *text, int n, struct cost_network *w, struct err *err);
/* Nothing is held any more. */
int cost_begin(struct cost *c, int root, struct err *err);
/* Bytes on the wire of a message, with headers and as often as it is sent. NAN with err. */
double cost_sent(const struct cost *c, double bytes, struct err *err);
void cost_close(struct cost *c);                /* a zeroed struct is fine */

/* ---- for the models ---- */

/* A key's value in seconds ("5us"), or seconds a byte from a rate ("200Gb/s"). */
int cost_time(double *out, const struct cost *c, const struct spec *spec, const char *key, double missing,
              struct err *err);
int cost_rate(double *out, const struct cost *c, const struct spec *spec, const char *key, double missing,
              struct err *err);
/* multicast=yes: it copies. */
int cost_copies(struct cost *c, const struct spec *spec, struct err *err);
/* Of one wire or several: a and rate (b), and where the kind has these keys frame and header, in bytes, multicast, and
 * latency=serial: a holds the wire too. */
#define COST_WIRE_KEYS                                                                                              \
    { "latency", "beside|serial", "a beside the next message's bytes, or before them (default: beside)" },          \
    { "frame", "BYTES", "of payload in a packet (default: a message is one)" },                                     \
    { "header", "BYTES", "of a packet besides (default: 0)" }
int cost_wired(struct cost *c, const struct spec *spec, struct err *err);
/* Of a kind: a, and b a byte on the wire, over all ports; a port has a message that long, and without `serial` no a. */
double cost_alone(const struct cost *c, double bytes);
double cost_gap(const struct cost *c, double bytes);
/* Of a kind: o, whatever the size. */
double cost_work(const struct cost *c, double bytes);
/* `ports`, from 1. n resources, free at first, and links. */
int cost_ports(struct cost *c, const struct spec *spec, struct err *err);
int cost_room(struct cost *c, size_t n, size_t links, struct err *err);
/* ports=K|all, 0: all, and blocking=yes|no into `serial`, as of broadcasts. */
int cost_how(struct cost *c, const struct spec *spec, struct err *err);
/* Most that the links of a process's node have together, out or in, in unit links. NAN with err. */
struct cycles_links;
double cost_width(const struct cycles_links *l, const struct placement *where, struct err *err);
/* Lengths of links times `unit`; of 0, there are none. */
void cost_lengths(struct cycles_links *l, double unit);
/* The port of process p that is free first, of those at `side`, 0 or 1, in c->free. */
double *cost_port(struct cost *c, int side, int p);
