/* wormhole.h -- messages one by one: a simulation of closed sources that knows nothing of the models it judges.
 * A source computes for an exponential time, then its message takes the links of its path one after the other, without
 * delay; who finds a link held waits there, first come first served, and keeps what it has. Its transmission time after
 * it got the last link it gives them all back. Routes must not close cycles: mesh, tree. */
#pragma once

#include "graph/numeric/rng.h"
#include "tests/support/paths.h"

/* latency[source], means over `messages` in all after a tenth as many that are not counted. */
void wormhole_run(double *latency, const struct paths *p, double interval, double time, long messages, struct rng *rng);
