/* router.h -- routers at the ends of links: how many messages a link holds at once, and how their flits share it.
 *   channels   virtual channels of a link, each with a buffer of its own at the far end. A message takes one on every
 *              link, and releases it when its last flit has left the buffer. Classes (against deadlock) divide them: a
 *              message chooses among channels of its class.
 *   buffer     flits that a channel's buffer holds: where it is less than a message, a blocked message occupies several
 *              links.
 *   credit loop  cycles from a flit's sending until its place in the buffer can be used again: with a buffer below
 *              that, a channel moves buffer/loop flits a cycle.
 *   crossbar   without speedup an input passes on one flit a cycle, whatever its channels hold.
 *   interleaving  flits of several messages take turns on a link; else it stays with one message until its end.
 * Units   flits, cycles.
 * Source  W. Dally, Virtual-channel flow control, 1992; Dally and Towles 2004, chapters 13 and 16. */
#pragma once

#include "graph/base/base.h"

struct router {
    double vcs, buffer;         /* channels of a link; flits of each channel's buffer; INFINITY: without limit */
    double credit_loop;         /* 0: within the buffer */
    double time;                /* cycles that a router takes beyond those of the link after it */
    int classes;                /* of channels; 0: as many as the routing needs */
    bool speedup;               /* of the crossbar */
    bool packets;               /* messages are not interleaved */
};
extern const struct router router_usual, router_unlimited, router_single;

/* Of each class. */
static inline double router_channels(const struct router *r)
{
    return floor(r->vcs / (r->classes ? r->classes : 1));
}
/* Cycles a flit, at least, over all channels of a link, and over one. */
static inline double router_pace(const struct router *r, double channels)
{
    return isinf(r->buffer) || isinf(channels) ? 0 : r->credit_loop / (r->buffer * channels);
}
/* Extra latency of a lone message where a channel is slower than the slowest link, over which a flit takes `pace`
 * cycles: its flits come in groups as large as the buffer, and between two groups the channel waits for credits. These
 * waits overlap on all links. */
static inline double router_late(const struct router *r, double flits, double pace)
{
    const double gap = r->credit_loop - r->buffer * pace;

    return gap > 0 ? floor((ceil(flits) - 1) / r->buffer) * gap : 0;
}
