/* gather.h -- the bits of which dependencies.c makes a graph: one for each pair of resources of which some message that
 * holds the first may wait for the second, gathered turn by turn (follow.h). Where network, routing and scheme look the
 * same from every node (folded), those of node 0. Else, where routings are symmetric and there is one class, messages
 * to one target of each orbit are followed (flows_alike.h), and where one dependency of an orbit is found, all are.
 * Targets are shared out to threads. */
#pragma once

#include "analysis/deadlock/dependencies.h"

struct gather {
    struct deadlock *d;
    bool folded;
    bool far;                   /* of an escape: any link may wait for any, folded those of node 0 */
    size_t classes, bits;
    size_t *base;               /* by link: where its followers begin, less the number of the first of them, modulo
                                 * 2^64; NULL where it is folded and not far, or of buffers */
    uint64_t *bit;
};

/* Room for the bits; `most` as of deadlock_options. */
int gather_open(struct gather *g, struct deadlock *d, bool folded, double most, struct err *err);
void gather_close(struct gather *g);
int gather_all(struct gather *g, const struct deadlock_options *o, const struct tick *tick, struct err *err);
/* Calls `each` for every dependency; not all need differ where cables are one channel. */
int gather_each(const struct gather *g, int (*each)(void *arg, int from, int to), void *arg);

/* The class of a message on a link, or in the buffer at its end; -1: it waits for none. */
int gather_class(const struct deadlock *d, int mark, int link);
/* The place that a message on a link holds: of two that are one channel, the smaller number. */
int gather_place(const struct deadlock *d, int link, bool folded);
/* A link as seen from a node further. */
int gather_moved(const struct follow *f, int link, int by);
/* Folded: the link that leaves node 0 the same way. */
int gather_link(const struct gather *g, int link);
/* What a message waits for that holds `in`, which folded leaves node 0. */
int gather_out(const struct gather *g, int in, int out);
