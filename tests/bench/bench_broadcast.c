/* Broadcast schedules of many processes, and bounds. (The slow twins of schedules, tests/support/trial.c and
 * cycles_twin.c, take too few to be timed.) */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/broadcast/broadcast_bound.h"
#include "analysis/broadcast/broadcast_rate.h"
#include "analysis/broadcast/cycles.h"
#include "analysis/collective/steps.h"

static struct err err;

/* One tree in steps, its network and routing open. */
static struct bench in_steps(const char *spec, const char *name)
{
    const struct broadcast_how how = { .ports = 1, .blocking = true };
    const struct tree *tree = tree_find(name, &err);
    struct routing routing = { 0 };
    struct placement where = { 0 };
    struct tree_shape shape = { 0 };
    struct net *net = NULL;
    struct bench b = { 0 };

    bench_must(tree ? 0 : -1, &err);
    bench_must(net_open(&net, spec, &err), &err);
    bench_must(routing_open(&routing, net, NULL, &err), &err);
    bench_must(placement_init(&where, net, NULL, 0, 1, 1, &err), &err);
    bench_must(tree_shape_init(&shape, tree, where.n, NULL, &err), &err);
    while (bench_again(&b)) {
        struct broadcast out = { 0 };

        bench_start(&b);
        bench_must(steps_broadcast(&out, &shape, 0, &(struct steps){ &where, &routing, how, NULL }, NULL, &err), &err);
        bench_stop(&b);
        broadcast_release(&out);
    }
    tree_shape_release(&shape);
    placement_release(&where);
    routing_close(&routing);
    net_close(net);
    return b;
}

/* All trees by rank (or one) in cycles, on an idle network. */
static struct bench in_cycles(const char *spec, const char *name)
{
    const struct cycles_how how = { &switching_cut_through, 10, 1, 1, true };
    const struct cycles_start start = { 0, 0 };
    const int root = 0;
    struct routing routing = { 0 };
    struct placement where = { 0 };
    struct cycles_links links;
    struct net *net = NULL;
    struct bench b = { 0 };

    bench_must(net_open(&net, spec, &err), &err);
    bench_must(routing_open(&routing, net, NULL, &err), &err);
    bench_must(placement_init(&where, net, NULL, 0, 1, 1, &err), &err);
    bench_must(cycles_links_open(&links, net, &err), &err);
    while (bench_again(&b)) {
        bench_start(&b);
        for (size_t i = 0; tree_all[i]; i++) {
            struct tree_shape shape = { 0 };
            struct cycles_ways ways;
            struct cycles_run run;

            if (name ? strcmp(name, tree_all[i]->name) != 0 : tree_all[i]->build != NULL)
                continue;
            bench_must(tree_shape_init(&shape, tree_all[i], where.n, NULL, &err), &err);
            bench_must(cycles_ways_open(&ways, &links, &(struct cycles_trees){ &shape, &where, &root, 1, &routing },
                                        NULL, &err), &err);
            bench_must(cycles_run_open(&run, &ways, &how, &start, 1, &err), &err);
            bench_must(cycles_run(&run, NULL, NULL, &err), &err);
            cycles_run_release(&run);
            cycles_ways_release(&ways);
            tree_shape_release(&shape);
        }
        bench_stop(&b);
    }
    cycles_links_release(&links);
    placement_release(&where);
    routing_close(&routing);
    net_close(net);
    return b;
}

/* Bounds of steps and hops, or of rates: processes shuffled, `processes` 0 on every terminal. */
static struct bench bound(const char *spec, int processes, bool rates, bool flows)
{
    const struct broadcast_how how = { .ports = 0 };
    struct placement where = { 0 };
    struct net *net = NULL;
    struct bench b = { 0 };
    const igraph_t *graph;

    bench_must(net_open(&net, spec, &err), &err);
    bench_must(placement_init(&where, net, "random", processes, 1, 1, &err), &err);
    bench_must(net_graph(net, &graph, &err), &err);
    while (bench_again(&b)) {
        struct broadcast_reach reach = { 0 };
        struct broadcast_bound least;
        struct broadcast_rate rate;

        bench_start(&b);
        if (rates) {
            bench_must((flows ? broadcast_rate_by_flows : broadcast_rate)(&rate, net, &where, 0, 0, 1, NULL, &err),
                       &err);
        } else {
            bench_must(broadcast_reach(&reach, net, &where, 0, &err), &err);
            bench_must(broadcast_bound(&least, &reach, how, &err), &err);
        }
        bench_stop(&b);
        broadcast_reach_release(&reach);
    }
    placement_release(&where);
    net_close(net);
    return b;
}

int main(void)
{
    struct bench b, flows;
    int missed = 0;

    net_setup();
    bench_heading();
    b = in_steps("torus:256x256", "binomial");
    missed |= bench_row("steps of a binomial broadcast, torus:256x256", &b, 0.1);
    b = in_steps("torus:256x256", "binary");
    missed |= bench_row("steps of a binary broadcast, torus:256x256", &b, 1.5);
    b = in_steps("torus:64x64", "sequential");
    missed |= bench_row("steps of a sequential broadcast, torus:64x64", &b, 0.015);
    b = in_cycles("torus:32x32", NULL);
    missed |= bench_row("cycles of four broadcasts, torus:32x32", &b, 0.01);
    b = in_cycles("torus:256x256", "binomial");
    missed |= bench_row("cycles of a binomial broadcast, torus:256x256", &b, 0.15);
    b = bound("mesh:256x256", 5000, false, false);
    missed |= bench_row("bounds of steps and hops, 5000 processes on mesh:256x256", &b, 0.03);
    b = bound("mesh:32x32", 0, true, false);
    flows = bound("mesh:32x32", 0, true, true);
    missed |= bench_beside("bound of rates, mesh:32x32; a maximum flow to each", &b, 1.2, &flows);
    b = bound("torus:16x16x8", 0, true, false);
    missed |= bench_row("bound of rates, torus:16x16x8", &b, 0.001);
    net_teardown();
    return missed;
}
