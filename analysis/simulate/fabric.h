/* fabric.h -- the network that messages move over, which does not change while they do: links, routers, and the
 * owner of each channel.
 *   link     as numbered by follow.h: those of the network, then (cables + v) the one out of the network at terminal v,
 *            then (cables + n + v) the one into it; of terminals that are their own switch, where links there count
 *   router   node v; n + v: the terminal that the link into the network at v comes from
 *   channel  virtual channel of a link: link * vcs + i, and its buffer at the far end
 *   tick     what a flit takes over the fastest link, which all here is in: `tick` cycles
 * Errors  as simulate.h. */
#pragma once

#include "analysis/deadlock/dependencies.h"
#include "analysis/simulate/simulate.h"

#define FABRIC_ONE 65536                /* of what links are slow by: ticks of 2^-16 */

struct fabric {
    struct net *net;
    double tick, longest;               /* and the most flits of a message */
    size_t cables, nlink;
    int nrouter;
    int *from, *to;                     /* by link: routers; to -1: out of the network; from -1: there is none */
    int *delay, *rest;                  /* by link: from a flit's sending until it may go on; until it has arrived */
    int64_t *slow;                      /* by link: what a flit takes, of FABRIC_ONE; NULL: FABRIC_ONE each */
    int *output;                      /* by link: among those out of its router */
    int *nout;                          /* by router */

    bool unlimited;                     /* channels and buffers without end: none of what follows */
    int vcs, places;                    /* of a link; of a channel's buffer */
    int data;                           /* channels of a link but the one that is acknowledgements' own */
    double acks;                        /* part of a link's ticks that is theirs; 0 */
    int loop;                           /* ticks until a place is used again: of every link that of the longest */
    bool empty, whole;                  /* a channel is given when its buffer is empty; when all of the message has
                                         * places there */
    bool stores;                        /* a message goes on when it is there as a whole */
    bool speedup, packets;

    struct deadlock d;                  /* of its scheme: links and classes */
    bool classed;
    int nclass;                         /* that channels are divided into */
    int *class;                         /* by kind of link and class of the scheme: the one here; NULL: the same */
    int escape;                         /* channels that are the escape's; 0: none */
    char note[240];
};
/* `routing`: all that messages may take. */
int fabric_open(struct fabric *f, struct net *net, struct routing *routing, size_t nrouting, double longest,
                const struct simulate_options *o, struct err *err);
void fabric_close(struct fabric *f);                /* a zeroed struct is fine */
/* The channels of a link, *lo to *hi, that a message with that mark may take. */
void fabric_channels(int *lo, int *hi, const struct fabric *f, int mark, int link);
static inline bool fabric_ends(const struct fabric *f, int node)       /* a terminal with links of its own */
{
    return f->from[f->cables + (size_t)node] >= 0;
}
