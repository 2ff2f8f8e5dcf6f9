/* supply.h -- what sources send, and when (simulate.h): births of messages in order of time.
 * Units   ticks of the fabric; rates of the traffic at one load.
 * Errors  ERR_MEMORY. */
#ifndef ANALYSIS_SIMULATE_SUPPLY_H
#define ANALYSIS_SIMULATE_SUPPLY_H

#include "analysis/simulate/course.h"
#include "model/process/events.h"

struct supply_plan {                    /* a message of the plan: */
    int missing;                        /* what has not happened, of what it waits for */
    int lane;                           /* source of its own, or of one that it waits for at the same node */
    int first, next[2];                 /* who waits for it, 2 * message + which; and for what it waits for too; -1 */
    double ready, come;                 /* ticks; come NAN: not yet */
};
struct supply_phase {
    const struct traffic *traffic;
    double begin;                       /* ticks */
    int *source;                        /* of the traffic, by terminal, -1: none; NULL: there is one phase, and sources
                                         * are the traffic's */
    double **row;                       /* of matrices that are not even, by source (invariant: 0): shares added up, by
                                         * terminal */
};
struct supply {
    const struct traffic *traffic;      /* the first phase's */
    struct supply_phase *phase;
    size_t nphase;
    const struct simulate_options *o;
    const struct load *load;
    double tick;
    struct events births;               /* what: source; of a trace, message */
    struct rng rng;
    unsigned number;                    /* of births so far */
    struct supply_plan *plan;
    int *lane;                          /* node, by source of the plan */
    size_t nlane, coming;               /* messages of the plan that have not come */
};
int supply_open(struct supply *s, const struct traffic *t, const struct load *load, const struct simulate_options *o,
                double tick, double begin, uint64_t seed, struct err *err);         /* begin: of the plan */
void supply_close(struct supply *s);                /* a zeroed struct is fine */
/* Sources that are not the plan's, and where one of them is. */
size_t supply_sources(const struct supply *s);
int supply_node(const struct supply *s, size_t source);
/* The tick of the next birth; INT64_MAX: there is none. */
int64_t supply_next(const struct supply *s);
/* That birth: its message, but for when. What follows it, of sources that are not closed, is put in. */
int supply_take(struct message *m, struct supply *s, struct err *err);
/* Messages of a trace that are still to be born; 0 of other sources. */
double supply_left(const struct supply *s);
/* A message of a closed source has come (or was taken out) at a time. */
int supply_again(struct supply *s, int sender, double time, struct err *err);
/* A message of the plan will have come then, or will have left its source. */
int supply_happens(struct supply *s, int planned, bool come, double time, struct err *err);
/* Messages per cycle of all sources: of closed ones, where a message takes its flits alone; not of a trace. */
double supply_rate(const struct traffic *t, const struct load *load, const struct simulate_options *o);

#endif
