/* collide.h -- mean waits where messages collide, over a whole network: ports of links as queues that depend on each
 * other.
 *
 * Closed sources (one message under way each: compute for an exponential time of mean `interval`, send, wait until it
 * has arrived): at a link with several ports, a port g is a source that is idle for a mean T_g and then wants the link
 * for h_g. C_gj, what g waits for port j, is the exact wait of two such sources where there are two ports
 * (contention.h, `exact`, a Markov renewal chain), corrected where j waits for others too:
 *     C_gj = min(h_j, (x_j / x_g) (h_j - (1 - a) T_g (1 - exp(-h_j / T_g)))),     W_g = sum_j C_gj, T_g = 1/x_g - h_g -
 *     W_g,  e = W_j - C_jg,  P = min(1, C_jg / h_g),
 *     a = (1 - P) e / (T_g + e) + P (e/2) / (T_g + e/2),
 * x_j less what the two ports owe to common sources, which never compete with themselves. A wormhole message holds a
 * link while it waits for those after it: h of a state is its time and all waits still to come, that of a port the mean
 * by rate. Latencies give rates, X = 1/(interval + latency), rates and holds give waits: a fixed point, found by
 * Anderson acceleration from no waits (or from the last solution) until no C_gj changes by more than the tolerance;
 * where messages hold links, twice again with E exp(-H_j / T_g) for exp(-h_j / T_g), holds H varying as the last
 * solution says (collide_spread.h). Not to be believed where some link is held more than 0.8 of the time (cut-through:
 * 0.7). Against simulation of messages on an 8x8 mesh, mean error of a stream's latency: 16 random streams 0.1 to 1 %
 * at intervals of 4 TD and more, 64 streams 1.6 to 2.2 % at 4 TD, uniform traffic 1 and 6 % at TD/interval 0.1 and
 * 0.3. At one link against the exact chain, 3 to 6 random streams: 0.2 % in the mean up to that load, 4.5 % beyond it.
 *
 * `resistor`: the same with one equivalent opponent per port, 1/T = sum of 1/T_j, as Franco's thesis words it; it caps
 * a wait at one hold, where the truth tends to all of the others'.
 *
 * Open sources (messages arrive at random whatever the network does): by routers (collide_router.c); where messages
 * hold all their links (wormhole, circuit) each port an M/G/1 queue without its own messages (J. Draper and J. Ghosh
 * 1994): W_g = (1 - x_g/x_l) x_l (h_l^2 + (h_l - TD)^2) / (2 (1 - x_l h_l)), iterated from no waits. There is a load
 * beyond which there is no solution: the model's own saturation.
 *
 * What a message takes where it waits for nothing is switching_time over its links; hop times delay it and hold no
 * link.
 *
 * Links as they are: the F flits of a message take F/b over a link of bandwidth b. On its way they follow each other as
 * the slowest link lets them: it takes F/b of that one (stored and forwarded: of each link in turn), and the lengths of
 * all links (a circuit is set up there and back before: three times). Where waiting messages leave their links, it
 * holds one for its own F/b: behind a slower link it begins so late that it ends with its tail. Else it holds it for
 * F/b of the slowest of its whole way, and its waits ahead. States are shared by ways that differ in what was before:
 * which link was the slowest so far is a distribution that goes down from the injections, which of those to come one
 * that goes up from the ends (flows.h), so that the mean of the slower of both is exact. A link transmits for its own
 * F/b (busy).
 *
 * Units   cycles; messages per cycle.
 * Errors  ERR_NETWORK where the iteration does not converge or an open load is beyond saturation. */
#pragma once

#include "analysis/load/flows.h"
#include "graph/numeric/mixing.h"
#include "model/contention/closure.h"
#include "model/contention/switching.h"

struct load {
    double interval;            /* of sources that have none of their own */
    double factor;              /* all rates are multiplied by it */
};
struct collide_options {
    const struct switching *switching;
    struct router router;       /* vcs 0: what the switching means */
    const struct closure *closure;      /* NULL: pairwise */
    double time;                /* transmission time of sources without one of their own, and flits of a message */
    double hop_time;            /* of links after the first: takes time, holds nothing */
    double tolerance;           /* of waits, in parts of the smallest transmission time; 0: 1e-9 */
    int rounds;                 /* at most; 0: 100,000. Open sources: never more than 20,000 */
    int jobs;
    const struct tick *tick;
};

/* A working place for one flows; what it holds after a solution is the solution. */
struct collide {
    const struct flows *f;
    struct collide_options o;
    double least_time;
    double *mi, *time;          /* by source; time: over the fastest link of the network */

    double *rate, *latency;     /* by source: messages per cycle, mean latency in the network */
    double *wait;               /* by port */
    double *x, *hold;           /* by port: rate, mean hold */
    double *vary;               /* by port: variance of holds, as far as it is known */
    double *time_sum;           /* by port: rate times mean of `time`; NULL where all times are the same */
    double *slow_sum;           /* by port: rate times mean time over the slowest link of a message's way; NULL unless
                                 * messages hold links and these differ in bandwidth */
    double *pair;               /* C, see flows.pair_first */
    double *rest;               /* by state: mean waits still to come */
    int64_t full_link;          /* open, beyond saturation: the link that does not keep up; else -1 */
    size_t rounds;
    double residual;            /* largest change of a wait in the last round, in parts of the smallest time */

    double *idle;               /* by source: mean latency where nothing waits */
    double *next, *mass, *mass_time, *shared;   /* masses by state; unless messages hold links by chunk, and there by
                                                 * state of a block */
    size_t shared_room;         /* overlaps may become more when shares change */
    double *sum, *held, *times; /* by chunk and port: rate; rate-weighted waits beyond the port; time_sum */
    double *slow, *mass_slow;   /* by chunk and port: slow_sum; by state and slowness: what came over no slower links */
    struct mixing mixing;
    struct place *place;        /* of collide_router.c; NULL: not yet */
    /* Closed sources, by port, where more is known; NULL: nothing. How holds vary: the exact wait of two is then that
     * of random holds, E exp(-H/T) for exp(-h/T). What messages wait for besides. */
    const struct closure_spread *spread;
    const double *others;
    /* Where messages choose among hops by the queues of the moment: by state, and behind these by injection, which part
     * of the mean wait of the hops it takes they wait; NULL: all of it. */
    const double *part;
    bool warm;                  /* pair holds a solution to begin from */
};

/* Mean wait of messages at the first link of an injection. */
static inline double collide_first(const struct collide *c, size_t i)
{
    return c->wait[c->f->injection_port[i]] * (c->part ? c->part[c->f->nstate + i] : 1);
}

int collide_open(struct collide *c, const struct flows *f, const struct collide_options *o, struct err *err);
void collide_release(struct collide *c);

/* Not of flows without overlaps (flows_options.apart). */
int collide_closed_solve(struct collide *c, const struct load *load, struct err *err);
/* From no waits; ERR_NETWORK beyond saturation. */
int collide_open_solve(struct collide *c, const struct load *load, struct err *err);
/* The largest factor by which the rates of `load` can be multiplied so that the open equations have a solution. Where
 * messages hold all their links along the curve of solutions (collide_mg1.c), in some hundred rounds: against halving by
 * loads that are solved, 1e-6 off as a rule and 5e-5 at the worst on random networks (tests/unit/test_saturation.c). By
 * routers exactly that at which the first link is full, or less by halving, to 1e-3, where channels or their buffers are
 * taken before. */
int collide_saturation(double *factor, struct collide *c, const struct load *load, struct err *err);

/* Open sources of messages that hold all their links (collide_mg1.c). */
int collide_mg1_solve(struct collide *c, const struct load *load, struct err *err);
int collide_mg1_saturation(double *factor, struct collide *c, const struct load *load, struct err *err);
/* The same where messages that wait leave their links (collide_router.c). */
int collide_router_solve(struct collide *c, const struct load *load, struct err *err);
/* Closed sources over links with channels and buffers: as open ones of the rates that the latencies leave them. For
 * many sources that each send to many: a few of them meet less often. Against message-level simulation of uniform
 * traffic on an 8x8 mesh, without limits to buffers: +0.4, +2.1, +4.9, +6.4 % at intervals of 16, 6, 3, 2 transmission
 * times (cut-through, by pairs: -0.7, -3.7, -8.8, -12.1 %). */
int collide_router_closed(struct collide *c, const struct load *load, struct err *err);
int collide_router_saturation(double *factor, struct collide *c, const struct load *load, struct err *err);
void collide_router_release(struct collide *c);

/* ---- shared by all: collide_flow.c ---- */
/* Says that open sources are beyond saturation; `link` -1: which one is full is not known. */
int collide_beyond(struct collide *c, const struct load *load, int64_t link, struct err *err);
/* What the router's end of the link adds to the time of a message of `time` over links of which the slowest is that
 * slow. */
double collide_late(const struct collide *c, double time, double slow);
/* "an interval of 20 cycles"; of sources with intervals of their own "1.5 times their rates". */
const char *load_name(char out[60], const struct flows *f, const struct load *load);
/* The same with "a load of 0.3" for the interval. */
const char *collide_load_name(char out[60], const struct collide *c, const struct load *load);
void collide_rests(struct collide *c);          /* rest, from wait */
/* x and hold, from rate and rest; `calm`: as where nothing waits, whatever rest holds. */
void collide_flow(struct collide *c, bool calm);
void collide_holds(struct collide *c);          /* rest and hold, from wait, while rates stay */
void collide_latencies(struct collide *c);      /* latency and idle, from wait and rest */
/* What port g takes of its link's time, and what its messages would hold the link for, did they wait for nothing: both
 * times their rate. */
static inline double collide_busy(const struct collide *c, size_t g)
{
    const double time = c->time_sum ? c->time_sum[g] : c->x[g] * c->least_time;

    return time * flows_slow(c->f, (size_t)c->f->port_link[g]);
}
static inline double collide_held(const struct collide *c, size_t g)
{
    return c->slow_sum ? c->slow_sum[g] : collide_busy(c, g);
}
/* Sums over the ports of a link that are in use, times their rates. */
struct link_sum {
    double x, hold, busy, held, wait, squares;  /* rate; as by port; of rates */
    size_t n;                                   /* ports */
};
static inline struct link_sum collide_link(const struct collide *c, size_t l)
{
    const struct flows *f = c->f;
    struct link_sum s = { 0 };

    for (size_t g = f->port_first[l]; g < f->port_first[l + 1]; g++) {
        const double many = flows_ports(f, g);

        s.x += many * c->x[g];
        s.hold += many * c->x[g] * c->hold[g];
        s.busy += many * collide_busy(c, g);
        s.held += many * collide_held(c, g);
        s.wait += many * c->x[g] * c->wait[g];
        s.squares += many * c->x[g] * c->x[g];
        s.n += c->x[g] > 0 ? (size_t)many : 0;
    }
    return s;
}
/* What a message takes over an injection beyond its transmission time over the fastest link, where it waits for
 * nothing, and what a further link adds to that where all are as fast and of no length. */
double collide_way(const struct collide *c, size_t injection);
double collide_hop(const struct collide *c, double time);
int collide_begin(struct collide *c, const struct load *load, struct err *err);     /* mi and time */
