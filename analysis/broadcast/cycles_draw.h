/* cycles_draw.h -- draws of one broadcast under a background (cycles_load.h): what its messages meet at each hop, the same
 * for all draws, and one run with random numbers of its own.
 * Units   cycles.
 * Errors  as cycles_load.h. */
#pragma once

#include "analysis/broadcast/cycles_load.h"

/* Part of the time that the background holds the link of a hop, as seen by a message that comes over the hop's port,
 * and by one from outside. */
struct cycles_occupancy {
    double from_port, from_outside;
};
struct cycles_met {
    const struct cycles_background *b;
    const struct cycles_ways *ways;
    struct cycles_how how;
    struct cycles_start start;
    size_t first, nhop;         /* hops first .. first + nhop - 1 of the ways are the broadcast's: 0 .. nhop - 1 here */
    const struct cycles_ports *ports[2];        /* undisturbed, and as the broadcast has left it */
    struct cycles_ports disturbed;
    struct cycles_occupancy *occupancy[2];  /* by hop */
    int64_t *port;              /* by hop: the port of its link over which the message comes; of a first link, the port
                                 * from the link over which its sender received. -1: none of the background's */
    bool blocks;                /* messages of both hold their links, and the turns of all close a cycle of links */
    double memory;              /* time constant with which the undisturbed state is lost */
};
/* The first four members are given. */
int cycles_met_open(struct cycles_met *s, struct err *err);
void cycles_met_release(struct cycles_met *s);
/* The background as it is where its messages wait `others` more, by port. */
int cycles_met_disturb(struct cycles_met *s, const double *others, struct err *err);

struct cycles_tally {           /* sums over a few runs, one after the other */
    double *arrival, *squares;  /* by rank */
    double *wait;               /* by link: for the background */
    double *hop_held, *hop_waited;      /* by hop: time that its link is held, and is waited for; NULL: not asked, nor
                                         * what follows */
    double in_flight, squares_in_flight;    /* integral over time of the messages under way, and of their square */
    int deadlocks;
};
struct cycles_sampler {           /* one thread's */
    const struct cycles_met *met;
    struct cycles_run run;
    struct rng rng;
    double *idle_since;         /* by port: the last instant at which it is known not to have used or wanted its link */
    double *arrival_at;         /* by port of one link: its next arrival */
    uint32_t *drawn, draw;      /* by link: the draw that its idle_since belong to */
    bool *disturbed;            /* by rank: its message finds the background as the broadcast has left it, */
    bool *was_queued;           /* and waited for the background at its last link */
    double *got;                /* by hop: when its link was granted */
    double *times;              /* two by rank */
    struct cycles_tally *tally;
};
int cycles_sampler_open(struct cycles_sampler *d, const struct cycles_met *s, struct err *err);
void cycles_sampler_release(struct cycles_sampler *d);
/* A run with the random numbers of `seed`; *completion: NAN where its messages block each other for good. */
int cycles_draw(double *completion, struct cycles_sampler *d, struct cycles_tally *tally, uint64_t seed,
                const struct tick *tick, struct err *err);
