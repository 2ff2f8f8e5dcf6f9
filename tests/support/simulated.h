/* simulated.h -- runs of the flit-level simulator for tests: opened by name, and every message that it delivers kept.
 * Failures are cmocka's. */
#pragma once

#include "analysis/simulate/simulate.h"
#include "graph/numeric/rng.h"

struct simulated {
    struct net *net;
    struct traffic traffic;
    struct simulation *s;
    struct simulate_result r;
    struct simulate_arrival *arrival;   /* those delivered by the last run, in that order */
    size_t n, room;
};

/* simulate_usual on one thread, once, from the first cycle on. */
struct simulate_options simulated_usual(const char *switching);
void simulated_nets(struct simulated *m, const char *net, const char *traffic);
/* `o` is told of arrivals where it has one replication. The routing NULL: the usual one. */
void simulated_open(struct simulated *m, const char *net, const char *traffic, const char *routing,
                    const struct simulate_options *o);
/* On a network and traffic that m has already; -1 and err where it is refused. */
int simulated_try(struct simulated *m, const char *routing, const struct simulate_options *o, struct err *err);
/* The last run's result is released. Flits per cycle of a source of messages of so many. */
void simulated_run(struct simulated *m, double load, double flits);
void simulated_release(struct simulated *m);
/* Both. */
void simulated_once(struct simulated *m, const char *net, const char *traffic, const char *routing,
                    const struct simulate_options *o, double load);
/* n messages between terminals that are joined, at times even in 0..over, ascending, of least..most flits. hops: as
 * measure_hops. To be freed. */
struct simulate_message *simulated_trace(struct rng *rng, struct net *net, const int *hops, size_t n, double over,
                                         int least, int most);
/* Links that a message crosses on a shortest path: of terminals that are their own switch those into and out of the
 * network as well. */
int simulated_links(struct net *net, const int *hops, int source, int target, bool terminals);
