/* cycles_load.h -- broadcasts in cycles while a background sends: the run of cycles.h with waits drawn from the solved
 * collision model of the background (analysis/latency).
 *
 * What a message of the broadcast that comes at t to a link over a port g (from upstream, -1: none) finds there:
 * 1. Where no other has used the link, or not for two mean holds: the background's steady state, but for g, whose
 *    messages cannot be there while this one has the link before. With c = 1 - x_g (h_g + W_g) port j holds the link
 *    with probability (x_j h_j - x_g C_gj)/c, for an even part of a hold H_j that longer ones have more often, and
 *    waits with x_j (W_j - C_jg)/c (collide.h; open sources: C_gj = W_g x_j E H_j^2 / sum over k != g of x_k E H_k^2).
 * 2. Where one has: each port is known to have been away at some instant; from then on it comes after an exponential
 *    time of mean T_j = 1/x_j - h_j - W_j, first come first served, holds the link for H_j, and comes again.
 * 3. Where it waited for a message of the background over the link before, which goes on to this one (x_g of that
 *    link's messages): both links are let go at once, and this one is taken by what waited for it meanwhile, as in 2.
 * 4. A first link, asked for the instant its sender received: whoever waited for a link of the way to the sender (2)
 *    goes on over all of it, and before the message, if that is where it goes; without hop times and lengths alone.
 * H_j is drawn as in cycles_ports.h.
 *
 * What the broadcast does to the background: a link that its messages have for K, after waiting for w, costs a message
 * of another port g
 *     (K - T_g (1 - exp(-K/T_g)) + K (1 - exp(-w/T_g))) / (D x_g)
 * on average, D being the time over which the messages of the broadcast find each other, (integral of n)^2 / integral
 * of n^2, n under way: the completion, where there is always as much under way. Closed sources are solved again with
 * that in their waits, three times, with K, w and D of drawn runs; of open ones only holds become longer, once. A
 * message that starts at t finds the background undisturbed with probability exp(-2t/latency).
 *
 * Runs are drawn until the mean is known to half a per cent. Results depend on the seed, not on the threads. Sums of
 * waits of closed sources with random holds take E exp(-H/T) for exp(-h/T) in collide.h.
 *
 * Left out: what the two sides' random numbers have in common beyond that (sources of several ports, messages of the
 * background that wait for each other behind the broadcast), buffers of cut-through, open sources' queues. Circuits
 * with hop times or lengths hold links longer than collide.h knows.
 * Mean completion of four trees (sequential, binary, binomial, chain) against messages simulated one by one, TD 25, one
 * port, uniform traffic, 1500 runs (0.4 to 0.9 % at 95 %); `held` is the largest part of the time that a link is held:
 *     wormhole, closed   4x4 mesh, held 0.16: +0.3 -0.2 -0.8 -0.1 %;   0.43: -2.2 -4.0 -3.9 -0.5 %
 *              hop time 2  4x4 mesh, 0.16: -0.1 -2.6 -4.0 -0.2 %
 *                        5x3 mesh, 0.31: -2.2 -1.2 -0.4 -0.3 %;   0.54: -7.4 -5.0 -6.3 -1.9 %
 *                        hypercube:4, 0.17: -0.7 -0.8 -0.7 -0.3 %;   0.31: -1.2 -1.7 -1.6 -0.9 %
 *                        star:16, 0.22: 0 +0.5 +1.9 -0.4 %
 *              hop time 1  8x8 mesh, 0.17: -0.7 -4.6 -11.2 +0.1 % (600 runs)
 *                        4x4 mesh, bandwidths 1 and 2, 0.23: -0.5 -0.6 -3.1 -1.7 %
 *                        8x8 mesh, 0.33: -3.4 -5.2 -6.7 -1.4 %
 *                        fattree:4, dmodk, 0.28: -1.3 -2.2 -0.8 -0.9 %
 *              open      5x3 mesh, 0.28: -0.6 -0.7 +0.8 +0.4 %;   4x4 mesh, 0.34: +3.2 +0.6 +1.4 +1.7 %
 *                        hypercube:4, 0.31: +5.3 +3.8 +3.6 +3.0 %;   star:16, 0.55: +2 +11 +10 +3 %
 *                        fattree:4, 0.26: +2.4 +3.6 +2.8 +0.7 %;   8x8 mesh, 0.23: -2.8 -5.3 -6.2 -0.4 %
 *     cut-through closed 4x4 mesh, 0.15: -0.3 -2.6 -1.4 -0.5 %;   0.3: -2.8 -6.1 -2.5 -0.7 %
 *                        torus:4x4, 0.23: -1.3 -3.6 -0.7 -0.4 %
 *              open      5x3 mesh, 0.54: -6.5 -7.0 -2.3 +0.4 %
 * Deviations of completion are up to 30 % low. The order of the trees was right in every row.
 *
 * Units   cycles.
 * Errors  ERR_DOMAIN for what is not computed under load (store-and-forward, cables side by side), ERR_NETWORK as
 *         latency_solve, ERR_MEMORY, ERR_STOPPED. */
#pragma once

#include "analysis/broadcast/cycles.h"
#include "analysis/broadcast/cycles_ports.h"

/* A background at one load, for any number of trees. */
struct cycles_background {
    struct latency_study *study;
    struct load load;
    struct cycles_ports calm;
    bool near, saturated;       /* what the model of latency says of it: saturation is near (of open sources, where
                                 * latency_saturation was asked), it is not to be believed */
};
/* Solves the study at that load. It has every node's own ports (latency_options.unfolded), outlives the background, and
 * is solved again by each broadcast. */
int cycles_background_open(struct cycles_background *b, struct latency_study *study, const struct cycles_links *links,
                           const struct load *load, struct err *err);
void cycles_background_release(struct cycles_background *b);

enum { CYCLES_DRAWS = 10000, CYCLES_DRAWS_MOST = 100000 };
struct cycles_load_options {
    int draws;                  /* at most; 0: CYCLES_DRAWS */
    double precision;           /* half-width of the mean's confidence interval at which drawing ends, in parts of the
                                 * mean; 0: 0.005 */
    uint64_t seed;              /* the same: the same results, whatever the threads */
    int jobs;                   /* 0: all */
    const struct tick *tick;
};
struct cycles_mean {
    double mean, half;          /* half-width of the 95 % confidence interval; NAN for less than two draws */
};
struct cycles_load {
    struct cycles_mean completion;
    double sd, p95;
    double idle, slowdown;      /* without background, and mean / idle */
    int draws, deadlocks;       /* runs in which messages blocked each other for good: in no mean */
    int n;
    struct cycles_mean *arrival;/* by process */
    int worst_link;             /* where the broadcast waited longest for the background; -1: nowhere */
    double worst_wait;          /* there, a draw (deadlocked ones too) */
    double waited;              /* at all links */
    double held;                /* largest part of the time that the background holds a link which the broadcast uses */
    enum validity validity;     /* VALIDITY_GOOD: `held` at most 0.3 (cut-through 0.2), VALIDITY_NEAR: 0.5, or where the
                                 * background is near, VALIDITY_SATURATED beyond, or where it is; VALIDITY_OUTSIDE:
                                 * circuits with hop times or lengths; VALIDITY_DEADLOCK before all: messages hold
                                 * their links, and turns of both close a cycle */
};
/* A broadcast from root number `root` of the ways. */
int cycles_load(struct cycles_load *out, struct cycles_background *b, const struct cycles_ways *ways, int root,
                const struct cycles_how *how, const struct cycles_load_options *o, struct err *err);
void cycles_load_release(struct cycles_load *l);
/* What the reader must know of a mean of that validity, but VALIDITY_GOOD. */
const char *cycles_load_caution(enum validity v);
