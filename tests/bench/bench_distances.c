/* Distances of graphs without symmetry to use: one line per measurement, exit status 1 when a target is missed. */
#include <igraph.h>
#include <math.h>
#include <stdlib.h>

#include "graph/distance/distances.h"
#include "tests/bench/bench.h"

#define RUNS 5

static _Noreturn void give_up(const char *why)
{
    fprintf(stderr, "bench_distances: %s\n", why);
    exit(2);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}
static double median(double *v, size_t n)
{
    qsort(v, n, sizeof *v, ascending);
    return v[n / 2];
}

static void torus(igraph_t *g, int side)
{
    igraph_vector_int_t size;
    igraph_vector_bool_t wrap;

    if (igraph_vector_int_init(&size, 2) || igraph_vector_bool_init(&wrap, 2))
        give_up("memory");
    igraph_vector_int_fill(&size, side);
    igraph_vector_bool_fill(&wrap, 1);
    if (igraph_square_lattice(g, &size, 1, IGRAPH_UNDIRECTED, 0, &wrap))
        give_up("torus");
    igraph_vector_int_destroy(&size);
    igraph_vector_bool_destroy(&wrap);
}

static void regular(igraph_t *g, int n, int degree)
{
    if (igraph_rng_seed(igraph_rng_default(), 1) || igraph_k_regular_game(g, n, degree, IGRAPH_UNDIRECTED, 0))
        give_up("random regular graph");
}

static void compress(struct csr *c, const igraph_t *g)
{
    struct err err;

    if (csr_init(c, g, false, &err) < 0)
        give_up(err.msg);
}

/* Median seconds of a count over all nodes; the count of the last run in *d. */
static double count_all(struct dist_count *d, const struct csr *c, int runs)
{
    int *all = malloc((size_t)c->n * sizeof *all);
    double seconds[RUNS];
    struct err err;

    if (!all)
        give_up("memory");
    for (int v = 0; v < c->n; v++)
        all[v] = v;
    for (int r = 0; r < runs; r++) {
        const double begin = bench_now();

        if (r > 0)
            dist_count_release(d);
        if (dist_count(d, c, all, NULL, c->n, NULL, 0, NULL, &err) < 0)
            give_up(err.msg);
        seconds[r] = bench_now() - begin;
    }
    free(all);
    return median(seconds, (size_t)runs);
}

/* Beside igraph's histogram, which counts unordered pairs of undirected graphs: both whole, both of one run. */
static int beside_igraph(const char *name, const igraph_t *g, double target_ratio)
{
    struct csr c;
    struct dist_count d;
    igraph_vector_t pairs;
    igraph_real_t unconnected;
    double ours, begin, twin;
    int missed;

    compress(&c, g);
    ours = count_all(&d, &c, RUNS);
    if (igraph_vector_init(&pairs, 0))
        give_up("memory");
    begin = bench_now();
    if (igraph_path_length_hist(g, &pairs, &unconnected, 0))
        give_up("igraph_path_length_hist");
    twin = bench_now() - begin;
    if (igraph_vector_size(&pairs) != d.longest)
        give_up("another diameter than igraph's");
    for (int l = 1; l <= d.longest; l++)
        if (fabs(2 * VECTOR(pairs)[l - 1] - (double)d.pairs[l]) > 0.5)
            give_up("other pairs than igraph's");
    missed = bench_row(name, ours, 0, twin, target_ratio);
    igraph_vector_destroy(&pairs);
    dist_count_release(&d);
    csr_release(&c);
    return missed;
}

static int count_within(const char *name, const igraph_t *g, double target_seconds)
{
    struct csr c;
    struct dist_count d;
    double seconds;

    compress(&c, g);
    seconds = count_all(&d, &c, 3);
    dist_count_release(&d);
    csr_release(&c);
    return bench_row(name, seconds, target_seconds, 0, 0);
}

/* Every block's rows on one core, sources in csr_order, beside a plain search from every node. */
static int rows_beside_bfs(const char *name, const igraph_t *g, double target_seconds)
{
    struct csr c;
    struct dist_work *w;
    uint8_t *row;
    int *all, *hops;
    double seconds[RUNS], begin, twin;
    struct err err;

    compress(&c, g);
    row = aligned_alloc(64, (size_t)c.n * DIST_BLOCK);
    all = malloc((size_t)c.n * sizeof *all);
    hops = malloc(2 * (size_t)c.n * sizeof *hops);
    w = dist_work_new(&c);
    if (!row || !all || !hops || !w)
        give_up("memory");
    if (csr_order(&c, all, &err) < 0)
        give_up(err.msg);
    for (int r = 0; r < RUNS; r++) {
        begin = bench_now();
        for (int b = 0; b < c.n; b += DIST_BLOCK)
            if (dist_rows8(row, w, &c, all + b, b + DIST_BLOCK < c.n ? DIST_BLOCK : c.n - b) < 0)
                give_up("distances above 254");
        seconds[r] = bench_now() - begin;
    }
    begin = bench_now();
    for (int v = 0; v < c.n; v++)
        csr_bfs(&c, v, hops, hops + c.n);
    twin = bench_now() - begin;
    dist_work_free(w);
    csr_release(&c);
    free(row);
    free(all);
    free(hops);
    return bench_row(name, median(seconds, RUNS), target_seconds, twin, 0);
}

int main(void)
{
    igraph_t torus128, torus256, regular14, regular16;
    int missed = 0;

    igraph_set_error_handler(igraph_error_handler_ignore);
    torus(&torus128, 128);
    torus(&torus256, 256);
    regular(&regular14, 16384, 16);
    regular(&regular16, 65536, 16);
    bench_heading();
    missed |= count_within("dist_count, torus 256x256", &torus256, 4);
    missed |= count_within("dist_count, random 16-regular, 65536 nodes", &regular16, 2);
    missed |= beside_igraph("dist_count, torus 128x128", &torus128, 15);
    missed |= beside_igraph("dist_count, random 16-regular, 16384 nodes", &regular14, 100);
    missed |= rows_beside_bfs("dist_rows8, one core, random 16-regular, 16384 nodes", &regular14, 0.4);
    missed |= rows_beside_bfs("dist_rows8, one core, torus 128x128", &torus128, 0);
    printf("peak memory %.0f MiB\n", bench_peak_mib());
    igraph_destroy(&torus128);
    igraph_destroy(&torus256);
    igraph_destroy(&regular14);
    igraph_destroy(&regular16);
    return missed;
}
