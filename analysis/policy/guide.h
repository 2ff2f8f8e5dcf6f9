/* guide.h -- the smallest metapath that keeps latency below a limit (Franco's thesis on Distributed Routing Balancing,
 * section 7.2.6): every configuration offered is solved, the narrowest that will do is named, or else the one that
 * comes closest. Width is the mean number of different ways of a pair. Or, without a limit: the smallest where links
 * transmit at most all the time, with the best shares of its ways (split.h). */
#pragma once

#include "analysis/latency/latency.h"

struct guide_row {
    size_t offer;                   /* which of those offered */
    char *routing;                  /* canonical */
    double ways;                    /* of a pair, mean */
    struct latency_summary summary;
    double latency;                 /* what the limit is about: mean over streams, or the worst stream's */
    double busy;                    /* without a limit: what the fullest link transmits of the time; else infinite */
    double hops, capacity_interval; /* as in the summary; the second is known where the first is not */
    double busiest;                 /* per rate of one, what the fullest link transmits where it is one between nodes;
                                     * else NAN */
    bool meets;
    struct err why;                 /* it could not be solved; ERR_NONE: it was */
};
struct guide {
    struct guide_row *row;          /* from narrow to wide, equally wide ones by mean hops, then as offered */
    size_t n;
    int64_t choice;                 /* the first that meets the limit; else the one of least latency; -1: none was
                                     * solved */
};
struct guide_request {
    const char *const *offer;       /* routings, as specs */
    size_t noffer;
    const struct traffic *traffic;
    struct net *net;
    const struct load *load;
    double limit;                   /* NAN: none, where routings are not by bandwidth */
    bool worst;                     /* of the worst stream, not of the mean over streams */
    const struct latency_options *o;
};
/* Those that cannot be solved at this load are kept, with the reason. */
int guide_open(struct guide *out, const struct guide_request *q, struct err *err);
void guide_close(struct guide *g);
