/* compare_candidate.h -- a network that `metapath compare` compares: opened with all that is asked of it, and examined
 * part by part but for its latency, which waits for the load that suits all. */
#pragma once

#include "analysis/bound/throughput.h"
#include "analysis/deadlock/dependencies.h"
#include "analysis/latency/latency_domain.h"
#include "analysis/metapath/metapath.h"
#include "analysis/network/diversity.h"
#include "analysis/network/topo_report.h"
#include "cli/command/compare_prices.h"
#include "cli/request/frame.h"
#include "cli/request/load.h"

#define BROADCAST_MOST 16384        /* terminals: of more, broadcasts would take longer than all else */

struct compare_request {
    struct options common;
    struct load_request load;
    const char *supernode;
    int saturation;                     /* whether it is simulated, too */
    const char *about;                  /* "N[,radix=R]": arguments are families; NULL: networks */
    double terminals;                   /* these two */
    int radix;
    bool no_baseline;
    const char *prices;                 /* a file, and its lines; NULL: none */
    struct price *price;
    size_t nprice;
    struct candidate *candidate;        /* of each network */
};

/* What takes time or memory: computed where one of its columns is shown, and left out where it is too much. */
enum part { PART_METAPATHS, PART_BOUND, PART_REACHED, PART_LATENCY, PART_SIMULATED, PART_BROADCAST, PART_CLASSES,
            PART_PATHS, PARTS };
/* One network and all that is asked of it. */
struct candidate {
    const char *asked;
    bool loaded;                /* of another task: nothing but its saturation is asked for */
    struct net *net;
    struct traffic traffic;
    struct demand demand;
    double *capacity;
    struct routing routing;
    struct supernode supernode;
    struct latency_study study;
    struct topo_report report;
    struct metapath_stats metapath;
    struct throughput bound, reached;
    double even;                /* the busiest link's load by ecmp */
    struct diversity paths;
    struct deadlock_advice classes;     /* none: 1 channel; scheme NULL: not known */
    double broadcast;           /* cycles of the tree that completes first; NAN: not asked */
    struct latency_summary latency;
    double simulated;           /* load at which a simulation saturates */
    bool done[PARTS];
    struct err left[PARTS];     /* why a part is left out */
    struct err why;             /* it could not be done; ERR_NONE: it was */
    struct err no_latency;      /* the rest was */
};
/* As a note names it. */
const char *part_name(enum part part);

/* The i-th network asked for. What has no room, or would take minutes, is left out. */
int candidate_examine(struct candidate *c, struct job *j, size_t i, const struct tick *tick, struct err *err);
void candidate_close(struct candidate *c);          /* a zeroed struct is fine */
