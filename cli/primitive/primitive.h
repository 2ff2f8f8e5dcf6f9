/* primitive.h -- what the files of `metapath primitive` share: cmd_primitive.c has options, cases and rows,
 * primitive_place.c the network at hand. */
#pragma once

#include "cli/primitive/primitive_traffic.h"
#include "model/protocol/primitive.h"

enum delays { DELAYS_LATENCIES, DELAYS_UNIT, DELAYS_RANDOM };
struct request {
    struct options common;
    struct strings name;
    const char *origin, *target, *tree, *bytes, *decide, *cable_time, *line_rate, *every;
    double control, flit, ask;
    int repeat, runs;
    int text, delays;                   /* enum primitive_text, enum delays */
    bool no_back;
    struct primitive_traffic many;
    /* that, read */
    int64_t *size;
    size_t nsize;
    double r, cable, rate, apart;       /* seconds, bytes a second */
};

struct place {                          /* a network at hand */
    struct job *j;
    struct wire *wire;
    struct wiring w;
    double rate, least, wide;           /* of a unit link; the least latency; the most links' worth of a channel */
    bool *within;                       /* links of the tree, by rank; NULL: by breadth */
    struct routing routing;             /* with --routing */
    bool routed;
    int *origin, norigin;
    struct primitive_facts *facts;      /* by origin */
    struct primitive_scene s;           /* the first one's */
    /* Of messages of the first size that reach all nodes, by `reach` primitives: which one sends the fewest, and by which
     * one the last node has them first (of several the one that sends fewer). */
    int reach;
    const struct primitive *fewest, *soonest;
    double messages, soonest_messages, time;
};

/* To be released either way, if it was zeroed. */
int place_open(struct place *p, struct job *j, struct err *err);
void place_release(struct place *p);
/* The scene of the at-th origin, into a zeroed one; and its facts. */
int place_scene(struct primitive_scene *s, struct place *p, int at, struct err *err);
/* A routing is of one thread. */
int place_threads(const struct place *p);
struct primitive_how place_how(const struct place *p, const struct job *j, double bytes);
