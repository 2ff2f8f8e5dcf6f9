/* flows_builder.h -- flows while they are made: for flows_build.c, which finds states, edges and injections, and
 * flows_finish.c, which numbers the rest. */
#ifndef ANALYSIS_LOAD_FLOWS_BUILDER_H
#define ANALYSIS_LOAD_FLOWS_BUILDER_H

#include "analysis/load/flows.h"
#include "graph/base/map.h"
#include "model/routing/follow.h"

struct block_end {
    size_t state, injection;
};
struct builder {
    struct flows *f;
    const struct traffic *traffic;
    struct net *net;
    struct follow follow;           /* links, and the target at hand; the way into the network at node v is link
                                     * follow.nlink + v, where there are such */
    int *step;                      /* folded: the link's class, by the step it takes; else NULL */
    size_t state_room, edge_room, injection_room;

    struct map port;                /* (link, in) to number, in the order they were met */
    uint64_t *port_key;
    size_t nport, port_room;

    int *over;                      /* by edge of `follow`: its port */
    size_t over_room;
    struct map way;                 /* of ways: (state that follows, link) to state */
    struct block_end *end;          /* after each target */
    size_t nend, end_room;
    int npair;
};

int builder_state_room(struct builder *b, size_t need, struct err *err);
int builder_finish(struct builder *b, struct err *err);
/* flows_speed.c: bandwidths and lengths, of links and, once all else is there, of ways. */
int builder_measure_links(struct builder *b, struct err *err);
int builder_measure_ways(struct builder *b, struct err *err);

#endif
