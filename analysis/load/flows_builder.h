/* flows_builder.h -- flows while they are made: for flows_build.c, which finds states, edges and injections, and
 * flows_finish.c, which numbers the rest. */
#ifndef ANALYSIS_LOAD_FLOWS_BUILDER_H
#define ANALYSIS_LOAD_FLOWS_BUILDER_H

#include "analysis/load/flows.h"
#include "analysis/load/flows_alike.h"
#include "graph/base/grow.h"
#include "graph/base/map.h"
#include "model/routing/follow.h"

struct builder {
    struct flows *f;
    const struct traffic *traffic;
    struct net *net;
    struct follow follow;           /* links, and the target at hand; the way into the network at node v is link
                                     * follow.nlink + v, where there are such */
    bool pairs;                     /* by orbits: those of different pairs stay apart */
    bool by_steps;                  /* folded, all nodes are alike */
    int *class, *first;             /* folded: of a link its class, and of a class its first link; else NULL */
    size_t nclass;
    struct alike alike;
    size_t state_room, edge_room, injection_room;

    struct map port;                /* (link, in) to number, in the order they were met */
    uint64_t *port_key;
    int *port_in;                   /* class of the link upstream, or -1 - source */
    double *port_many;              /* by orbits: see struct flows_orbits */
    size_t nport, port_room;
    size_t *turn_at;                /* turn_port[turn_at[in] + link]: the port, -1 as yet unknown; NULL: too many */
    int *turn_port, *sent_port;     /* sent_port[link]: that of a source, if it is the source's (port_in) */
    int *exit_port;                 /* exit_port[in]: at the way out of the network where `in` leads */

    int *over;                      /* by edge of `follow`: its port */
    size_t over_room;
    struct map way;                 /* of ways: (state that follows, link) to state */
    size_t block_room;
    int npair;
};

static inline int builder_state_room(struct builder *b, size_t need, struct err *err)
{
    return GROW(&b->state_room, need, "states of messages", err, GROWN(b->f->edge_first),
                GROWN_IF(b->by_steps, b->f->state_node));
}
int builder_finish(struct builder *b, struct err *err);
/* flows_fold.c: classes of links by their steps, where all nodes are alike; of links and sources by b->alike. */
int builder_steps(struct builder *b, struct err *err);
int builder_orbits(struct builder *b, struct err *err);
/* By orbits: of the states and injections made since, those that are one become one. */
int builder_merge(struct builder *b, size_t state, size_t edge, size_t injection, struct err *err);
/* Number of a link of the flows in the numbering of `follow` and what stands at nodes. */
static inline size_t builder_link(const struct builder *b, size_t link)
{
    return b->first ? (size_t)b->first[link] : link;
}
/* flows_speed.c: bandwidths and lengths of links; once all else is there, flows_measure_ways. */
int builder_measure_links(struct builder *b, struct err *err);

#endif
