/* Layouts: one line per measurement, exit status 1 when a target is missed. Graphs are built before the clock runs. */
#include "graph/layout/layout.h"
#include "tests/bench/bench.h"
#include "tests/support/nets.h"

static int row(const char *what, struct net *net, const char *name, double target)
{
    const igraph_t *graph;
    struct bench b = { 0 };
    struct err err;

    bench_must(net_graph(net, &graph, &err), &err);
    while (bench_again(&b)) {
        struct layout l;

        bench_start(&b);
        bench_must(layout_open(&l, net, name, 1, &err), &err);
        bench_stop(&b);
        layout_release(&l);
    }
    return bench_row(what, &b, target);
}

static int spec_row(const char *what, const char *spec, const char *name, double target)
{
    struct net *net;
    struct err err;
    int missed;

    bench_must(net_open(&net, spec, &err), &err);
    missed = row(what, net, name, target);
    net_close(net);
    return missed;
}

/* What a file gives: no coordinates. */
static int many_leaves(const char *what, int leaves, double target)
{
    int *end = malloc(2 * (size_t)leaves * sizeof *end), missed;
    struct net *net;

    if (!end)
        bench_give_up("bench_layout", "memory");
    for (int i = 0; i < leaves; i++) {
        end[2 * i] = 0;
        end[2 * i + 1] = i + 1;
    }
    net = nets_from_edges(leaves + 1, end, leaves, false);
    missed = row(what, net, NULL, target);
    net_close(net);
    free(end);
    return missed;
}

int main(void)
{
    int missed = 0;

    net_setup();
    bench_heading();
    missed |= spec_row("placed by forces: random:65536,degree=16", "random:65536,degree=16", "force", 4);
    missed |= spec_row("placed by forces: torus:256x256", "torus:256x256", "force", 0.5);
    missed |= many_leaves("placed by forces: 65,535 leaves of one node", 65535, 0.5);
    missed |= spec_row("placed by forces: random:1024,degree=4", "random:1024,degree=4", "force", 2.5);
    missed |= spec_row("placed by forces: random:1500,degree=4", "random:1500,degree=4", "force", 4);
    missed |= spec_row("placed on a grid: torus:256x256", "torus:256x256", "grid", 0.025);
    missed |= spec_row("placed as a cube: hypercube:16", "hypercube:16", "cube", 0.05);
    missed |= spec_row("placed in layers: fattree:32, 9,472 nodes", "fattree:32", "layers", 0.007);
    missed |= spec_row("placed in groups: a dragonfly of 5,256 nodes", "dragonfly,a=8,p=8,h=9", "groups", 0.004);
    net_teardown();
    return missed;
}
