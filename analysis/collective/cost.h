/* cost.h -- what messages cost: when a process that sends may go on, and when who receives has it. One file cost_NAME.c
 * per model. Asked in order of time: what holds a resource (a port, a bus, a link) has it from then on.
 * Units   seconds, bytes.
 * Source  Hockney 1994 (The communication challenge for MPP: Intel Paragon and Meiko CS-2); Culler and others 1993
 *         (LogP: towards a realistic model of parallel computation); Alexandrov and others 1995 (LogGP); Hoefler,
 *         Schneider and Lumsdaine 2010 (LogGOPSim); paper on reconfigurable MPI collectives, section 4, for bus and
 *         switch.
 * Errors  ERR_USAGE for a wrong spec; ERR_DOMAIN where a model needs a network and has none; ERR_MEMORY. */
#ifndef ANALYSIS_COLLECTIVE_COST_H
#define ANALYSIS_COLLECTIVE_COST_H

#include "graph/base/entry.h"
#include "model/process/placement.h"

struct spec;
struct cost_kind;
/* The network as it is, for models that ask for it. */
struct cost_network {
    struct net *net;
    const struct placement *placement;  /* of the processes */
    const char *routing;                /* spec; NULL: the usual one */
    double rate, cable, overhead;       /* bytes a second of a unit link; seconds a cable, and of a process a message */
};
struct cost {
    const struct cost_kind *kind;
    char *spec;                         /* canonical */
    int n;                              /* processes */
    double frame, header;               /* bytes of payload in a packet, and besides; frame 0: none */
    double *free;                       /* resources: when each is free; the kind's own numbering */
    size_t nfree;
    double a, b, o, g;                  /* as the kind has them */
    bool serial;
    void *state;                        /* the kind's own */
};
struct cost_kind {
    ENTRY;
    bool network;                       /* it needs one */
    bool steps;                         /* its time is in steps of one link, not seconds */
    bool shared;                        /* all messages go over one thing, one after the other: what `alone` says of
                                         * bytes holds for all of them together */
    bool apart;                         /* a send holds what is the sender's alone, and who takes what is his: the order
                                         * in which processes are asked does not matter */
    int (*open)(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err);
    void (*close)(struct cost *c);      /* of state; NULL: none */
    /* A message of process `from`, that is ready at *time: *time becomes when it may go on; returns when the message is
     * there. NAN with err. */
    double (*send)(struct cost *c, int from, int to, double bytes, double *time, struct err *err);
    /* Models whose messages change each other's way have these three instead of send. `letter` is the message's number,
     * the caller's own; *time becomes when the sender may go on. */
    int (*start)(struct cost *c, size_t letter, int from, int to, double bytes, double *time, struct err *err);
    /* When something happens next; INFINITY: nothing does. */
    double (*next)(const struct cost *c);
    /* Lets it happen: a letter that is there at that instant, SIZE_MAX: none. Asked until `next` is later. */
    int (*pass)(struct cost *c, size_t *letter, struct err *err);
    /* For bounds. What a process needs at least to send `bytes`, or to receive them, in however many messages, up to
     * when whoever receives the last has them: as of one message alone, between the nearest two. */
    double (*alone)(const struct cost *c, double bytes);
    /* Between the begins of two messages of `bytes` of one process, at the least. NULL: they may begin together. */
    double (*gap)(const struct cost *c, double bytes);
    /* When process `to`, ready at `time`, has taken what is there from `arrival` on. NULL: at once. */
    double (*take)(struct cost *c, int to, double bytes, double arrival, double time);
};
KIND_HEADER(cost, cost, struct cost_kind);

/* n processes; w may be NULL for models without a network. */
int cost_open(struct cost *c, const char *text, int n, const struct cost_network *w, struct err *err);
/* Nothing is held any more. */
void cost_begin(struct cost *c);
void cost_close(struct cost *c);                /* a zeroed struct is fine */

/* ---- for the models ---- */

/* Bytes on the wire, with headers. */
double cost_wire(const struct cost *c, double bytes);
/* A key's value in seconds ("5us"), or seconds a byte from a rate ("200Gb/s"). */
int cost_time(double *out, const struct cost *c, const struct spec *spec, const char *key, double missing,
              struct err *err);
int cost_rate(double *out, const struct cost *c, const struct spec *spec, const char *key, double missing,
              struct err *err);
/* frame and header, bytes. Resources, free at first. */
int cost_frames(struct cost *c, const struct spec *spec, struct err *err);
int cost_room(struct cost *c, size_t n, struct err *err);

#endif
