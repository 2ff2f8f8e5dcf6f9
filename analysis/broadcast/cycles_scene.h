/* cycles_scene.h -- one broadcast among a background (cycles_load.h): what its messages meet, hop by hop, and a run of
 * it drawn.
 * Units   cycles.
 * Errors  as cycles_load.h. */
#ifndef ANALYSIS_BROADCAST_CYCLES_SCENE_H
#define ANALYSIS_BROADCAST_CYCLES_SCENE_H

#include "analysis/broadcast/cycles_load.h"

/* How a link looks from a hop: the part of the time that the background holds it, as who comes over the hop's port
 * finds it, and as somebody from outside does. */
struct cycles_outlook {
    double held, outside;
};
struct cycles_scene {
    const struct cycles_background *b;
    const struct cycles_ways *ways;
    struct cycles_how how;
    struct cycles_start start;
    size_t first, nhop;         /* hops first .. first + nhop - 1 of the ways are the broadcast's: 0 .. nhop - 1 here */
    const struct cycles_ports *field[2];        /* undisturbed, and as the broadcast has left it */
    struct cycles_ports disturbed;
    struct cycles_outlook *outlook[2];  /* by hop */
    int64_t *port;              /* by hop: the port of its link that its message comes over: of a first link, from the
                                 * link over which its sender received. -1: none of the background's */
    double memory;              /* of the undisturbed state */
};
/* The first four members are given. */
int cycles_scene_open(struct cycles_scene *s, struct err *err);
void cycles_scene_release(struct cycles_scene *s);
/* The background as it is where its messages wait `others` more, by port. */
int cycles_scene_disturb(struct cycles_scene *s, const double *others, struct err *err);

struct cycles_tally {           /* sums over a few runs, one after the other */
    double *arrival, *squares;  /* by rank */
    double *wait;               /* by link: for the background */
    double *keeps, *comes;      /* by hop: how long a link is held, and waited for; NULL: not asked, nor what follows */
    double busy, crowd;         /* messages under way, and their square, over time */
    int deadlocks;
};
struct cycles_place {           /* a thread's own */
    const struct cycles_scene *scene;
    struct cycles_run run;
    struct rng rng;
    double *clock, *ring;       /* by port: when it is known to have been away; of one link */
    uint32_t *drawn, draw;      /* by link: the draw that its clocks are of */
    bool *late;                 /* by rank: its message finds what the broadcast has left, */
    bool *behind;               /* got its last link from one of the background */
    double *got;                /* by hop */
    double *times;              /* two by rank */
    struct cycles_tally *tally;
};
int cycles_place_open(struct cycles_place *d, const struct cycles_scene *s, struct err *err);
void cycles_place_release(struct cycles_place *d);
/* A run with the random numbers of `seed`; *completion: NAN where its messages block each other for good. */
int cycles_draw(double *completion, struct cycles_place *d, struct cycles_tally *tally, uint64_t seed,
                const struct tick *tick, struct err *err);

#endif
