#include "tests/support/simulated.h"

#include "tests/support/check.h"
#include "tests/support/nets.h"

static struct err err;

static void arrived(void *arg, const struct simulate_arrival *at)
{
    struct simulated *m = arg;

    if (m->n == m->room) {
        m->room = 2 * m->room + 64;
        m->arrival = realloc(m->arrival, m->room * sizeof *m->arrival);
        assert_non_null(m->arrival);
    }
    m->arrival[m->n++] = *at;
}

struct simulate_options simulated_usual(const char *switching)
{
    struct simulate_options o = simulate_usual;

    o.switching = switching_find(switching, &err);
    assert_non_null(o.switching);
    o.router = *o.switching->router;
    o.replications = o.jobs = 1;
    o.warmup = 0;
    return o;
}

int simulated_try(struct simulated *m, const char *routing, const struct simulate_options *o, struct err *e)
{
    struct simulate_options told = *o;

    if (o->replications == 1 && !(o->precision > 0)) {
        told.arrived = arrived;
        told.arg = m;
    }
    return simulate_open(&m->s, m->net, &m->traffic, routing, &told, e);
}

void simulated_nets(struct simulated *m, const char *net, const char *traffic)
{
    *m = (struct simulated){ 0 };
    if (net_open(&m->net, net, &err) < 0 || traffic_open(&m->traffic, m->net, traffic, &err) < 0)
        fail_msg("%s, %s: %s", net, traffic, err.msg);
}

void simulated_open(struct simulated *m, const char *net, const char *traffic, const char *routing,
                    const struct simulate_options *o)
{
    simulated_nets(m, net, traffic);
    if (simulated_try(m, routing, o, &err) < 0)
        fail_msg("%s, %s, %s: %s", net, traffic, routing ? routing : "auto", err.msg);
}

void simulated_run(struct simulated *m, double load, double flits)
{
    simulate_result_release(&m->r);
    m->n = 0;
    if (simulate_run(&m->r, m->s, &(struct load){ flits / load, 1 }, &err) < 0)
        fail_msg("%s: %s", m->net->spec, err.msg);
}

void simulated_release(struct simulated *m)
{
    simulate_close(m->s);
    simulate_result_release(&m->r);
    traffic_release(&m->traffic);
    net_close(m->net);
    free(m->arrival);
    *m = (struct simulated){ 0 };
}

void simulated_once(struct simulated *m, const char *net, const char *traffic, const char *routing,
                    const struct simulate_options *o, double load)
{
    simulated_open(m, net, traffic, routing, o);
    simulated_run(m, load, o->flits);
}

struct simulate_message *simulated_trace(struct rng *rng, struct net *net, const int *hops, size_t n, double over,
                                         int least, int most)
{
    struct simulate_message *t = calloc(n, sizeof *t);
    const uint64_t ends = (uint64_t)net->nterminal;

    assert_non_null(t);
    for (size_t i = 0; i < n; i++) {
        t[i].time = floor(over * (double)i / (double)n);
        t[i].flits = least + (double)rng_below(rng, (uint64_t)(most - least) + 1);
        do {
            t[i].source = net_terminal(net, (int)rng_below(rng, ends));
            t[i].target = net_terminal(net, (int)rng_below(rng, ends));
        } while (hops[t[i].source * net->n + t[i].target] <= 0);
    }
    return t;
}

int simulated_links(struct net *net, const int *hops, int source, int target, bool terminals)
{
    return hops[source * net->n + target] +
        (terminals ? nets_own_switch(net, source) + nets_own_switch(net, target) : 0);
}
