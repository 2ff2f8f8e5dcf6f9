/* dependencies.h -- what waits for what: whether messages may block each other for good (deadlock), and where.
 *   place     what a message holds while it waits for the next: a link (wormhole, circuits), a cable where both
 *             directions are one channel, or the buffers of a node (store and forward)
 *   resource  the channels, or buffers, of one class at a place: place * classes + class
 *   dependency  some message that holds one resource may wait for the other
 * Where dependencies close no cycle no deadlock can occur; where they do, it may, for routings that know no way round
 * (W. Dally and C. Seitz 1987; K. Guenther 1981, for buffers). Messages that arrive are taken at once.
 * Links have one channel a class; several of the same class wait for one another alike, so no answer changes.
 * Dependencies are found by what can follow what (follow.h), target by target (gather.h). Where network, routing and
 * scheme look the same from every node (folded), one target stands for all: a cycle of directions is one of channels,
 * since going on in it comes back sooner or later. They are made for all nodes where one is to be shown.
 * Errors  those of follow.h and classes.h; ERR_MEMORY before it is taken. */
#pragma once

#include "model/routing/classes.h"

enum deadlock_holds { HOLDS_LINKS, HOLDS_CABLES, HOLDS_BUFFERS };
struct deadlock_options {
    const char *classes;            /* spec of a scheme; NULL: none */
    enum deadlock_holds holds;
    bool all;                       /* all nodes send and receive, switches too */
    bool unfolded;
    bool verdict;                   /* no cycle is looked for, none of what needs the whole graph */
    int jobs;                       /* threads; 0: as many as there are */
    double most;                    /* bytes for dependencies: ERR_NETWORK beyond; 0: as many as there are */
    const struct tick *tick;
};
struct deadlock {
    struct net *net;
    struct routing *routing;        /* outlive it: messages take any of them */
    size_t nrouting;
    enum deadlock_holds holds;
    struct follow follow;
    struct classes classes;
    bool folded;                    /* one target was followed, for all */
    double copies;                  /* what each resource stands for: 1, or folded all nodes */
    double dependencies;            /* of all nodes */
    size_t place, resource;         /* resources: place * classes.most of them */
    unsigned char *used;            /* by resource: whether any message takes it */
    size_t nused;
    size_t *first;                  /* by resource, and one more: its dependencies */
    int *to;
    size_t n;                       /* of all lists */
    bool cyclic;
    int *cycle;                     /* resources, each waiting for the next and the last for the first */
    size_t ncycle;
    bool shortest;                  /* of all cycles, else of those through its first resource, the first in any */
};

int deadlock_open(struct deadlock *out, struct net *net, struct routing *routing, size_t nrouting,
                  const struct deadlock_options *o, struct err *err);
void deadlock_close(struct deadlock *d);            /* a zeroed struct is fine */

/* A route on which a message holds cycle[i] and waits for the next: its nodes, and which of the routings it is of. */
int deadlock_cause(struct route_path *path, size_t *routing, struct deadlock *d, size_t i, struct err *err);
/* The link, or node, of a resource, and its class. */
static inline int deadlock_place(const struct deadlock *d, int resource)
{
    return resource / d->classes.most;
}
static inline int deadlock_class(const struct deadlock *d, int resource)
{
    return resource % d->classes.most;
}
/* How many different classes messages take. */
int deadlock_classes_used(const struct deadlock *d);
/* "1.2>1.3", "1.2>1.3:2" of parallel cables, "1.2-1.3" of cables that are one channel, "1.2" of buffers. To be freed;
 * NULL: memory. */
char *deadlock_label(const struct deadlock *d, int resource);
/* The cycle's first resources, "a>b (class 1), b>c (class 1) ... wait for one another in a cycle of 9, the shortest there
 * is". To be freed; NULL: memory. */
char *deadlock_cycle_text(const struct deadlock *d);

/* How few channels the scheme's classes need where some of them may share: classes of links of one kind (`kind`, as
 * the network's family has it: host, local, global; else all links are) that close no cycle together are one. What is
 * found is proven by its order; fewer may do where `exact` is false. */
struct deadlock_kind {
    const char *name;               /* NULL: there is one kind */
    size_t links;                   /* that any message takes */
    int classes, channels;          /* the scheme's on these links; how few do */
    int most;                       /* on one link, of the scheme's */
};
struct deadlock_need {
    size_t nkind;
    struct deadlock_kind *kind;
    int *channel;                   /* by kind and class: which it shares; -1: not used */
    size_t *links;                  /* likewise: links on which messages take that class */
    int channels;                   /* the most of any kind */
    bool exact;
};
int deadlock_need(struct deadlock_need *out, const struct deadlock *d, struct err *err);
/* Which of them the link at a place is of. */
int deadlock_kind_of(const struct deadlock *d, int place);
void deadlock_need_release(struct deadlock_need *n);

/* The scheme of the catalogue that prevents deadlock with the fewest channels (buffers), of those that fit and cost
 * no more than ADVICE_WORK: none after one with two channels, since one class does not do. */
#define ADVICE_WORK 6e7             /* links looked at, for each target */
struct deadlock_advice {
    char *scheme;                   /* NULL: none was found */
    int channels;
    bool exact;                     /* else not all schemes, or ways to share channels, were tried: fewer may do */
};
int deadlock_advise(struct deadlock_advice *out, struct net *net, struct routing *routing, size_t nrouting,
                    const struct deadlock_options *o, struct err *err);
