/* latency.h -- latency against load: the collision model (collide.h) of one traffic sent by one routing over one
 * network, and what of it people ask for.
 * Units   cycles; loads in flits per cycle: what a source offers, in units of one unit link.
 * Errors  as collide.h; ERR_NETWORK beyond saturation or without convergence; ERR_DOMAIN where a scheme of classes does
 *         not fit, or needs more channels than links have. */
#pragma once

#include "analysis/latency/collide.h"

enum validity {
    VALIDITY_GOOD,
    VALIDITY_NEAR,              /* open, messages hold links: within 20 % of the model's own saturation */
    VALIDITY_SATURATED,         /* closed: some link is held more than 0.8 of the time */
    VALIDITY_OUTSIDE,           /* closed cut-through: more than 0.7 */
    VALIDITY_SOURCES,           /* open: some source cannot send as fast as its messages come */
    VALIDITY_UNKNOWN,           /* open, and the model's own saturation is not known */
    VALIDITY_UNTESTED,          /* open: beyond where the model was held against simulation (latency_domain.h) */
    VALIDITY_DEADLOCK,          /* messages that hold links may block each other for good */
    VALIDITY_IMPLAUSIBLE        /* open: waits ten times those of single queues, or saturation a tenth of capacity */
};
extern const char *const validity_name[];

struct latency_options {
    struct collide_options collide;
    bool open;                  /* sources that send whatever the network does */
    bool unfolded, terminals;           /* as in flows_options */
    bool orbits, legs;          /* likewise, of open sources */
    bool brief;                 /* summaries are without what takes as long as the rest of them: `longest` */
    const char *classes;        /* scheme that divides the channels (`metapath list classes`), in as few as it needs for
                                 * all routings together; NULL: router.classes */
};
struct latency_study {
    struct latency_options o;
    struct routing *routing;    /* nrouting of them: the options that sources choose among */
    size_t nrouting;
    bool untested;              /* its shares have not been held against simulation */
    bool blocks;                /* with options.classes, or on an escape, routes close cycles (latency_domain.h) */
    int *option;                /* by source: the routing it has chosen */
    struct flows flows;
    struct collide collide;
    size_t shares_rounds;       /* of shares by bandwidth, 0 where shares are fixed */
    /* At the rates of the traffic, intervals that the request gives taken as 1, with the shares at hand: */
    double capacity_factor;     /* all rates may grow by this until the fullest link transmits all the time */
    size_t capacity_link;
    double saturation_factor;   /* the model's own, for open sources; NAN until latency_saturation */
};
/* `interval` stands for that of sources without one of their own. Of several routings, all sources have the first. */
int latency_open(struct latency_study *s, const struct traffic *traffic, struct routing *routing, size_t nrouting,
                 const struct latency_options *o, struct err *err);
void latency_close(struct latency_study *s);
/* Sets saturation_factor. Shares by bandwidth: with those that the routing begins with. */
int latency_saturation(struct latency_study *s, struct err *err);
int latency_solve(struct latency_study *s, const struct load *load, struct err *err);

/* Every source takes the ways of routing[option[source]], with the shares that the routing gave; those that have it
 * already keep theirs where `keep` (by bandwidth, they need not be found again). Capacity is found by
 * latency_capacity. */
int latency_choose(struct latency_study *s, const int *option, bool keep, struct err *err);
int latency_capacity(struct latency_study *s, struct err *err);
/* The interval at which the fullest link transmits all the time; NAN where streams have intervals of their own. */
double latency_capacity_interval(const struct latency_study *s);
/* By source: mean latency with the shares at hand where nothing waits. */
void latency_idle(double *out, const struct latency_study *s);
/* Mean latency of a message over an injection of flows. */
double latency_way(const struct latency_study *s, size_t injection);
/* By source: its metapath's latency (sum over ways of 1/latency)^-1, the inverse of the metapath's bandwidth; over
 * several destinations the mean by their shares of the source's messages. */
void latency_metapaths(double *out, const struct latency_study *s);

/* ---- what a solution says ---- */

struct latency_summary {
    double interval, rate, load;            /* offered: mean rate of a source, its inverse, mean of time/interval */
    double accepted_load;                   /* what gets through: less than load with closed sources */
    double mean, sd, most;                  /* packet latency over streams (sources), each counting once: zero, wait
                                             * and source_wait together */
    double zero;                            /* mean over streams of what a message takes that waits for nothing */
    size_t slowest;
    double wait;                            /* mean over streams of what messages wait at links */
    double longest;                         /* largest mean latency of any single way; brief: NAN */
    double source_wait;                     /* open: mean wait before the network, infinity where a source saturates;
                                             * closed: 0 */
    double hops;                            /* links of the network; those to and from its terminals do not count */
    size_t bottleneck;                      /* the link that transmits the most */
    double busy;                            /* part of the time that it does */
    double utilisation;                     /* largest part of the time that a link is held */
    double capacity_interval, knee_interval;    /* MI_sat, and MI_sat less a transmission time over the link that is
                                                 * full there; NAN where intervals differ */
    double saturation_interval;             /* the model's own; NAN where not asked for or intervals differ */
    double capacity_load, saturation_load;  /* the same as mean loads; NAN where some intervals are the request's */
    double capacity_scale, saturation_scale;    /* where they differ: the factors for all rates at which that is */
    enum validity validity;
};
int latency_summary(struct latency_summary *out, const struct latency_study *s, const struct load *load,
                    struct err *err);

struct latency_stream {
    int node;                               /* of the source */
    size_t source;                          /* of the traffic: traffic_sources */
    double interval, load;
    double time;                            /* over the slowest link, the mean of its ways */
    double latency, zero, wait, source_wait;/* the first is the sum of the others, as in latency_summary */
    double spread;                          /* standard deviation of the mean latencies of its ways */
    double least, most;                     /* of the latencies of its ways */
    double accepted_rate;
    double bandwidth_latency;               /* of the metapath, as latency_metapaths */
    int ways;                               /* injections in use */
};
/* One per source, folded ones unfolded; to be freed. */
int latency_streams(struct latency_stream **out, size_t *n, const struct latency_study *s, struct err *err);

struct latency_link {
    int from, to;                           /* to -1: out of the network; from -1: into it */
    double rate;                            /* messages per cycle */
    double busy, utilisation;               /* part of the time it transmits, and is held */
    double wait;                            /* mean wait of a message that crosses it */
    int ports;                              /* in use */
    size_t link;                            /* of the flows; of orbits: of those unfolded (flows_cable_name) */
};
/* One per link, folded ones unfolded, in the order of the network's edges as csr_init gives them, and then those
 * between the network and its terminals where some message takes them; to be freed. */
int latency_links(struct latency_link **out, size_t *n, const struct latency_study *s, struct err *err);

struct latency_node {
    int node;
    double wait;                            /* mean wait of messages at its outgoing links */
    double utilisation;                     /* mean over its outgoing links */
    double sent;                            /* mean latency of what it sends; NAN where it sends nothing */
};
int latency_nodes(struct latency_node **out, size_t *n, const struct latency_study *s, struct err *err);
