/* switching.h -- how messages hold links: by standard names. One file switching_NAME.c each.
 * hold    a message keeps a link until it has got the links after it and its transmission is over
 * flits   its time is that of its flits, and each link after the first adds the time of a hop to its latency
 * Source  Dally and Towles 2004, chapters 12 and 13; Franco's thesis on Distributed Routing Balancing, section 2. */
#ifndef MODEL_CONTENTION_SWITCHING_H
#define MODEL_CONTENTION_SWITCHING_H

#include "graph/base/entry.h"

struct switching {
    ENTRY;
    bool hold, flits;
    bool collides;              /* the collision model has it */
};
KIND_HEADER(switching, switching, struct switching);
extern const struct switching switching_wormhole;      /* the default */

#endif
