/* Messages flit by flit: flits over links a second, what an idle network costs, a hot spot of many messages. */
#include "bench.h"

#include "analysis/simulate/simulate.h"

static struct err err;

struct result {
    double flit_hops, messages;
};

/* One replication of so many cycles on one thread; the network is opened before. */
static struct bench simulated(struct result *out, const char *network, const char *traffic, double load, double vcs,
                              double buffer, double cycles)
{
    struct simulate_options o = simulate_usual;
    const struct load at = { o.flits / load, 1 };
    struct simulate_result r;
    struct simulation *s;
    struct bench b = { 0 };
    struct traffic t;
    struct net *net;

    o.router = router_usual;
    o.router.vcs = vcs;
    o.router.buffer = buffer;
    o.cycles = cycles;
    o.replications = o.jobs = 1;
    bench_must(net_open(&net, network, &err), &err);
    bench_must(traffic_open(&t, net, traffic, &err), &err);
    bench_must(simulate_open(&s, net, &t, "dor", &o, &err), &err);
    while (bench_again(&b)) {
        bench_start(&b);
        bench_must(simulate_run(&r, s, &at, &err), &err);
        bench_stop(&b);
        *out = (struct result){ r.flit_hops, r.delivered };
        simulate_result_release(&r);
    }
    simulate_close(s);
    traffic_release(&t);
    net_close(net);
    return b;
}

int main(void)
{
    struct result r;
    struct bench b;
    char what[120];
    int missed = 0;

    net_setup();
    b = simulated(&r, "torus:8x8", "uniform", 0.2, 2, 4, 1e5);
    snprintf(what, sizeof what, "torus:8x8 at 0.2, %.3g million flit-hops", r.flit_hops / 1e6);
    missed |= bench_row(what, &b, r.flit_hops / 25e6);
    b = simulated(&r, "torus:64x64", "uniform", 1e-5, 2, 4, 1e6);
    snprintf(what, sizeof what, "torus:64x64, a million cycles, %.0f messages", r.messages);
    missed |= bench_row(what, &b, 0.5);
    b = simulated(&r, "mesh:8x8", "tests/bench/four.csv", 0.2, 4, 8, 1.3e7);
    snprintf(what, sizeof what, "mesh:8x8, four channels to one node, %.3g million messages", r.messages / 1e6);
    missed |= bench_row(what, &b, 10);
    net_teardown();
    return missed;
}
