/* demand.h -- how much a traffic asks of the network between every two nodes, in units of a link: what bounds are
 * about. A terminal of a matrix or of a permutation asks for 1 in all (rows sum to 1), and so does a source of a
 * file: a channel, or several together by their shares. Sources that have intervals of their own ask for time/interval,
 * the part of the time that they would keep a link busy.
 * Errors  ERR_USAGE where some streams have an interval of their own and others not; ERR_MEMORY, ERR_STOPPED. */
#pragma once

#include "graph/symmetry.h"
#include "model/routing/route.h"
#include "model/traffic/traffic.h"

enum demand_unit {
    DEMAND_NODE,                /* 1 per terminal that sends */
    DEMAND_STREAM,              /* 1 per source of a file (times count: relative to the time given) */
    DEMAND_GIVEN                /* absolute */
};
struct demand {
    const struct traffic *traffic;
    const struct net *net;
    enum demand_unit unit;
    double time;                /* as given to demand_open */
    bool uniform;               /* the traffic is even, the same between all pairs of terminals: no lists are kept */
    size_t nsource;
    int *source;                /* nodes, ascending */
    size_t *first;              /* nsource + 1; NULL where uniform */
    int *target;                /* a source's differ, ascending */
    double *amount;
};

/* `time`: transmission time of channels without one of their own. The traffic must outlive the demand. */
int demand_open(struct demand *d, const struct traffic *traffic, double time, const struct tick *tick, struct err *err);
void demand_close(struct demand *d);            /* a zeroed struct is fine */
/* row[v], v = 0..n-1: what source i asks for towards node v. */
void demand_row(const struct demand *d, size_t i, double *row);
/* What stream k of a list asks for. */
double demand_stream(const struct demand *d, size_t k);
double demand_total(const struct demand *d);
/* Tells routings that depend on it (route.h) what each pair of the traffic asks for; of others it is done at
 * once. `time` as above. */
int demand_tell(struct routing *routing, size_t n, const struct traffic *traffic, double time, const struct tick *tick,
                struct err *err);

/* Marks that a symmetry must keep for the demand to stay what it is, a colour for each amount; n is SIZE_MAX where
 * there are so many amounts that hardly a symmetry would. To be released by marks_release. */
int demand_marks(struct marks *out, const struct demand *d, struct err *err);
