/* classes.h -- classes of virtual channels, and of buffers, against deadlock: a message waits for those of one class at
 * a time, which follows from what it has done, so that what waits for what may close no cycle. A scheme goes beside a
 * routing, which stays as it is.
 *   mark    what a message carries: 0 to marks - 1, from link to link
 *   class   of the channel that it takes on a link; of the buffer that it takes at a node (schemes of buffers)
 * Source  W. Dally and C. Seitz, "Deadlock-free message routing in multiprocessor interconnection networks", IEEE
 *         Transactions on Computers 36(5), 1987; K. Guenther, "Prevention of deadlocks in packet-switched data
 *         transport systems", IEEE Transactions on Communications 29(4), 1981, for buffers.
 * Errors  ERR_USAGE for a wrong spec; ERR_DOMAIN for a scheme that does not fit network or routing, and why; those of
 *         the routing. */
#pragma once

#include "model/routing/follow.h"

struct classes_way {                /* where a message begins, or begins again at a stop */
    int source, target;
    size_t way;                     /* which of the pair's ways, and which leg of it */
    int leg;
};
struct classes_kind;
struct classes {                    /* a scheme opened for routings on a network */
    const struct classes_kind *kind;
    char *spec;                     /* canonical */
    const struct follow *follow;    /* links as numbered there */
    int marks;
    int most;                       /* classes are 0 to most - 1; not every one need be used */
    bool invariant;                 /* looks the same from every node where the routing does */
    bool buffers;                   /* set before it is opened: of buffers, not of channels */
    bool free;                      /* no cycle can close, as its source proves */
    void *state;
};

struct classes_kind {
    ENTRY;
    bool channels, buffers;         /* which of the two it is for */
    int rank;                       /* rank among the schemes tried when one is to be found: 1 first; 0: never tried */
    bool rings;                     /* by two classes dimension order closes no cycle on the rings of a grid: proven */
    bool by_pair, by_rule;          /* to open it, every pair is looked at; no route is */
    size_t state;                   /* bytes of state, zeroed before `open` */
    /* Sets marks, most, invariant, free and what the state holds, for all routings together. It may use the follow,
     * which carries no marks then. NULL: one class. */
    int (*open)(struct classes *c, const struct spec *spec, struct follow *f, struct routing *r, size_t nrouting,
                struct err *err);
    void (*close)(void *state);
    /* The mark at a way's beginning, and at a stop, where it came with `mark`. */
    int (*begin)(const struct classes *c, const struct classes_way *at, int mark);
    /* The mark on `link`, which it takes after `in` (-1: at a beginning) with `mark`. */
    int (*cross)(const struct classes *c, int mark, int in, int link);
    int (*class)(const struct classes *c, int mark, int link);
    /* Of a buffer at the beginning (link -1) or at the far end of a link: -1: none is kept. */
    int (*buffer)(const struct classes *c, int mark, int link);
    /* In words, what class means, in out[80]; NULL: nothing to say. */
    void (*say)(const struct classes *c, int class, char out[80]);
};
KIND_HEADER(classes, classes, struct classes_kind);

extern const struct classes_kind classes_dateline;
/* Of channels, or of buffers; NULL: none. */
int classes_open(struct classes *c, const char *text, bool buffers, struct follow *f, struct routing *r,
                 size_t nrouting, struct err *err);
void classes_close(struct classes *c);              /* a zeroed struct is fine */

static inline int classes_begin(const struct classes *c, int source, int target, size_t way, int leg, int mark)
{
    return c ? c->kind->begin(c, &(struct classes_way){ source, target, way, leg }, mark) : 0;
}
static inline int classes_cross(const struct classes *c, int mark, int in, int link)
{
    return c ? c->kind->cross(c, mark, in, link) : 0;
}

/* ---- for the schemes ---- */

int classes_begin_0(const struct classes *c, const struct classes_way *at, int mark);
int classes_carry(const struct classes *c, const struct classes_way *at, int mark);     /* 0, then on over stops */
int classes_mark(const struct classes *c, int mark, int link);
/* Whether messages go by one dimension order, of ways from stop to stop. */
bool classes_by_dor(const struct routing *r, size_t nrouting);
/* The longest route of all routings. */
int classes_longest(int *hops, struct follow *f, struct routing *r, size_t nrouting, struct err *err);

/* Where datelines are: rings of a network have one each, between the last coordinate and the first; groups (of a
 * dragonfly) are left over cables that are datelines each. */
struct datelines {
    unsigned char *ring, *across;   /* by link: the ring's dimension, from 1, and 0 where it has none; whether it
                                     * crosses */
    bool rings, groups;
    int most;                       /* crossings that one leg may make */
};
/* Whether a grid has rings that routes may close. */
bool datelines_rings(const struct net *net);
/* ERR_DOMAIN where a network has neither. */
int datelines_open(struct datelines *d, struct follow *f, struct routing *r, size_t nrouting, struct err *err);
void datelines_close(struct datelines *d);
/* "before a ring's dateline", "after 2 cables to other groups". */
void datelines_say(const struct datelines *d, int crossings, char *out, size_t size);
/* Crossings before `link`, after `before` until `in` (-1: none). */
static inline int datelines_cross(const struct datelines *d, int before, int in, int link)
{
    return in < 0 || d->ring[in] != d->ring[link] ? 0 : before + d->across[in];
}
