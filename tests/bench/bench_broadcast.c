/* Broadcast schedules of many processes, and bounds. (The slow twin of schedules, in tests/support/trial.c, takes too
 * few to be timed.) */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/broadcast/broadcast_bound.h"
#include "analysis/broadcast/broadcast_rate.h"
#include "analysis/broadcast/cycles.h"

static double once(const char *spec, const char *name)
{
    const struct broadcast_how how = { .ports = 1, .blocking = true };
    struct routing routing = { 0 };
    struct placement where = { 0 };
    struct tree_shape shape = { 0 };
    struct broadcast b = { 0 };
    struct err err = { 0 };
    const struct tree *tree = tree_find(name, &err);
    struct net *net = NULL;
    double begin;

    if (!tree || net_open(&net, spec, &err) < 0 || routing_open(&routing, net, NULL, &err) < 0 ||
        placement_init(&where, net, NULL, 0, 1, &err) < 0 || tree_shape_init(&shape, tree, where.n, &err) < 0) {
        fprintf(stderr, "%s\n", err.msg);
        exit(2);
    }
    begin = bench_now();
    if (broadcast_run(&b, &shape, &where, 0, &routing, how, NULL, NULL, &err) < 0) {
        fprintf(stderr, "%s\n", err.msg);
        exit(2);
    }
    begin = bench_now() - begin;
    broadcast_release(&b);
    tree_shape_release(&shape);
    placement_release(&where);
    routing_close(&routing);
    net_close(net);
    return begin;
}

/* All trees (or one) in cycles, on an idle network. */
static double in_cycles(const char *spec, const char *name)
{
    const struct cycles_how how = { &switching_cut_through, 10, 1, 1, true };
    const struct cycles_start start = { 0, 0 };
    const int root = 0;
    struct routing routing = { 0 };
    struct placement where = { 0 };
    struct cycles_links links;
    struct err err = { 0 };
    struct net *net = NULL;
    double begin, all = 0;

    if (net_open(&net, spec, &err) < 0 || routing_open(&routing, net, NULL, &err) < 0 ||
        placement_init(&where, net, NULL, 0, 1, &err) < 0 || cycles_links_open(&links, net, &err) < 0) {
        fprintf(stderr, "%s\n", err.msg);
        exit(2);
    }
    for (size_t i = 0; tree_all[i]; i++) {
        struct tree_shape shape = { 0 };
        struct cycles_ways ways;
        struct cycles_run run;

        if (name && strcmp(name, tree_all[i]->name) != 0)
            continue;
        begin = bench_now();
        if (tree_shape_init(&shape, tree_all[i], where.n, &err) < 0 ||
            cycles_ways_open(&ways, &links, &shape, &where, &root, 1, &routing, NULL, &err) < 0 ||
            cycles_run_open(&run, &ways, &how, &start, 1, &err) < 0 || cycles_run(&run, NULL, NULL, &err) < 0) {
            fprintf(stderr, "%s\n", err.msg);
            exit(2);
        }
        all += bench_now() - begin;
        cycles_run_release(&run);
        cycles_ways_release(&ways);
        tree_shape_release(&shape);
    }
    cycles_links_release(&links);
    placement_release(&where);
    routing_close(&routing);
    net_close(net);
    return all;
}

/* Bounds of steps and hops, or of rates: processes shuffled, `processes` 0 on every terminal. */
static double bound(const char *spec, int processes, bool rates, bool flows)
{
    const struct broadcast_how how = { .ports = 0 };
    struct broadcast_reach reach = { 0 };
    struct broadcast_bound b;
    struct broadcast_rate r;
    struct placement where = { 0 };
    struct err err = { 0 };
    struct net *net = NULL;
    const igraph_t *graph;
    double begin;

    if (net_open(&net, spec, &err) < 0 || placement_init(&where, net, "random", processes, 1, &err) < 0 ||
        net_graph(net, &graph, &err) < 0) {
        fprintf(stderr, "%s\n", err.msg);
        exit(2);
    }
    begin = bench_now();
    if (rates ? (flows ? broadcast_rate_by_flows : broadcast_rate)(&r, net, &where, 0, 0, 1, NULL, &err) < 0 :
                broadcast_reach(&reach, net, &where, 0, &err) < 0 || broadcast_bound(&b, &reach, how, &err) < 0) {
        fprintf(stderr, "%s\n", err.msg);
        exit(2);
    }
    begin = bench_now() - begin;
    broadcast_reach_release(&reach);
    placement_release(&where);
    net_close(net);
    return begin;
}

int main(void)
{
    int missed = 0;

    net_setup();
    bench_heading();
    bench_row("makespan, binomial, torus:256x256", once("torus:256x256", "binomial"), 0, 0, 0);
    bench_row("makespan, binary, torus:256x256", once("torus:256x256", "binary"), 0, 0, 0);
    bench_row("makespan, sequential, torus:64x64", once("torus:64x64", "sequential"), 0, 0, 0);
    missed |= bench_row("cycles, four trees, torus:32x32", in_cycles("torus:32x32", NULL), 0.05, 0, 0);
    missed |= bench_row("cycles, binomial, torus:256x256", in_cycles("torus:256x256", "binomial"), 1, 0, 0);
    bench_row("bounds of steps and hops, 5000 on mesh:256x256", bound("mesh:256x256", 5000, false, false), 0, 0, 0);
    bench_row("bounds of rates, mesh:32x32", bound("mesh:32x32", 0, true, false), 0, bound("mesh:32x32", 0, true, true),
              0);
    bench_row("bounds of rates, torus:16x16x8", bound("torus:16x16x8", 0, true, false), 0, bound("torus:16x16x8", 0,
              true, true), 0);
    net_teardown();
    return missed;
}
