/* Bounds on throughput, all to all: folded beside all sources, paths as they are needed beside the whole program, and
 * what larger networks take. (Other solvers on the same programs: tests/bench/peers.) */
#include "bench.h"

#include "analysis/bound/throughput.h"
#include "tests/support/scene.h"

static struct err err;

static struct bench solve(const char *spec, enum throughput_method method, bool unfolded, double gap, double *theta)
{
    const struct throughput_options o = { .method = method, .unfolded = unfolded, .gap = gap };
    struct bench b = { 0 };

    while (bench_again(&b)) {
        struct net *net = NULL;
        struct traffic traffic = { 0 };
        struct demand d = { 0 };
        struct throughput t;

        bench_start(&b);
        bench_must(net_open(&net, spec, &err), &err);
        bench_must(traffic_open(&traffic, net, "uniform", &err), &err);
        bench_must(demand_open(&d, &traffic, 10, NULL, &err), &err);
        bench_must(throughput_open(&t, net, &d, &o, &err), &err);
        bench_stop(&b);
        if (t.gap > fmax(gap, 1e-7))
            bench_give_up(spec, "a larger gap than was asked for");
        *theta = t.theta;
        throughput_close(&t);
        demand_close(&d);
        traffic_release(&traffic);
        net_close(net);
    }
    return b;
}

static void same(double a, double b, double within)
{
    if (!(fabs(a / b - 1) <= within))
        bench_give_up("bench_throughput", "two ways have different bounds");
}

int main(void)
{
    struct bench b, other, tenth;
    double folded, whole, trees, theta;
    int missed = 0;

    net_setup();
    bench_heading();
    other = solve("torus:8x8", THROUGHPUT_ARCS, true, 0, &whole);
    b = solve("torus:8x8", THROUGHPUT_ARCS, false, 0, &folded);
    same(folded, whole, 1e-7);
    missed |= bench_beside("torus:8x8, one source for all; arcs of every source", &b, 0.0005, &other);
    missed |= bench_row("torus:8x8, arcs of every source, GLPK's primal simplex", &other, 3);
    b = solve("torus:8x8", THROUGHPUT_COLUMNS, true, 0.01, &trees);
    same(trees, whole, 0.01);
    missed |= bench_beside("torus:8x8, columns to 1 % of every source; their arcs", &b, 0.035, &other);
    b = solve("torus:32x32", THROUGHPUT_AUTO, false, 0, &theta);
    missed |= bench_row("torus:32x32, one source for all", &b, 0.005);
    same(theta / 1023, 8 / 32768.0, 1e-7);
    b = solve("hypercube:10", THROUGHPUT_AUTO, false, 0, &theta);
    missed |= bench_row("hypercube:10, one source for all", &b, 0.03);
    same(theta / 1023, 1 / 512.0, 1e-7);
    b = solve("mesh:32x32", THROUGHPUT_AUTO, false, 0.01, &theta);
    missed |= bench_row("mesh:32x32, an eighth of the sources, columns to 1 %", &b, 18);
    other = solve("random:40,degree=4", THROUGHPUT_ARCS, true, 0, &whole);
    b = solve("random:40,degree=4", THROUGHPUT_COLUMNS, true, 0, &trees);
    same(trees, whole, 1e-7);
    missed |= bench_beside("random:40,degree=4, columns until no gap is left; arcs", &b, 0.6, &other);
    b = solve("random:120,degree=6", THROUGHPUT_AUTO, false, 0.01, &theta);
    missed |= bench_row("random:120,degree=6, columns to 1 %", &b, 0.55);
    tenth = solve("random:120,degree=6", THROUGHPUT_AUTO, false, 0.001, &theta);
    missed |= bench_slower("random:120,degree=6, columns to 0.1 %; to 1 %", &tenth, 6, &b);
    b = solve("random:300,degree=5", THROUGHPUT_AUTO, false, 0.01, &theta);
    missed |= bench_row("random:300,degree=5, columns to 1 %", &b, 2.2);
    missed |= bench_most("peak memory so far, MiB", bench_peak_mib(), 1024);
    net_teardown();
    return missed;
}
