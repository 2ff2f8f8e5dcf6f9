/* escape.h -- what waits for what on the channels of an escape (adaptive.h). A message on any channel may wait for the
 * escape's next one; whoever holds one of the escape's goes on from there, by the escape or over any number of other
 * hops, and may come to wait for another: the direct and indirect dependencies of the extended channel dependency
 * graph. Where they close no cycle no deadlock can occur, whatever waits elsewhere, if every link has a channel more
 * for other hops (Duato 1993, theorem 2; for wormhole a channel's buffer is given to the next message when it is
 * empty). Since the escape's channels serve the escape alone, there are no cross dependencies. Marks of a scheme of
 * classes are carried along all hops, and decide the class where a channel of the escape is taken.
 * As turns of follow.h, but over links that need not lie next to each other; errors as there, and ERR_MEMORY. */
#pragma once

#include "model/routing/follow.h"

/* As follow_turns: first each link of the escape (in -1) that messages to a target may be on, then the dependencies. */
int escape_turns(struct follow *f, struct routing *r, int target,
                 int (*visit)(void *arg, const struct turn *turn, struct err *err), void *arg, struct err *err);
/* As follow_cause. */
int escape_cause(struct route_path *path, struct follow *f, struct routing *r, const struct turn *turn,
                 struct err *err);
