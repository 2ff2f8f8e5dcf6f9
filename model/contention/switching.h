/* switching.h -- how messages hold links: one list of standard names.
 * hold    a message keeps a link until it has got the links after it and its transmission is over
 * flits   its time is that of its flits, and each link after the first adds the time of a hop to its latency
 * Source  Dally and Towles 2004, chapters 12 and 13; Franco's thesis on Distributed Routing Balancing, section 2. */
#ifndef MODEL_CONTENTION_SWITCHING_H
#define MODEL_CONTENTION_SWITCHING_H

#include <stdbool.h>

#include "graph/base/err.h"

struct switching {
    const char *name, *summary;
    bool hold, flits;
    bool collides;              /* the collision model has it */
};
extern const struct switching *const switching_all[];       /* NULL-terminated; the first is the default */
const struct switching *switching_find(const char *name, struct err *err);

#endif
