/* follow.h -- what can follow what: the links that messages of a routing take one after the other, one target at a
 * time. Who wants the pairs alone (dependencies between links: Dally and Seitz 1987, "Deadlock-free message routing in
 * multiprocessor interconnection networks") visits turns; who wants shares as well explores a target:
 *   state   a message on a link on its way to the target: one a link
 *   edge    from a state to one that may follow, with the share of messages that go there; a state without edges is on
 *           the last link. A state's shares sum to 1.
 * Links are numbered as in trunks.h, one by one: a hop that names no cable is one to each. Where `arrivals` are links
 * too, the way out of the network at node v is link `cables` + v. Only a terminal that is its own switch has one: where
 * its only cables lead to a node that is no terminal, these are the way out.
 * Errors  ERR_INTERNAL for a routing that goes where there is no link, or in circles; else what the routing says. */
#ifndef MODEL_ROUTING_FOLLOW_H
#define MODEL_ROUTING_FOLLOW_H

#include <stdint.h>

#include "graph/base/map.h"
#include "graph/base/tick.h"
#include "graph/distance/trunks.h"
#include "model/routing/route.h"

struct follow_answer {
    int block;                      /* when it was given; nobody was asked: another */
    uint32_t first, n;
};
struct follow {
    struct net *net;
    bool arrivals;
    struct csr links;               /* joined pairs, one way */
    struct trunks trunks;           /* of these */
    size_t cables, nlink;           /* links of the network; the arrivals among them */
    int *tail, *head;               /* where each begins, and where those of the network end */
    bool *own_switch;               /* by node */

    /* the target being explored */
    int target;
    size_t n, nedge;
    int *link;                      /* by state */
    uint32_t *first;                /* by state, and one more: its edges */
    int *to;                        /* by edge */
    double *share;
    int *order, *place;             /* after follow_sort: order[i] is the state in place i, children before parents */

    struct tick tick;               /* asked now and then, with `done` */
    double done;
    const int *entry;               /* of the last follow_inject: where its messages begin, as states */
    const double *entry_share;
    size_t nentry;

    /* scratch */
    unsigned steps;
    int *mark, *local, block;       /* by link: block it was last seen in, and its state there */
    struct follow_answer *answer;   /* by node: what the routing said */
    int *next;                      /* of all answers for this target: states, and their shares */
    double *next_share;
    size_t nnext;
    struct hop *hop;
    size_t state_room, edge_room, order_room, hop_room, next_room;
    int *stack;
    uint32_t *at;
    struct route_path path;
    struct ways ways;
    struct map seen;
};

int follow_open(struct follow *f, struct net *net, bool arrivals, struct err *err);
void follow_close(struct follow *f);                /* a zeroed struct is fine */

/* Whether a terminal is its own switch. */
static inline bool follow_own_switch(const struct follow *f, int node)
{
    return f->own_switch[node];
}

/* A routing with `next`: forget the last target; then inject at sources, as many as there are; then explore. */
int follow_begin(struct follow *f, const struct routing *r, int target, struct err *err);
/* Leaves in entry[0..nentry) the states that messages enter at `source`, in entry_share[] their shares. */
int follow_inject(struct follow *f, struct routing *r, int source, struct err *err);
int follow_explore(struct follow *f, struct routing *r, struct err *err);
int follow_sort(struct follow *f, const struct routing *r, struct err *err);

/* The links that a hop of the routing takes: *n of them, from *link on. */
int follow_links(int *link, int *n, const struct follow *f, const struct routing *r, int from, const struct hop *hop,
                 struct err *err);
/* To be called in long loops. */
int follow_tick(struct follow *f, struct err *err);

/* Where messages to `target` may go: from link `in` (-1: injected where `out` begins) on to link `out`. */
struct turn {
    int in, out, target;
};
/* Visits each turn to one terminal (-1: to all, one after the other) that messages of other terminals may take, once
 * per target; what `visit` answers, if it is not 0, is the answer. Ways are followed stop by stop, and turn at stops as
 * elsewhere. */
int follow_turns(struct follow *f, struct routing *r, int target,
                 int (*visit)(void *arg, const struct turn *turn, struct err *err), void *arg, struct err *err);
/* Whether links lead from one to the next round in a cycle, by n pairs of links in[i], out[i] (in < 0: none). */
int follow_cyclic(bool *cyclic, size_t nlink, size_t n, const int *in, const int *out, struct err *err);

#endif
