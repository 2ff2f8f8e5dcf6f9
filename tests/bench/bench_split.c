/* Shares that split load best: whole leximin against its first round. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/policy/split.h"

static struct err err;

static void must(int ret)
{
    if (ret < 0) {
        fprintf(stderr, "%s\n", err.msg);
        exit(2);
    }
}

/* The best of three. */
static double once(const char *spec, const char *messages, const char *ways, bool first)
{
    struct latency_options o = { .collide = { .switching = switching_find("wormhole", &err), .time = 25 },
        .unfolded = true };
    struct latency_study study;
    struct routing routing;
    struct traffic traffic;
    double best = INFINITY;
    struct net *net;

    must(net_open(&net, spec, &err));
    must(traffic_open(&traffic, net, messages, &err));
    must(routing_open(&routing, net, ways, &err));
    must(latency_open(&study, &traffic, &routing, 1, &o, &err));
    for (int i = 0; i < 3; i++) {
        const struct split_options how = { .first = first };
        const double begin = bench_now();
        struct split split;

        must(split_open(&split, &study, &how, &err));
        best = fmin(best, bench_now() - begin);
        split_release(&split);
    }
    latency_close(&study);
    routing_close(&routing);
    traffic_release(&traffic);
    net_close(net);
    return best;
}

int main(void)
{
    const char *six = "examples/traffic/six_channels.csv",
        *paths = "table:examples/traffic/six_channels_paths.csv,order=1+2";
    int missed = 0;

    net_setup();
    bench_heading();
    missed |= bench_row("split, six channels over three ways", once("torus:8x8", six, paths, false), 0.05, 0, 0);
    missed |= bench_row("split, torus:8x8, 64 channels over dga:1", once("torus:8x8", "complement", "metapath:dga:1",
        false), 1, 0, 0);
    missed |= bench_row("split, first round of the same", once("torus:8x8", "complement", "metapath:dga:1", true), 0.5,
                        0, 0);
    net_teardown();
    return missed;
}
