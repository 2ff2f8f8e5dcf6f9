/* cycles_ports.h -- what the background's messages do at the links that a broadcast meets them on: for each port of a
 * solved collision model (collide.h) how often and how long it holds its link, how that varies, and how long it stays
 * away; and drawn from it, who is there when a message of the broadcast comes.
 * Units   cycles, messages per cycle.
 * Errors  ERR_MEMORY.
 * How holds vary is collide_spread.h's. */
#ifndef ANALYSIS_BROADCAST_CYCLES_PORTS_H
#define ANALYSIS_BROADCAST_CYCLES_PORTS_H

#include "analysis/latency/latency.h"
#include "graph/numeric/rng.h"

struct cycles_port {
    double x, hold, wait;       /* messages per cycle; mean hold; mean wait for the link's other ports */
    double away;                /* mean time from leaving the link until wanting it again */
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

/* Of link l as a message finds it that comes over port g (-1: none of these): the part of its time that other ports
 * hold it, and the probability that port j of them waits there. */
double cycles_ports_held(const struct cycles_ports *p, size_t l, int64_t g);
/* When such a message, that came at t, gets the link. clock[j] of the link's ports: when each is known to have been
 * away, rises. */
double cycles_ports_find(const struct cycles_ports *p, size_t l, int64_t g, double held, double t, double *clock,
                         struct rng *rng);
/* The same where a message of the broadcast let go of the link at `from`: since when they are known to have been away
 * ports come after exponential times, first come first served, and come back. `ring`: room for as many as the link has
 * ports. */
double cycles_ports_since(const struct cycles_ports *p, size_t l, int64_t g, double from, double t, double *clock,
                          double *ring, struct rng *rng);

#endif
