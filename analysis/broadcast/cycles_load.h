/* cycles_load.h -- broadcasts in cycles while a background sends: the run of cycles.h with waits drawn from the solved
 * collision model of the background (analysis/latency).
 *
 * A message of the broadcast that comes at t to a link which no other of them has used finds the background in its
 * steady state, but not what comes over its own upstream link g, which it has: with c = 1 - x_g (h_g + W_g), port j holds
 * the link with probability (x_j h_j - x_g C_gj)/c, for the rest of its hold, and waits there with x_j (W_j - C_jg)/c
 * (cycles_ports.h). Where the broadcast has used the link before, each port is known to have been away at some instant;
 * from then on it comes after an exponential time of mean T_j = 1/x_j - h_j - W_j, holds the link, and comes again. Who
 * waited for the link over which a process received comes before what it sends on at that instant.
 *
 * Closed sources are slowed by the broadcast: a link that its messages hold for K, after waiting for w, costs a message
 * of another port g on average (K - T_g (1 - exp(-K/T_g)) + K (1 - exp(-w/T_g)))/(D x_g), D being the mean completion.
 * With that the background is solved again (three times, K, w and D from drawn runs); a message that starts at t still
 * finds the undisturbed background with probability exp(-t/(3 latencies)). Open sources send as before.
 *
 * Units   cycles.
 * Errors  ERR_DOMAIN for what is not computed under load (store-and-forward, cables side by side), ERR_NETWORK as
 *         latency_solve, ERR_MEMORY, ERR_STOPPED. */
#ifndef ANALYSIS_BROADCAST_CYCLES_LOAD_H
#define ANALYSIS_BROADCAST_CYCLES_LOAD_H

#include "analysis/broadcast/cycles.h"
#include "analysis/broadcast/cycles_ports.h"

/* A background at one load, for any number of trees. */
struct cycles_background {
    struct latency_study *study;
    struct load load;
    struct cycles_ports calm;
    bool saturated;             /* the model of latency says that it is not to be believed */
    double latency;             /* of its messages, mean */
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
    double sd, median, p95, least, most;
    double idle, slowdown;      /* without background, and mean / idle */
    int draws, deadlocks;       /* runs whose messages blocked each other for good: in no mean */
    int n;
    struct cycles_mean *arrival;/* by process */
    int worst_link;             /* the link whose background the broadcast waited for longest; -1: nowhere */
    double worst_wait;          /* there, a broadcast */
    double waited;              /* at all links */
    double held;                /* largest part of the time that the background holds a link which the broadcast uses */
    double feedback;            /* rate of the background's messages during the broadcast, in parts of that without */
    enum validity validity;     /* VALIDITY_GOOD, _NEAR or _SATURATED */
};
/* A broadcast from root number `root` of the ways. */
int cycles_load(struct cycles_load *out, struct cycles_background *b, const struct cycles_ways *ways, int root,
                const struct cycles_how *how, const struct cycles_load_options *o, struct err *err);
void cycles_load_release(struct cycles_load *l);

#endif
