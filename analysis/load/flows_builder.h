/* flows_builder.h -- flows while they are made: for flows_build.c, which finds states, edges and injections, and
 * flows_finish.c, which numbers the rest. */
#pragma once

#include "analysis/load/flows.h"
#include "analysis/load/flows_alike.h"
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
    bool hosts;                     /* of hosts on one switch alone */
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
    /* Where messages go on from the target at hand (ntail 0: they stay): over link `out`, each state with its share. */
    int out;
    size_t ntail;
    const int *tail_state;
    const double *tail_share;
};

struct sender {
    int source, node;               /* number in flows, and where it is */
    const char *name;
    double share;                   /* of its messages that go to this target */
    double part;                    /* by orbits: what a pair of this sender and target is of one of its source's */
};
/* What n senders send to a target. */
int builder_block(struct builder *b, struct routing *r, int option, int target, const struct sender *sender, size_t n,
                  double done, struct err *err);
/* By orbits: for how many terminals the i-th one sends to the k-th, the first of its orbit: 0 where another sends for it.
 * Where only hosts of a switch are alike, they send to other switches in the same way. */
static inline double builder_senders(const struct builder *b, int i, int k)
{
    const struct flows_orbits *o = b->f->orbits;

    return !b->hosts || o->source_of[i] == o->source_of[k] ? 1 :
        o->source_first[o->source_of[i]] == i ? o->source_many[o->source_of[i]] : 0;
}
/* All targets of a matrix, one of each orbit. */
int builder_matrix(struct builder *b, struct routing *r, int option, struct err *err);
int builder_list(struct builder *b, struct routing *r, int option, struct err *err);
/* Before: room for the ports of turns. */
int builder_turns(struct builder *b, struct err *err);
/* flows_over_any.c. */
bool builder_over_any(const struct builder *b, const struct routing *r, bool few);
int builder_legs(struct builder *b, struct routing *r, struct err *err);

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
