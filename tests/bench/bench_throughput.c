/* Bounds on throughput, all to all: folded against all sources, trees as they are needed against the whole program,
 * and what larger networks take. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/bound/throughput.h"
#include "tests/support/scene.h"

static struct err err;

static double solve(const char *spec, enum throughput_method method, bool unfolded, double gap, double *theta)
{
    const struct throughput_options o = { .method = method, .unfolded = unfolded, .gap = gap };
    const double begin = bench_now();
    struct net *net = NULL;
    struct traffic traffic = { 0 };
    struct demand d = { 0 };
    struct throughput t;
    double seconds;

    if (net_open(&net, spec, &err) < 0 || traffic_open(&traffic, net, "uniform", &err) < 0 ||
        demand_open(&d, &traffic, 10, NULL, &err) < 0 || throughput_open(&t, net, &d, &o, &err) < 0) {
        fprintf(stderr, "%s\n", err.msg);
        exit(2);
    }
    seconds = bench_now() - begin;
    if (t.gap > fmax(gap, 1e-7)) {
        fprintf(stderr, "%s: gap %g\n", spec, t.gap);
        exit(2);
    }
    *theta = t.theta;
    throughput_close(&t);
    demand_close(&d);
    traffic_release(&traffic);
    net_close(net);
    return seconds;
}

static void same(double a, double b, double within)
{
    if (!(fabs(a / b - 1) <= within)) {
        fprintf(stderr, "%.17g is not %.17g\n", a, b);
        exit(2);
    }
}

int main(void)
{
    double folded, whole, trees, seconds, arcs, theta;
    int missed = 0;

    net_setup();
    bench_heading();
    arcs = solve("torus:8x8", THROUGHPUT_ARCS, true, 0, &whole);
    seconds = solve("torus:8x8", THROUGHPUT_ARCS, false, 0, &folded);
    same(folded, whole, 1e-7);
    missed |= bench_row("torus:8x8 folded (twin: every source)", seconds, 0.1, arcs, 0);
    missed |= bench_row("torus:8x8 arcs, every source, primal simplex", arcs, 10, 0, 0);
    seconds = solve("torus:8x8", THROUGHPUT_COLUMNS, true, 0.01, &trees);
    same(trees, whole, 0.01);
    missed |= bench_row("torus:8x8 columns to 1 %, every source (twin: arcs)", seconds, 1, arcs, 0);
    missed |= bench_row("torus:32x32 folded", solve("torus:32x32", THROUGHPUT_AUTO, false, 0, &theta), 1, 0, 0);
    same(theta / 1023, 8 / 32768.0, 1e-7);
    missed |= bench_row("hypercube:10 folded", solve("hypercube:10", THROUGHPUT_AUTO, false, 0, &theta), 1, 0, 0);
    same(theta / 1023, 1 / 512.0, 1e-7);
    missed |= bench_row("mesh:32x32 folded, columns to 1 %", solve("mesh:32x32", THROUGHPUT_AUTO, false, 0.01, &theta),
                        30, 0, 0);
    arcs = solve("random:40,degree=4", THROUGHPUT_ARCS, true, 0, &whole);
    seconds = solve("random:40,degree=4", THROUGHPUT_COLUMNS, true, 0, &trees);
    same(trees, whole, 1e-7);
    missed |= bench_row("random:40,degree=4 columns, no gap (twin: arcs)", seconds, 5, arcs, 0);
    missed |= bench_row("random:120,degree=6 columns to 1 %", solve("random:120,degree=6", THROUGHPUT_AUTO, false, 0.01,
                                                                    &theta), 90, 0, 0);
    if (bench_peak_mib() > 1024) {
        printf("memory: %.0f MiB, more than 1024\n", bench_peak_mib());
        missed = 1;
    } else {
        printf("memory so far: %.0f MiB of 1024\n", bench_peak_mib());
    }
    missed |= bench_row("random:300,degree=5 columns to 1 %", solve("random:300,degree=5", THROUGHPUT_AUTO, false, 0.01,
                                                                    &theta), 60, 0, 0);
    net_teardown();
    return missed;
}
