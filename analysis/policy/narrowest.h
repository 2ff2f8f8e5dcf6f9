/* narrowest.h -- the narrowest metapaths with which a traffic reaches a target, each source choosing its own among
 * those offered: exact where `guide` (guide.h) gives all the same. Width is the number of different ways, mean over
 * pairs of source and target. Two targets:
 *   capacity  every link transmits at most all the time at the load, for the best shares of the ways (split.h): an
 *             integer program, minimise sum of widths over binary choices, shares of the ways of what is chosen, the
 *             load of each link at most 1;
 *   latency   the mean, or the worst, of the collision model stays below a limit, shares being as the routings say.
 *             No program knows that; assignments are tried in the order of their width (of equals, those that differ
 *             from the narrowest in earlier sources first), so that the first which will do is narrowest.
 *             NARROWEST_TRIES at most.
 * Metapaths that give a source the same ways count once.
 * Integer programs in which many sources are alike can take long even so.
 * Errors  ERR_DOMAIN for more sources, metapaths and ways than below; those of latency.h, split.h. */
#pragma once

#include "analysis/policy/guide.h"

#define NARROWEST_TRIES 2000
#define NARROWEST_CHOICES 1000      /* of latency; sources times metapaths */
#define NARROWEST_BINARIES 200      /* the same, of capacity */
#define NARROWEST_COLUMNS 5000      /* ways, of capacity */

struct narrowest {
    bool found;
    bool every;                 /* not found: no assignment will do; else only those tried will not */
    size_t tries;               /* assignments that were tried */
    double ways;                /* of a pair, mean; not found: no assignment narrower than this will do */
    size_t nsource;
    int *at;                    /* by source: which of those offered */
    double *width;              /* by source: ways of a pair, mean */
    size_t noffer, *count;      /* by what is offered: sources that take it, unfolded */
    double hops, busy;          /* mean length; what the fullest link transmits of the time, as for
                                     * capacity_interval */
    double capacity_interval;   /* with the best shares, or those that the routing begins with; NAN: intervals of
                                     * their own */
    struct latency_summary summary;
    struct err why;             /* found, but the collision model has no solution; ERR_NONE: it has */
    struct latency_stream *stream; /* as latency_streams; NULL without a solution */
    size_t nstream;
};
/* Of routings with ways; without a limit, by capacity. */
int narrowest_open(struct narrowest *out, const struct guide_request *q, struct err *err);
void narrowest_close(struct narrowest *p);      /* a zeroed struct is fine */
