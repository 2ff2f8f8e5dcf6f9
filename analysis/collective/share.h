/* share.h -- flows that share links, max-min fair: none can have more without one that has no more having less.
 * A flow has the same rate on all of its links, that of the one which binds it: its bottleneck, which is full, and on
 * which no flow has more. Rates are found anew when flows begin or end, for those alone that this reaches: the flows
 * whose bottlenecks change, and those that then have too much or too little on a link of theirs, until there are none.
 * Lag     Rates may be old for a part of the time that a flow takes: 1e-13 of it, so that what is to be at one instant
 *         is, and 1/64 where more than SHARE_MANY flows are under way. No link carries more than it can meanwhile; a
 *         flow that begins waits until rates are found, one that ends leaves its part unused so long.
 * Units   bytes, seconds.
 * Source  D. Bertsekas and R. Gallager, Data Networks, 2nd edition 1992, section 6.5.2 (bottlenecks, progressive
 *         filling).
 * Errors  ERR_MEMORY. */
#pragma once

#include "graph/base/base.h"

enum { SHARE_MANY = 512 };
struct share_hop {
    uint32_t link, at;                  /* `at`: its place in the link's list */
};
struct share_flow {
    struct share_hop *hop;
    size_t nhop, room;
    double left, rate;                  /* bytes, at `since` */
    double begun, since, end;
    uint32_t place, neck;               /* in the heap; its bottleneck */
    bool live;
};
struct share_last {                     /* of a flow, as the heap has it */
    double end;
    uint32_t flow;
};
struct share_entry {
    uint32_t flow, hop;
};
struct share_link {
    struct share_entry *entry;
    size_t n, room;
    double capacity, left;
    size_t open;
    bool in;
};
struct share_level {
    double share;
    uint32_t link;
};
struct share {
    struct share_link *link;
    size_t nlink;
    struct share_flow *flow;
    size_t nflow, room_flow, live;
    struct share_last *first;           /* flows by their ends */
    size_t nfirst;
    unsigned char *state;               /* by flow: whether it is in the part, and has no rate yet */
    uint32_t *begun, *bound, *part;     /* flows that have begun; links that bound some that ended; what is found anew */
    size_t nbegun, nbound, npart;
    size_t room_level;
    uint32_t *met;                      /* links of the part */
    size_t nmet;
    struct share_level *level;
    size_t nlevel;
    double due;                         /* when rates are to be found; INFINITY: they are good */
};
/* Links without capacity yet. */
int share_open(struct share *s, size_t nlink, struct err *err);
void share_close(struct share *s);      /* a zeroed struct is fine */
/* Nothing is under way. */
void share_clear(struct share *s);
/* Flow number `flow`, the caller's own, over links that are each named once; bytes and links more than none. */
int share_begin(struct share *s, size_t flow, const uint32_t *link, size_t nlink, double bytes, double now,
                struct err *err);
/* The flow that ends first, SIZE_MAX: none has a rate; its `end` says when. It is to be taken out then. */
size_t share_first(const struct share *s);
void share_end(struct share *s, size_t flow);
/* Rates from now on. */
int share_find(struct share *s, double now, struct err *err);
/* All times later. */
void share_shift(struct share *s, double by);
