/* Shares that split load best: whole leximin against its first round. */
#include "bench.h"

#include "analysis/policy/split.h"

static struct err err;

static struct bench measure(const char *spec, const char *messages, const char *ways, bool first)
{
    struct latency_options o = { .collide = { .switching = switching_find("wormhole", &err), .time = 25 },
        .unfolded = true };
    const struct split_options how = { .first = first };
    struct latency_study study;
    struct routing routing;
    struct traffic traffic;
    struct net *net = NULL;
    struct bench b = { 0 };

    bench_must(net_open(&net, spec, &err), &err);
    bench_must(traffic_open(&traffic, net, messages, &err), &err);
    bench_must(routing_open(&routing, net, ways, &err), &err);
    bench_must(latency_open(&study, &traffic, &routing, 1, &o, &err), &err);
    while (bench_again(&b)) {
        struct split split;

        bench_start(&b);
        bench_must(split_open(&split, &study, &how, &err), &err);
        bench_stop(&b);
        split_release(&split);
    }
    latency_close(&study);
    routing_close(&routing);
    traffic_release(&traffic);
    net_close(net);
    return b;
}

int main(void)
{
    struct bench b;
    int missed = 0;

    net_setup();
    bench_heading();
    b = measure("torus:8x8", "examples/traffic/six_channels.csv",
                "table:examples/traffic/six_channels_paths.csv,order=1+2", false);
    missed |= bench_row("best shares, six channels over three ways", &b, 0.0025);
    b = measure("torus:8x8", "complement", "metapath:dga:1", false);
    missed |= bench_row("best shares, torus:8x8, 64 channels over dga:1", &b, 0.35);
    b = measure("torus:8x8", "complement", "metapath:dga:1", true);
    missed |= bench_row("the same, first round only", &b, 0.05);
    net_teardown();
    return missed;
}
