/* latency_quantiles.h -- median, 95th and 99th percentile of packet latency over all messages, by fit: a solved study
 * knows how long messages wait in the mean, where (collide.h); how waits vary is put under these means.
 *   wait at a port   none with probability 1 - rho W_g / W, and E W_g^2 = W_g E W^2 / W: in shape what the link's whole
 *                    traffic would wait, W, an M/G/1 queue at rho, met as often as the mean W_g says. What holds wait
 *                    ahead is gamma distributed, of variance G^2 + 2/3 t G as waits for messages of t have. Where flits
 *                    take turns (merging of collide_router.c), rho is the part of messages that meet another before
 *                    they are over, and the variance W_g (F/2 + 1.3 W), fitted to 96 runs of the flit-level simulator
 *   closed sources   variances by collide_spread.h; none with h / (h + 2 W), as in M/D/1
 *   wait at the source  M/G/1
 *   a way            waits as if independent: means, variances and the logarithms of "none" add up
 * The latencies of an injection are its zero-load latency and a gamma distribution with an atom at zero that has these
 * moments; those of all messages a mixture by rates, ways with about the same waits (TOGETHER) put together.
 * Against analysis/simulate/simulate.h: examples/guide/latency.md, "Percentiles".
 * Units   cycles.
 * Errors  ERR_MEMORY.
 * Source  L. Kleinrock, Queueing Systems 1, 1975, chapter 5 (moments of waits); T. Ott 1984, "The sojourn-time
 *         distribution in the M/G/1 queue with processor sharing" (what turns do to variances). */
#pragma once

#include "analysis/latency/latency.h"

struct latency_quantiles {
    double median, p95, p99;
};
/* Of what s has solved. NAN where the fit was not held against simulation, or does not hold within 10 %: rows that are
 * not valid, one channel with a limited buffer (a class), a crossbar with speedup or packets that are not interleaved
 * (but of cut-through), circuits, links or sources of unlike times. */
int latency_quantiles(struct latency_quantiles *out, const struct latency_study *s, enum validity validity,
                      struct err *err);
