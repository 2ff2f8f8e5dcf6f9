/* The worst traffic of a routing: assignments beside igraph's, folded networks beside all their links. */
#include <igraph.h>

#include "bench.h"

#include "graph/numeric/assignment.h"
#include "analysis/bound/worst.h"
#include "graph/numeric/rng.h"

static struct err err;

/* igraph's weighted matching of two sides of n nodes: whole weights. */
static struct bench by_igraph(const double *w, int n, double *value)
{
    struct bench b = { 0 };
    igraph_t g;
    igraph_vector_int_t edges;
    igraph_vector_t weight;
    igraph_vector_bool_t types;
    igraph_real_t total;

    if (igraph_vector_int_init(&edges, 2 * n * n) || igraph_vector_init(&weight, n * n) ||
        igraph_vector_bool_init(&types, 2 * n))
        bench_give_up("bench_worst", "memory");
    for (int i = 0; i < n * n; i++) {
        VECTOR(edges)[2 * i] = i / n;
        VECTOR(edges)[2 * i + 1] = n + i % n;
        VECTOR(weight)[i] = w[i];
    }
    for (int i = 0; i < n; i++)
        VECTOR(types)[n + i] = true;
    if (igraph_create(&g, &edges, 2 * n, IGRAPH_UNDIRECTED))
        bench_give_up("bench_worst", "igraph_create");
    while (bench_again(&b)) {
        bench_start(&b);
        if (igraph_maximum_bipartite_matching(&g, &types, NULL, &total, NULL, &weight, 0))
            bench_give_up("bench_worst", "igraph_maximum_bipartite_matching");
        bench_stop(&b);
    }
    *value = total;
    igraph_destroy(&g);
    igraph_vector_int_destroy(&edges);
    igraph_vector_destroy(&weight);
    igraph_vector_bool_destroy(&types);
    return b;
}

enum matrix_kind { RANDOM, SUM, PRODUCT };

static int one_assignment(const char *name, int n, enum matrix_kind kind, double target, bool beside)
{
    double *w = malloc((size_t)n * (size_t)n * sizeof *w), value = 0, other_value;
    struct bench b = { 0 }, other;
    struct rng rng;

    if (!w)
        bench_give_up("bench_worst", "memory");
    rng_seed(&rng, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w[i * n + j] = kind == RANDOM ? (double)(rng_next(&rng) >> 44) : kind == SUM ? sin(i) + cos(3 * j) :
                (double)(i + 1) * (j + 1);
    while (bench_again(&b)) {
        struct assignment a;

        bench_start(&b);
        bench_must(assignment_open(&a, w, n, n, -INFINITY, NULL, &err), &err);
        bench_stop(&b);
        value = a.value;
        assignment_close(&a);
    }
    if (beside) {
        other = by_igraph(w, n, &other_value);
        if (fabs(value - other_value) > 1e-9 * value)
            bench_give_up(name, "igraph has another value");
    }
    free(w);
    return bench_beside(name, &b, target, beside ? &other : NULL);
}

static struct bench measure(const char *net, const char *routing, bool unfolded, double *theta)
{
    const struct worst_options how = { .unfolded = unfolded };
    struct routing r = { 0 };
    struct net *n = NULL;
    struct bench b = { 0 };

    bench_must(net_open(&n, net, &err), &err);
    bench_must(routing_open(&r, n, routing, &err), &err);
    while (bench_again(&b)) {
        struct worst w;

        bench_start(&b);
        bench_must(worst_open(&w, n, &r, NULL, &how, &err), &err);
        bench_stop(&b);
        *theta = w.theta;
        worst_close(&w);
    }
    routing_close(&r);
    net_close(n);
    return b;
}

static int one_routing(const char *net, const char *routing, double target, bool beside)
{
    double theta, again;
    const struct bench b = measure(net, routing, false, &theta);
    struct bench other;
    char name[80];

    if (beside) {
        other = measure(net, routing, true, &again);
        if (fabs(again / theta - 1) > 1e-9)
            bench_give_up(net, "one link for all has another worst case than all");
    }
    snprintf(name, sizeof name, "worst traffic of %s on %s%s", routing, net, beside ? "; link by link" : "");
    return bench_beside(name, &b, target, beside ? &other : NULL);
}

int main(void)
{
    int missed = 0;

    net_setup();
    bench_heading();
    missed |= one_assignment("assignment, 256 x 256 at random; igraph's matching", 256, RANDOM, 0.002, true);
    missed |= one_assignment("assignment, 1024 x 1024 at random", 1024, RANDOM, 0.06, false);
    missed |= one_assignment("assignment, 1024 x 1024 sums", 1024, SUM, 0.07, false);
    missed |= one_assignment("assignment, 1024 x 1024 products", 1024, PRODUCT, 3.5, false);
    missed |= one_routing("torus:16x16", "dor", 0.012, true);
    missed |= one_routing("torus:16x16", "ecmp", 0.013, true);
    missed |= one_routing("torus:8x8", "valiant", 0.007, true);
    missed |= one_routing("torus:32x32", "dor", 0.07, true);
    missed |= one_routing("torus:32x32", "ecmp", 0.3, false);
    missed |= one_routing("torus:32x32", "valiant", 13, false);
    missed |= one_routing("mesh:16x16", "ecmp", 2.7, false);
    net_teardown();
    return missed;
}
