/* injector.h -- what sources send, and when (simulate.h): births of messages in order of time.
 * Units   ticks of the fabric; rates of the traffic at one load.
 * Errors  ERR_MEMORY. */
#pragma once

#include "analysis/simulate/finder.h"
#include "model/process/events.h"

struct injector_plan {                    /* a message of the plan: */
    int missing;                        /* what has not happened, of what it waits for */
    int lane;                           /* source of its own, or of one that it waits for at the same node */
    int first, next[2];                 /* what waits for it, 2 * message + which; and for what it waits for too; -1 */
    double ready, come;                 /* ticks; come NAN: not yet */
};
struct injector_phase {
    const struct traffic *traffic;
    double begin;                       /* ticks */
    int *source;                        /* of the traffic, by terminal, -1: none; NULL: there is one phase, and sources
                                         * are the traffic's */
    double **row;                       /* of matrices that are not even, by source (invariant: 0): shares added up, by
                                         * terminal */
};
struct injector {
    const struct traffic *traffic;      /* the first phase's */
    struct injector_phase *phase;
    size_t nphase;
    const struct simulate_options *o;
    const struct load *load;
    double tick;
    struct events births;               /* what: source; of a trace, message */
    struct rng rng;
    unsigned number;                    /* of births so far */
    struct injector_plan *plan;
    int *lane;                          /* node, by source of the plan */
    size_t nlane, coming;               /* messages of the plan that have not come */
};
/* begin: of the plan, in ticks. */
int injector_open(struct injector *s, const struct traffic *t, const struct load *load,
                  const struct simulate_options *o, double tick, double begin, uint64_t seed, struct err *err);
void injector_close(struct injector *s);                /* a zeroed struct is fine */
/* Sources that are not the plan's, and where one of them is. */
size_t injector_sources(const struct injector *s);
int injector_node(const struct injector *s, size_t source);
/* The tick of the next birth; INT64_MAX: there is none. */
int64_t injector_next(const struct injector *s);
/* That birth: its message, but for when. What follows it, of sources that are not closed, is put in. */
int injector_take(struct message *m, struct injector *s, struct err *err);
/* Messages of a trace that are still to be born; 0 of other sources. */
double injector_left(const struct injector *s);
/* A message of a closed source has come (or was taken out) at a time. */
int injector_again(struct injector *s, int sender, double time, struct err *err);
/* A message of the plan will have come then, or will have left its source. */
int injector_happens(struct injector *s, int planned, bool come, double time, struct err *err);
/* Messages per cycle of all sources: of closed ones, where a message takes its flits alone; not of a trace. */
double injector_rate(const struct traffic *t, const struct load *load, const struct simulate_options *o);
