/* Distances of graphs without symmetry to use, beside igraph's and a search from every node. */
#include "bench.h"

#include <igraph.h>

#include "graph/distance/distances.h"

static struct err err;

static _Noreturn void give_up(const char *why)
{
    bench_give_up("bench_distances", why);
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

/* Counts over all nodes by so many threads (0: all); what they found in *d. */
static struct bench count_all(struct dist_count *d, const igraph_t *g, int threads)
{
    struct bench b = { 0 };
    struct csr c;
    int *all;

    bench_must(csr_init(&c, g, false, &err), &err);
    all = malloc((size_t)c.n * sizeof *all);
    if (!all)
        give_up("memory");
    for (int v = 0; v < c.n; v++)
        all[v] = v;
    while (bench_again(&b)) {
        if (b.runs > 0)
            dist_count_release(d);
        bench_start(&b);
        bench_must(dist_count(d, &c, &(struct dist_ends){ c.n, all, NULL, NULL }, threads, NULL, &err), &err);
        bench_stop(&b);
    }
    csr_release(&c);
    free(all);
    return b;
}

static int counted(const char *name, const igraph_t *g, double target)
{
    struct dist_count d;
    const struct bench b = count_all(&d, g, 0);

    dist_count_release(&d);
    return bench_row(name, &b, target);
}

/* Both whole; igraph counts unordered pairs of undirected graphs. */
static int beside_igraph(const char *name, const igraph_t *g, double times)
{
    struct dist_count d;
    const struct bench b = count_all(&d, g, 1);
    struct bench other = { 0 };
    igraph_vector_t pairs;
    igraph_real_t unconnected;

    if (igraph_vector_init(&pairs, 0))
        give_up("memory");
    while (bench_again(&other)) {
        bench_start(&other);
        if (igraph_path_length_hist(g, &pairs, &unconnected, 0))
            give_up("igraph_path_length_hist");
        bench_stop(&other);
    }
    if (igraph_vector_size(&pairs) != d.longest)
        give_up("another diameter than igraph's");
    for (int l = 1; l <= d.longest; l++)
        if (fabs(2 * VECTOR(pairs)[l - 1] - (double)d.pairs[l]) > 0.5)
            give_up("other pairs than igraph's");
    igraph_vector_destroy(&pairs);
    dist_count_release(&d);
    return bench_faster(name, &b, times, &other);
}

/* Every block's rows on one core, sources in csr_order, beside a plain search from every node. */
static int rows_beside_bfs(const char *name, const igraph_t *g, double target)
{
    struct bench b = { 0 }, other = { 0 };
    struct dist_work *w;
    struct csr c;
    uint8_t *row;
    int *all, *hops;

    bench_must(csr_init(&c, g, false, &err), &err);
    row = aligned_alloc(64, (size_t)c.n * DIST_BLOCK);
    all = malloc((size_t)c.n * sizeof *all);
    hops = malloc(2 * (size_t)c.n * sizeof *hops);
    w = dist_work_new(&c);
    if (!row || !all || !hops || !w)
        give_up("memory");
    bench_must(csr_order(&c, all, &err), &err);
    while (bench_again(&b)) {
        bench_start(&b);
        for (int k = 0; k < c.n; k += DIST_BLOCK)
            if (dist_rows8(row, w, &c, all + k, k + DIST_BLOCK < c.n ? DIST_BLOCK : c.n - k) < 0)
                give_up("distances above 254");
        bench_stop(&b);
    }
    while (bench_again(&other)) {
        bench_start(&other);
        for (int v = 0; v < c.n; v++)
            csr_bfs(&c, v, hops, hops + c.n);
        bench_stop(&other);
    }
    dist_work_free(w);
    csr_release(&c);
    free(row);
    free(all);
    free(hops);
    return bench_beside(name, &b, target, &other);
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
    missed |= counted("distances counted, torus:256x256", &torus256, 12);
    missed |= counted("distances counted, 65,536 nodes of degree 16 at random", &regular16, 7);
    missed |= beside_igraph("distances counted, torus:128x128; igraph_path_length_hist", &torus128, 11);
    missed |= beside_igraph("distances counted, 16,384 nodes of degree 16; the same", &regular14, 60);
    missed |= rows_beside_bfs("rows of distances, 16,384 nodes of degree 16; plain searches", &regular14, 0.4);
    missed |= rows_beside_bfs("rows of distances, torus:128x128; plain searches", &torus128, 1);
    missed |= bench_most("peak memory, MiB", bench_peak_mib(), 256);
    igraph_destroy(&torus128);
    igraph_destroy(&torus256);
    igraph_destroy(&regular14);
    igraph_destroy(&regular16);
    return missed;
}
