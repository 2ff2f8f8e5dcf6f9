/* switching.h -- how messages hold links: by standard names. One file switching_NAME.c each.
 * hold    a message keeps a link until it has got the links after it and its transmission is over
 * stores  a message goes on when it has arrived as a whole
 * sets_up a header takes the links and is answered before the message follows
 * router  channels and buffers that this means; virtual-channel alone leaves them to the user
 * Source  Dally and Towles 2004, chapters 12 and 13; Franco's thesis on Distributed Routing Balancing, section 2. */
#pragma once

#include "graph/base/entry.h"
#include "model/contention/router.h"

struct switching {
    ENTRY;
    bool hold, stores, sets_up;
    const struct router *router;        /* at the ends of links */
};
KIND_HEADER(switching, switching, struct switching);
extern const struct switching switching_wormhole, switching_virtual_channel;    /* usual: closed and open sources */
extern const struct switching switching_cut_through;

/* Cycles from a message's first flit on its first link to its last flit off the last, where it waits for nothing: its
 * flits, a cycle each (stored and forwarded: on every link), and the time of a hop for every link after the first. A
 * circuit is set up before, there and back. Linear in the links, so that their mean gives the mean time. */
static inline double switching_time(const struct switching *s, double flits, double links, double hop)
{
    return (s->stores ? links * flits : flits) + (links - 1 + (s->sets_up ? 2 * links : 0)) * hop;
}
/* How often the lengths of its links delay a message: a circuit's header passes them there and back before. */
static inline double switching_lengths(const struct switching *s)
{
    return s->sets_up ? 3 : 1;
}
