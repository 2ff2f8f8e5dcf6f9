/* cycles_again.h -- repeated broadcasts: the rate that roots can keep, and the completion time at a rate. Rank v of
 * the broadcast of root r is process (v + r) mod P; a process sends for all of them, first come first served.
 * Units   cycles; rates in broadcasts of one root per cycle.
 * Errors  ERR_DOMAIN for a single process; ERR_NETWORK where messages block each other for good; ERR_MEMORY.
 *
 * Open: each of n roots starts broadcasts at Poisson rate x = 1/interval, whether its last was complete or not. With T0
 * the mean completion on the idle network (event runs, exact), S the interval at which they saturate and rho = x S,
 *     T = T0 + a x q(rho) / (1 - rho),   q(0) = 1:
 *   a   the slope at no load: 1/n times the sum over ordered pairs of roots of the integral, over the offset between
 *       their broadcasts, of what both take longer than alone (Reiman and Simon 1988), by event runs of two broadcasts.
 *       On unit links without hop time all instants of one are multiples of the flits, so that this is linear between
 *       such offsets and their middles make it exact where all are run (slope_exact); else they are a sample.
 *   q   a parabola through 1 and drawn runs at rho 0.4 and 0.8. From their means is taken what a single queue of the
 *       same arrivals (M/D/1, service S/n) happened to wait more than its known mean, by regression. A root alone whose
 *       broadcast is one batch of length B is that queue: q = 1, a = B^2 / 2, S = B.
 *   S   from two runs of few and many rounds in which all roots start broadcasts 15 % more often than they can and
 *       more: what further rounds take longer, over how many they are. One root starts all at once, which may keep
 *       them in step and quicker than they ever are: where waits drawn at rho 0.8 are beyond JAMMED, S is what these
 *       came to.
 * Closed: each root pauses for an exponential time of mean Z after its last broadcast was complete. Its rate is then
 * x = 1 / (Z + T), and
 *     T = T0 + a x g(u),   u = Z / (Z + S),   g(1) = 1,
 * a quadratic in T: a leaves out pairs of a root with itself, g is the polynomial through 1 and drawn runs at u = 0
 * (nearly: pauses of T0/100), 0.06, 0.2, 0.35, 0.5, 0.65 and 0.85, S is T at Z = 0. Nothing saturates: all are valid.
 * Roots may keep unlike rates; x is their mean.
 *
 * Against simulation (tests/support/cycles_twin.h, and long runs of cycles.h; four trees, all roots, a few or one;
 * meshes, tori, hypercubes, stars, fat trees of 15 and 16 processes; all switchings) T is within 1 % at rho 0.3, 2.5 %
 * at 0.5 and 5 % to AGAIN_MOST, of 64 processes 2, 3 and 8 %; closed within 2 %, of 64 processes 5 %. S is within 2.5 %
 * of where queues grow without end, of 64 processes 5 %. Beyond AGAIN_MOST no T is given: there it depends on little
 * but S. The same seed gives the same numbers. */
#pragma once

#include "analysis/broadcast/cycles_capacity.h"

struct again_how {
    struct cycles_how run;
    bool closed;                /* a root pauses after its last broadcast completes; else it starts them at random */
    uint64_t seed;
    double work;                /* messages of a drawn run; 0: AGAIN_WORK. At least eight broadcasts of each root */
};
#define AGAIN_WORK 200000
#define AGAIN_KNOTS 8
#define AGAIN_GOOD 0.5
#define AGAIN_MOST 0.8

struct again {
    bool closed;
    int nroot;
    struct cycles_capacity capacity;
    double idle;                /* T0 */
    double slope;               /* a, cycles squared; */
    bool slope_exact;           /* over all offsets, not over a sample */
    double saturation;          /* S; closed: the time from start to start of roots that do not pause */
    double factor[AGAIN_KNOTS]; /* q or g, where they are known */
};
int again_open(struct again *out, const struct cycles_ways *ways, const struct again_how *how, const struct tick *tick,
               struct err *err);

enum again_validity {
    AGAIN_VALID,
    AGAIN_NEAR,                 /* open: rho above AGAIN_GOOD */
    AGAIN_SATURATED             /* above AGAIN_MOST: refused */
};
struct again_at {
    double rate;                /* broadcasts of a root per cycle */
    double rho;                 /* rate times S */
    double completion;          /* mean; NAN: saturated */
    enum again_validity validity;
};
/* interval: the mean between starts of a root, or of its pauses; positive. */
struct again_at again_at(const struct again *a, double interval);
/* The interval at which rho is that; NAN: closed roots reach no such rate. */
double again_interval(const struct again *a, double rho);
/* An interval between `from` and `to` at which both take as long; NAN: at both ends the same one takes longer. */
double again_crossing(const struct again *a, const struct again *b, double from, double to);
