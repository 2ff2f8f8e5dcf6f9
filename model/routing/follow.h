/* follow.h -- what can follow what: the links that messages of a routing take one after the other, one target at a
 * time. What wants the pairs alone (dependencies between links: Dally and Seitz 1987, "Deadlock-free message routing in
 * multiprocessor interconnection networks") visits turns; what wants shares as well explores a target:
 *   state   a message on a link on its way to the target: one a link, or one for each mark that messages carry there
 *           (classes.h)
 *   edge    from a state to one that may follow, with the share of messages that go there; a state without edges is on
 *           the last link. A state's shares sum to 1.
 * Links are numbered as in trunks.h, one by one: a hop that names no cable is one to each. Where `arrivals` are links
 * too, the way out of the network at node v is link `cables` + v. Only a terminal that is its own switch has one: where
 * its only cables lead to a node that is no terminal, these are the way out.
 * Errors  ERR_INTERNAL for a routing that goes where there is no link, or in circles; else what the routing says. */
#pragma once

#include "graph/distance/towards.h"
#include "graph/distance/trunks.h"
#include "model/routing/route.h"

struct classes;
struct follow_answer {
    int block;                      /* the block in which it was given; another than the current one: not asked yet */
    uint32_t first, n;
};
struct follow_seen {
    int block, state;               /* the last block that had it, and its state there */
};
struct follow_leg {                 /* what is known of one: its first and last link, and the marks there */
    bool known;
    int first, last, first_mark, last_mark;
};
struct follow {
    struct net *net;
    bool arrivals;
    struct csr links;               /* joined pairs, one way */
    struct trunks trunks;           /* of these */
    size_t cables, nlink;           /* links of the network; the arrivals among them */
    int *tail, *head;               /* where each begins, and where those of the network end */
    bool *own_switch;               /* by node */
    int nend;                       /* the ends that send and receive: terminals, or all nodes that are up */
    const int *end;                 /* NULL: all nodes there are */
    int *up;                        /* its own list of them */
    const struct classes *classes;  /* NULL: messages carry no marks */
    int marks;                      /* 0 to marks - 1, 1 without classes */

    /* the target being explored */
    int target;
    size_t n, nedge;
    int *link, *mark;               /* by state */
    uint32_t *first;                /* by state, and one more: its edges */
    int *to;                        /* by edge */
    double *share;
    int *order, *place;             /* after follow_sort: order[i] is the state in place i, children before parents */

    struct tick tick;               /* called now and then, with `done` */
    double done;
    const int *entry;               /* of the last follow_inject: where its messages begin, as states */
    const double *entry_share;
    size_t nentry;
    int entry_mark;                 /* which they begin with */

    /* scratch */
    unsigned steps;
    struct follow_seen *seen;       /* by link and mark */
    int block;
    struct follow_answer *answer;   /* by node: what the routing said */
    int *next, *enter;              /* of all answers for this target: links, and their shares; of the last: states */
    double *next_share;
    size_t nnext;
    struct hop *hop;
    struct towards towards;         /* of routings by all nodes that are nearer */
    uint64_t *taken, *came;         /* by link, and by node, a bit for each of 64 targets: whether messages to it come
                                     * there */
    int *asked;                     /* nodes in the order that they are asked in; or how far each is from the target */
    size_t state_room, edge_room, order_room, hop_room, next_room, enter_room;
    struct follow_leg *leg;         /* by mark to begin with and two nodes, or NULL: not kept */
    int *stack;
    uint32_t *at;
    struct route_path path;
    struct ways ways;
};

int follow_open(struct follow *f, struct net *net, bool arrivals, struct err *err);
void follow_close(struct follow *f);                /* a zeroed struct is fine */
/* From here on messages carry the marks of classes (NULL: none), which outlive that. */
int follow_classes(struct follow *f, const struct classes *classes, struct err *err);
/* All nodes that are up send and receive, switches too. */
int follow_all(struct follow *f, struct err *err);
static inline int follow_end(const struct follow *f, int i)
{
    return f->end ? f->end[i] : i;
}

/* Whether a terminal is its own switch. */
static inline bool follow_own_switch(const struct follow *f, int node)
{
    return f->own_switch[node];
}

/* How fast the links are that a terminal which is its own switch has to and from its switch: wide[v] out of the network
 * at node v, wide[n + v] into it, as fast as the widest cables to it, or from it, of one other node together; 0 where
 * there is none. */
void follow_widest(double *wide, const struct follow *f);

/* A routing with `next`: forget the last target; then inject at sources, as many as there are; then explore. */
int follow_begin(struct follow *f, const struct routing *r, int target, struct err *err);
/* Leaves in entry[0..nentry) the states that messages enter at `source`, in entry_share[] their shares. */
int follow_inject(struct follow *f, struct routing *r, int source, struct err *err);
/* The same for those that follow on a state; asked of all there are in turn, until no new one comes, it leaves nothing
 * out. follow_explore does that, and keeps what it learns as edges. */
int follow_from(struct follow *f, struct routing *r, size_t state, struct err *err);
int follow_explore(struct follow *f, struct routing *r, struct err *err);
int follow_sort(struct follow *f, const struct routing *r, struct err *err);

/* The links that a hop of the routing takes: *n of them, from *link on. */
int follow_links(int *link, int *n, const struct follow *f, const struct routing *r, int from, const struct hop *hop,
                 struct err *err);
/* To be called in long loops. */
int follow_tick(struct follow *f, struct err *err);

/* Where messages to `target` may go: from link `in` (-1: injected where `out` begins) on to link `out`, with the marks
 * they carry there (in -1: which they begin with). */
struct turn {
    int in, out, target, source;    /* source -1: messages that share a way to go */
    int in_mark, out_mark;
    int way;                        /* of the pair, where it has ways */
};
/* Visits each turn to one end (-1: to all, one after the other) that messages of other ends may take; what `visit`
 * answers, if it is not 0, is the answer. Hop by hop each is visited once per target. Ways are followed stop by stop,
 * and turn at stops as elsewhere; a leg that is taken again, with the same mark, is not walked again. */
int follow_turns(struct follow *f, struct routing *r, int target,
                 int (*visit)(void *arg, const struct turn *turn, struct err *err), void *arg, struct err *err);
/* The same to `n` of the nodes, at least once each of those that some target has: where messages carry no marks and the
 * routing does not look back, 64 targets together, of which the turn has the first. `source` is then one of several.
 * What is known of legs is kept from call to call of one routing: it is to be forgotten before. */
void follow_forget_legs(struct follow *f, const struct routing *r);
int follow_turns_joined(struct follow *f, struct routing *r, const int *target, size_t n,
                        int (*visit)(void *arg, const struct turn *turn, struct err *err), void *arg, struct err *err);
/* The same for the messages of one pair, of ends by number. */
int follow_pair(struct follow *f, struct routing *r, int source, int target,
                int (*visit)(void *arg, const struct turn *turn, struct err *err), void *arg, struct err *err);
/* The nodes of a route that takes a turn that was visited, from its source to its target. */
int follow_cause(struct route_path *path, struct follow *f, struct routing *r, const struct turn *turn,
                 struct err *err);
/* Whether links lead from one to the next round in a cycle, by n pairs of links in[i], out[i] (in < 0: none). */
int follow_cyclic(bool *cyclic, size_t nlink, size_t n, const int *in, const int *out, struct err *err);
