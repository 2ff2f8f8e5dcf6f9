/* messages.h -- cut-through simulated message by message, for tests of waits at links: a link takes messages first
 * come, first served, one after the other; those that wait stand in buffers without limit. Sources send at random,
 * whatever the network does, through a link of their own as fast as the first of the way; what waits there is not
 * counted. Behind a slower link a message begins so late that it ends with its tail. No time for hops.
 * Units   cycles; `time` over a unit link.
 * Nothing here knows states, folding or formulas: the ways are listed (paths.h). Failures are cmocka's. */
#pragma once

#include "graph/numeric/rng.h"
#include "tests/support/paths.h"

struct messages {
    double wait, error;         /* mean over messages of what one waits at all its links, and its standard error */
    double *port_wait;          /* by port of the paths: mean; NAN where nothing came */
    double *port_many;          /* messages that came */
};
/* `many` messages, as many as a fifth of that before them not counted. */
void messages_run(struct messages *out, const struct paths *p, double interval, double time, long many,
                  struct rng *rng);
void messages_release(struct messages *m);
