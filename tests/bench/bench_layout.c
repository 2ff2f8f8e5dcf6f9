/* Layouts: one line per measurement, exit status 1 when a target is missed. Graphs are built before the clock runs. */
#include <math.h>
#include <stdlib.h>

#include "graph/layout/layout.h"
#include "tests/bench/bench.h"
#include "tests/support/nets.h"

#define RUNS 3

static _Noreturn void give_up(const char *why)
{
    fprintf(stderr, "bench_layout: %s\n", why);
    exit(2);
}

/* The best of some runs: the machine may have other things to do. */
static int row(const char *what, struct net *net, const char *name, double target_seconds)
{
    const igraph_t *graph;
    double seconds = INFINITY;
    struct err err;
    struct layout l;

    if (net_graph(net, &graph, &err) < 0)
        give_up(err.msg);
    for (int i = 0; i < RUNS; i++) {
        const double begin = bench_now();

        if (layout_open(&l, net, name, 1, &err) < 0)
            give_up(err.msg);
        if (bench_now() - begin < seconds)
            seconds = bench_now() - begin;
        layout_release(&l);
    }
    return bench_row(what, seconds, target_seconds, 0, 0);
}

static int spec_row(const char *what, const char *spec, const char *name, double target_seconds)
{
    struct net *net;
    struct err err;
    int missed;

    if (net_open(&net, spec, &err) < 0)
        give_up(err.msg);
    missed = row(what, net, name, target_seconds);
    net_close(net);
    return missed;
}

/* What a file gives: no coordinates. */
static int many_leaves(const char *what, int leaves, double target_seconds)
{
    int *end = malloc(2 * (size_t)leaves * sizeof *end), missed;
    struct net *net;

    if (!end)
        give_up("memory");
    for (int i = 0; i < leaves; i++) {
        end[2 * i] = 0;
        end[2 * i + 1] = i + 1;
    }
    net = nets_from_edges(leaves + 1, end, leaves, false);
    missed = row(what, net, NULL, target_seconds);
    net_close(net);
    free(end);
    return missed;
}

int main(void)
{
    int missed = 0;

    net_setup();
    bench_heading();
    missed |= spec_row("force, random 16-regular, 65536 nodes", "random:65536,degree=16", "force", 1);
    missed |= spec_row("force, torus 256x256", "torus:256x256", "force", 1);
    missed |= many_leaves("force, 65535 leaves of one node", 65535, 1);
    missed |= spec_row("force, random 4-regular, 1024 nodes", "random:1024,degree=4", "force", 0.3);
    missed |= spec_row("force, random 4-regular, 1500 nodes", "random:1500,degree=4", "force", 0);
    missed |= spec_row("grid, torus 256x256", "torus:256x256", "grid", 0);
    missed |= spec_row("cube, 16 dimensions", "hypercube:16", "cube", 0);
    missed |= spec_row("layers, fat tree of 32 ports, 9472 nodes", "fattree:32", "layers", 0);
    missed |= spec_row("groups, dragonfly of 5256 nodes", "dragonfly,a=8,p=8,h=9", "groups", 0);
    net_teardown();
    return missed;
}
