/* wan.h -- what the claims of the work on collectives over wide areas share: six sites of four processes with the
 * latencies of its table 4.1 [ms], 1 ms apart on a site (section 4.4.2), process 12 the root. */
#pragma once

#include "analysis/claim/claim.h"
#include "analysis/collective/scenario.h"

struct wan {
    struct net *net;                /* of sites */
    struct placement where;
    struct wire *wire;
    size_t m;
};
int wan_open(struct wan *w, struct err *err);
void wan_close(struct wan *w);
/* A broadcast of no size over a tree of the catalogue. */
int wan_relay(struct relay *r, struct tree_shape *shape, const struct wan *w, const char *tree, struct err *err);

/* A strategy is a tree of the catalogue, or "mst": a minimum spanning tree, built and (`every`) adapted once in so many
 * broadcasts. `scenario` is one of the published ones; NULL: latencies do not change. */
struct wan_play {
    const char *tree;
    int every;
    double threshold;               /* per cent */
};
int wan_play(struct played *p, const struct wan *w, const struct wan_play *play, const struct csv *scenarios,
             const char *scenario, int broadcasts, uint64_t seed, struct err *err);
/* One table of message counts by type, over runs with random delays; `scenario` may be NULL. */
int wan_counts(const char *table, const struct csv *scenarios, const char *scenario, const struct claim_sink *sink,
               struct err *err);
