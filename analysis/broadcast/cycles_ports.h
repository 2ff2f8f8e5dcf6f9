/* cycles_ports.h -- the background at the links that a broadcast uses: for each port of a solved collision model
 * (collide.h) how often and how long it holds its link, how that varies, and how long it is idle between; and drawn from
 * it, the wait of a message of the broadcast that arrives.
 * Units   cycles, messages per cycle.
 * Errors  ERR_MEMORY.
 * How holds vary is collide_spread.h's. */
#pragma once

#include "analysis/latency/latency.h"
#include "graph/numeric/rng.h"

struct cycles_port {
    double x, hold, wait;       /* messages per cycle; mean hold; mean wait for the link's other ports */
    double idle;                /* mean time from releasing the link until the next request */
};
struct cycles_ports {
    const struct flows *f;
    struct cycles_port *port;
    struct closure_spread *spread;      /* of H */
    double *pair;               /* C_gj, as in collide.h */
    double *held;               /* by link: part of the time; 0: no port is in use */
    double *hold, *rate;        /* by link: mean over its messages; these per cycle */
    double latency;             /* mean of a message */
};
/* Copies what it needs. `open`: as the study's sources are. */
int cycles_ports_open(struct cycles_ports *p, const struct collide *c, bool open, struct err *err);
void cycles_ports_release(struct cycles_ports *p);

/* Uniform in (0, 1]. */
static inline double cycles_uniform(struct rng *rng)
{
    return rng_uniform(rng) + 0x1p-53;
}
/* H of a port; `biased`: of one seen at a random instant, longer ones more often. */
double cycles_port_hold(const struct cycles_ports *p, size_t g, bool biased, struct rng *rng);

/* Part of the time that other ports hold link l, as a message finds it that comes over port g (-1: none of these). */
double cycles_ports_held(const struct cycles_ports *p, size_t l, int64_t g);
/* When such a message, which arrives at t, gets the link in the background's steady state. idle_since[j] of the link's
 * ports, the last instant at which each is known to have been idle, rises. */
double cycles_ports_steady(const struct cycles_ports *p, size_t l, int64_t g, double held, double t, double *idle_since,
                           struct rng *rng);
/* The same where a message of the broadcast released the link at `from`: ports request it after exponential times from
 * idle_since on, are served first come first served, and request it again. `arrival_at`: room for as many numbers as the
 * link has ports. */
double cycles_ports_since(const struct cycles_ports *p, size_t l, int64_t g, double from, double t, double *idle_since,
                          double *arrival_at, struct rng *rng);
