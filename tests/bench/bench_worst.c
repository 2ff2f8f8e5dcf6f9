/* The worst traffic of a routing: assignments beside linear programs, folded networks beside all their links. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

#include "graph/numeric/assignment.h"
#include "analysis/bound/lp.h"
#include "analysis/bound/worst.h"
#include "graph/numeric/rng.h"

static struct err err;

static void must(int ret)
{
    if (ret < 0) {
        fprintf(stderr, "%s\n", err.msg);
        exit(2);
    }
}

static double by_program(const double *w, int n, double *value)
{
    const double begin = bench_now();
    struct lp *lp = NULL;
    enum lp_end end;
    double seconds;

    must(lp_open(&lp, "assignment", true, &err));
    for (int i = 0; i < 2 * n; i++)
        must(lp_row(lp, 1, 1, NULL, &err));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            must(lp_column(lp, 0, INFINITY, w[i * n + j], NULL, 2, (const int[]){ i, n + j }, (const double[]){ 1, 1 },
                           &err));
    must(lp_solve(lp, 0, &end, NULL, &err));
    *value = lp_objective(lp);
    seconds = bench_now() - begin;
    lp_close(lp);
    return seconds;
}

enum matrix_kind { RANDOM, SUM, PRODUCT };

static int one_assignment(const char *name, int n, enum matrix_kind kind, double target, bool twin)
{
    double *w = malloc((size_t)n * (size_t)n * sizeof *w), begin, seconds, slow = 0, value;
    struct assignment a;
    struct rng rng;

    if (!w)
        exit(2);
    rng_seed(&rng, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w[i * n + j] = kind == RANDOM ? (double)(rng_next(&rng) >> 11) * 0x1p-53 : kind == SUM ?
                sin(i) + cos(3 * j) : (double)(i + 1) * (j + 1);
    begin = bench_now();
    must(assignment_open(&a, w, n, n, -INFINITY, NULL, &err));
    seconds = bench_now() - begin;
    if (twin) {
        slow = by_program(w, n, &value);
        if (fabs(value - a.value) > 1e-6 * fabs(value))
            exit(2);
    }
    assignment_close(&a);
    free(w);
    return bench_row(name, seconds, target, slow, 0);
}

static double seconds_of(const char *net, const char *routing, bool unfolded, double *theta)
{
    struct routing r = { 0 };
    struct net *n = NULL;
    struct worst w;
    double begin;

    must(net_open(&n, net, &err));
    must(routing_open(&r, n, routing, &err));
    begin = bench_now();
    must(worst_open(&w, n, &r, NULL, &(struct worst_options){ .unfolded = unfolded }, &err));
    begin = bench_now() - begin;
    *theta = w.theta;
    worst_close(&w);
    routing_close(&r);
    net_close(n);
    return begin;
}

static int one_routing(const char *net, const char *routing, double target, bool twin)
{
    double theta, again, seconds = seconds_of(net, routing, false, &theta), slow = 0;
    char name[80];

    if (twin) {
        slow = seconds_of(net, routing, true, &again);
        if (fabs(again / theta - 1) > 1e-9)
            exit(2);
    }
    snprintf(name, sizeof name, "worst, %s, %s%s", net, routing, twin ? " (twin: unfolded)" : "");
    return bench_row(name, seconds, target, slow, 0);
}

int main(void)
{
    int missed = 0;

    net_setup();
    bench_heading();
    missed |= one_assignment("assignment, 60 x 60 (twin: linear program)", 60, RANDOM, 0.01, true);
    missed |= one_assignment("assignment, 1024 x 1024, at random", 1024, RANDOM, 0.5, false);
    missed |= one_assignment("assignment, 1024 x 1024, sums", 1024, SUM, 1, false);
    missed |= one_assignment("assignment, 1024 x 1024, products", 1024, PRODUCT, 4, false);
    missed |= one_routing("torus:16x16", "dor", 0.2, true);
    missed |= one_routing("torus:16x16", "ecmp", 0.2, true);
    missed |= one_routing("torus:8x8", "valiant", 0.2, true);
    missed |= one_routing("torus:32x32", "dor", 0.5, true);
    missed |= one_routing("torus:32x32", "ecmp", 1, false);
    missed |= one_routing("torus:32x32", "valiant", 15, false);
    missed |= one_routing("mesh:16x16", "ecmp", 5, false);
    net_teardown();
    return missed;
}
