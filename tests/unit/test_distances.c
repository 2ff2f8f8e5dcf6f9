/* Distances by blocks against one breadth-first search per source, and against igraph. */
#include <igraph.h>
#include <string.h>

#include "graph/numeric/rng.h"
#include "graph/distance/distances.h"
#include "graph/distance/sweep.h"
#include "tests/support/check.h"

enum shape { PATH, RING, STAR, GRID, RANDOM, EDGELESS, TWO_RANDOM, LADDER, HOSTS };

static const struct row {
    const char *name;
    enum shape shape;
    int n, edges;               /* edges: of random shapes */
    bool directed;
} rows[] = {
    { "one node", EDGELESS, 1, 0, false },
    { "one node, directed", EDGELESS, 1, 0, true },
    { "two nodes", PATH, 2, 0, false },
    { "two nodes, one way", PATH, 2, 0, true },
    { "600 nodes without an edge", EDGELESS, 600, 0, false },
    { "star of 700", STAR, 700, 0, false },
    { "star of 700, outwards", STAR, 700, 0, true },
    { "path of 600, too long for bytes", PATH, 600, 0, false },
    { "path of 600, one way", PATH, 600, 0, true },
    { "path of 255, the longest for bytes", PATH, 255, 0, false },
    { "path of 256, one too long for bytes", PATH, 256, 0, false },
    { "ring of 1500, one way", RING, 1500, 0, true },
    { "ladder of 1600", LADDER, 1600, 0, false },
    { "grid of 37 x 37", GRID, 37 * 37, 0, false },
    { "random, 511 nodes", RANDOM, 511, 1200, false },
    { "random, 512 nodes", RANDOM, 512, 1200, false },
    { "random, 513 nodes", RANDOM, 513, 1200, false },
    { "random and sparse, in pieces", RANDOM, 1100, 700, false },
    { "random and dense", RANDOM, 1100, 20000, false },
    { "random, directed", RANDOM, 1100, 3300, true },
    { "random, directed, sparse", RANDOM, 1100, 1500, true },
    { "random, directed, dense", RANDOM, 700, 20000, true },
    { "hosts on switches", HOSTS, 1200, 900, false },
    { "hosts on few switches in pieces", HOSTS, 700, 60, false },
    { "two random parts", TWO_RANDOM, 1300, 2600, false },
    { "two random parts, directed", TWO_RANDOM, 1300, 4000, true },
};

static uint64_t seed;

/* Edges at random between nodes lo..hi-1; loops and doubles are welcome. */
static void some_edges(igraph_vector_int_t *e, struct rng *rng, int lo, int hi, int count)
{
    for (int i = 0; i < 2 * count; i++)
        assert_int_equal(igraph_vector_int_push_back(e, lo + (int)rng_below(rng, (uint64_t)(hi - lo))), 0);
}

static void edge(igraph_vector_int_t *e, int from, int to)
{
    assert_int_equal(igraph_vector_int_push_back(e, from), 0);
    assert_int_equal(igraph_vector_int_push_back(e, to), 0);
}

static void build(igraph_t *g, const struct row *row, struct rng *rng)
{
    igraph_vector_int_t e;
    const int n = row->n;

    assert_int_equal(igraph_vector_int_init(&e, 0), 0);
    switch (row->shape) {
    case EDGELESS:
        break;
    case PATH:
    case RING:
        for (int v = 0; v + 1 < n; v++)
            edge(&e, v, v + 1);
        if (row->shape == RING)
            edge(&e, n - 1, 0);
        break;
    case STAR:
        for (int v = 1; v < n; v++)
            edge(&e, 0, v);
        break;
    case LADDER:
        for (int v = 0; v < n; v++) {
            if (v % 2 == 0)
                edge(&e, v, v + 1);
            if (v + 2 < n)
                edge(&e, v, v + 2);
        }
        break;
    case GRID:
        for (int v = 0; v < n; v++) {
            if (v % 37 < 36)
                edge(&e, v, v + 1);
            if (v + 37 < n)
                edge(&e, v, v + 37);
        }
        break;
    case RANDOM:
        some_edges(&e, rng, 0, n, row->edges);
        break;
    case HOSTS:                 /* the last three quarters of the nodes hang on one of the others */
        some_edges(&e, rng, 0, n / 4, row->edges);
        for (int v = n / 4; v < n; v++)
            edge(&e, v, (int)rng_below(rng, (uint64_t)(n / 4)));
        break;
    case TWO_RANDOM:
        some_edges(&e, rng, 0, n / 3, row->edges / 3);
        some_edges(&e, rng, n / 3, n, row->edges - row->edges / 3);
        break;
    }
    assert_int_equal(igraph_create(g, &e, n, row->directed), 0);
    igraph_vector_int_destroy(&e);
}

struct made {
    struct rng rng;
    igraph_t graph;
    struct csr c;
    int *hops, *queue;          /* n x n, n */
    struct err err;
};

static void make(struct made *m, const struct row *row)
{
    const size_t n = (size_t)row->n;

    rng_seed(&m->rng, seed);
    build(&m->graph, row, &m->rng);
    assert_int_equal(csr_init(&m->c, &m->graph, false, &m->err), 0);
    m->hops = malloc(n * n * sizeof *m->hops);
    m->queue = malloc(n * sizeof *m->queue);
    assert_non_null(m->hops);
    assert_non_null(m->queue);
    for (size_t v = 0; v < n; v++)
        csr_bfs(&m->c, (int)v, m->hops + v * n, m->queue);
}

static void unmake(struct made *m)
{
    csr_release(&m->c);
    igraph_destroy(&m->graph);
    free(m->hops);
    free(m->queue);
}

/* All nodes in a random order. */
static int *shuffled(struct rng *rng, int n)
{
    int *all = malloc((size_t)n * sizeof *all);

    assert_non_null(all);
    for (int v = 0; v < n; v++)
        all[v] = v;
    rng_shuffle(rng, all, (size_t)n);
    return all;
}

/* ---- single searches ---- */

static void bfs_is_igraphs(void **state)
{
    const struct row *row = *state;
    struct made m;
    igraph_matrix_t d;

    make(&m, row);
    assert_int_equal(igraph_matrix_init(&d, 0, 0), 0);
    assert_int_equal(igraph_distances(&m.graph, &d, igraph_vss_all(), igraph_vss_all(), IGRAPH_OUT), 0);
    for (int u = 0; u < row->n; u++)
        for (int v = 0; v < row->n; v++) {
            const double want = MATRIX(d, u, v);
            const int got = m.hops[(size_t)u * (size_t)row->n + (size_t)v];

            assert_int_equal(got, want < row->n ? (int)want : -1);
        }
    igraph_matrix_destroy(&d);
    unmake(&m);
}

static void copy_is_sorted(void **state)
{
    const struct row *row = *state;
    struct made m;
    struct csr each, reverse;
    size_t edges;

    make(&m, row);
    edges = (size_t)igraph_ecount(&m.graph);
    assert_int_equal(csr_init_each(&each, &m.graph, false, &m.err), 0);
    assert_int_equal(csr_init_each(&reverse, &m.graph, true, &m.err), 0);
    /* The copy that joins parallel edges has every neighbour of the other once. */
    for (int v = 0; v < row->n; v++) {
        size_t at = m.c.first[v];

        for (size_t e = each.first[v]; e < each.first[v + 1]; e++)
            if (e == each.first[v] || each.to[e] != each.to[e - 1])
                assert_int_equal(m.c.to[at++], each.to[e]);
        assert_int_equal(at, m.c.first[v + 1]);
    }
    csr_release(&m.c);
    m.c = each;
    assert_int_equal(m.c.m, edges * (row->directed ? 1 : 2));
    assert_int_equal(reverse.m, m.c.m);
    assert_int_equal(m.c.first[0], 0);
    assert_int_equal(m.c.first[row->n], m.c.m);
    for (int v = 0; v < row->n; v++)
        for (size_t e = m.c.first[v] + 1; e < m.c.first[v + 1]; e++)
            assert_true(m.c.to[e - 1] <= m.c.to[e]);
    /* The reverse holds the same links: as many from u to v as there are from v to u here. */
    for (int v = 0; v < row->n; v++)
        for (size_t e = reverse.first[v]; e < reverse.first[v + 1]; e++) {
            const int u = reverse.to[e];
            int here = 0, there = 0;

            for (size_t f = reverse.first[v]; f < reverse.first[v + 1]; f++)
                there += reverse.to[f] == u;
            for (size_t f = m.c.first[u]; f < m.c.first[u + 1]; f++)
                here += m.c.to[f] == v;
            assert_int_equal(here, there);
        }
    csr_release(&reverse);
    unmake(&m);
}

static void order_is_a_permutation(void **state)
{
    const struct row *row = *state;
    struct made m;
    int *order, *seen;

    make(&m, row);
    order = malloc((size_t)row->n * sizeof *order);
    seen = calloc((size_t)row->n, sizeof *seen);
    assert_non_null(order);
    assert_non_null(seen);
    assert_int_equal(csr_order(&m.c, order, &m.err), 0);
    for (int i = 0; i < row->n; i++) {
        assert_in_range(order[i], 0, row->n - 1);
        assert_int_equal(seen[order[i]]++, 0);
    }
    free(order);
    free(seen);
    unmake(&m);
}

/* ---- counting ---- */

/* The obvious way to the same counts. */
static void count_slowly(struct dist_count *d, const struct made *m, const int *source, const int *weight,
                         int nsource, const unsigned char *is_target)
{
    const int n = m->c.n;

    *d = (struct dist_count){ .pairs = calloc((size_t)n + 1, sizeof *d->pairs), .lost = { -1, -1 } };
    assert_non_null(d->pairs);
    for (int i = 0; i < nsource; i++)
        for (int v = 0; v < n; v++) {
            const int hops = m->hops[(size_t)source[i] * (size_t)n + (size_t)v];
            const uint64_t times = (uint64_t)(weight ? weight[i] : 1);

            if (v == source[i] || (is_target && !is_target[v]))
                continue;
            if (hops < 0) {
                d->unreachable += times;
                if (d->lost[0] < 0) {
                    d->lost[0] = source[i];
                    d->lost[1] = v;
                }
                continue;
            }
            d->pairs[hops] += times;
            if (hops > d->longest)
                d->longest = hops;
        }
}

static void assert_counts_equal(const struct dist_count *got, const struct dist_count *want)
{
    assert_int_equal(got->longest, want->longest);
    for (int d = 0; d <= want->longest; d++)
        assert_int_equal(got->pairs[d], want->pairs[d]);
    assert_int_equal(got->unreachable, want->unreachable);
    assert_int_equal(got->lost[0], want->lost[0]);
    assert_int_equal(got->lost[1], want->lost[1]);
}

static void count_case(struct made *m, const int *source, const int *weight, int nsource,
                       const unsigned char *is_target)
{
    static const int threads[] = { 1, 2, 3, 0 };
    struct dist_count want;

    count_slowly(&want, m, source, weight, nsource, is_target);
    EACH_ROW(t, threads) {
        struct dist_count got;

        assert_int_equal(dist_count(&got, &m->c, &(struct dist_ends){ nsource, source, weight, is_target },
                                    threads[t], NULL, &m->err), 0);
        assert_counts_equal(&got, &want);
        dist_count_release(&got);
    }
    dist_count_release(&want);
}

static void counts_hold(void **state)
{
    const struct row *row = *state;
    struct made m;
    int *source, *weight;
    unsigned char *target;

    make(&m, row);
    source = shuffled(&m.rng, row->n);
    weight = malloc((size_t)row->n * sizeof *weight);
    target = malloc((size_t)row->n);
    assert_non_null(weight);
    assert_non_null(target);
    for (int v = 0; v < row->n; v++) {
        /* Small ones and large ones. */
        weight[v] = 1 + (int)rng_below(&m.rng, v % 3 ? 9 : 100000);
        target[v] = rng_below(&m.rng, 3) == 0 ? 1 : 0;
    }
    count_case(&m, source, NULL, row->n, NULL);
    count_case(&m, source, weight, row->n, NULL);
    count_case(&m, source, NULL, row->n, target);
    count_case(&m, source, weight, (row->n + 1) / 2, target);
    count_case(&m, source, NULL, 1, NULL);
    count_case(&m, source, NULL, (row->n + 6) / 7, NULL);  /* few and far apart */
    count_case(&m, source, NULL, 0, NULL);
    memset(target, 0, (size_t)row->n);
    count_case(&m, source, NULL, row->n, target);
    free(source);
    free(weight);
    free(target);
    unmake(&m);
}

static void histogram_is_igraphs(void **state)
{
    const struct row *row = *state;
    struct made m;
    struct dist_count d;
    igraph_vector_t pairs;
    igraph_real_t unconnected;
    const double each = row->directed ? 1 : 2;      /* igraph counts pairs of undirected graphs once */
    int *all;

    make(&m, row);
    all = shuffled(&m.rng, row->n);
    assert_int_equal(igraph_vector_init(&pairs, 0), 0);
    assert_int_equal(igraph_path_length_hist(&m.graph, &pairs, &unconnected, 1), 0);
    assert_int_equal(dist_count(&d, &m.c, &(struct dist_ends){ row->n, all, NULL, NULL }, 0, NULL, &m.err), 0);
    assert_int_equal(d.longest, igraph_vector_size(&pairs));
    for (int l = 1; l <= d.longest; l++)
        assert_true((double)d.pairs[l] == each * VECTOR(pairs)[l - 1]);
    assert_true((double)d.unreachable == each * unconnected);
    assert_int_equal(d.pairs[0], 0);
    igraph_vector_destroy(&pairs);
    dist_count_release(&d);
    free(all);
    unmake(&m);
}

/* ---- rows ---- */

static void rows_case(struct made *m, struct dist_work *w, const int *source, int nsource)
{
    const size_t n = (size_t)m->c.n;
    uint8_t *narrow = malloc(n * DIST_BLOCK);
    uint32_t *wide = malloc(n * DIST_BLOCK * sizeof *wide);
    int longest = 0, fits;

    assert_non_null(narrow);
    assert_non_null(wide);
    memset(narrow, 0x5a, n * DIST_BLOCK);
    memset(wide, 0x5a, n * DIST_BLOCK * sizeof *wide);
    for (int i = 0; i < nsource; i++)
        for (size_t v = 0; v < n; v++)
            if (m->hops[(size_t)source[i] * n + v] > longest)
                longest = m->hops[(size_t)source[i] * n + v];
    fits = dist_rows8(narrow, w, &m->c, source, nsource);
    assert_int_equal(fits, longest > 254 ? -1 : 0);
    dist_rows32(wide, w, &m->c, source, nsource);
    for (int i = 0; i < nsource; i++)
        for (size_t v = 0; v < n; v++) {
            const int hops = m->hops[(size_t)source[i] * n + v];

            assert_int_equal(wide[v * DIST_BLOCK + (size_t)i], hops < 0 ? 0xffffffffu : (uint32_t)hops);
            if (fits == 0)
                assert_int_equal(narrow[v * DIST_BLOCK + (size_t)i], hops < 0 ? 0xff : hops);
        }
    free(narrow);
    free(wide);
}

static void rows_hold(void **state)
{
    const struct row *row = *state;
    struct made m;
    struct dist_work *w;
    int *source;

    make(&m, row);
    source = shuffled(&m.rng, row->n);
    w = dist_work_new(&m.c);
    assert_non_null(w);
    for (int b = 0; b < row->n; b += DIST_BLOCK)
        rows_case(&m, w, source + b, row->n - b < DIST_BLOCK ? row->n - b : DIST_BLOCK);
    for (int v = 0; v < row->n; v++)        /* and a block whose sources lie together */
        source[v] = v;
    rows_case(&m, w, source, row->n < 200 ? row->n : 200);
    dist_work_free(w);
    free(source);
    unmake(&m);
}

/* Each instruction set this machine has gives the same words, counts and rows. */
static void kernels_agree(void **state)
{
    const struct row *row = *state;
    struct made m;
    struct sweep *s = aligned_alloc(64, sizeof *s);
    struct csr turned;
    const size_t n = (size_t)row->n;
    unsigned char *counted = malloc(n);
    uint8_t *got = malloc(n * DIST_BLOCK);
    int *source, nsource;

    make(&m, row);
    nsource = row->n < DIST_BLOCK ? row->n : DIST_BLOCK;
    source = shuffled(&m.rng, row->n);
    assert_non_null(s);
    assert_non_null(counted);
    assert_non_null(got);
    memset(counted, 1, n);
    assert_int_equal(csr_reverse(&turned, &m.c, &m.err), 0);
    for (int k = 0; sweep_kernels[k]; k++) {
        uint64_t sum = 0, want = 0;

        if (!sweep_kernels[k]->runs_here()) {
            print_message("[   note   ] %s cannot run here\n", sweep_kernels[k]->name);
            continue;
        }
        assert_int_equal(sweep_init(s, &m.c, &turned), 0);
        s->kernel = sweep_kernels[k];
        s->counted = counted;
        s->plane = got;
        memset(got, 0, n * DIST_BLOCK);
        sweep_start(s, source, NULL, nsource);
        while (sweep_step(s) && s->level < 255)
            sum += s->sum;
        if (s->level < 255) {
            s->kernel->spread(s, got, 8);
            for (int i = 0; i < nsource; i++)
                for (size_t v = 0; v < n; v++) {
                    const int hops = m.hops[(size_t)source[i] * n + v];

                    assert_int_equal(got[v * DIST_BLOCK + (size_t)i], hops < 0 ? 0xff : hops);
                    want += hops > 0;
                }
            assert_int_equal(sum, want);
        }
        sweep_release(s);
    }
    csr_release(&turned);
    free(s);
    free(counted);
    free(got);
    free(source);
    unmake(&m);
}

/* ---- stopping, and what it takes ---- */

struct watch {
    int calls, stop_at;
    double last;
    bool forward;
};

static int watching(void *arg, double done)
{
    struct watch *w = arg;

    w->forward = w->forward && done > w->last && done <= 1;
    w->last = done;
    return ++w->calls == w->stop_at;
}

static const struct row large = { "random, 3000 nodes", RANDOM, 3000, 9000, false };

static void a_tick_stops(void **state)
{
    struct rng rng;
    igraph_t g;
    struct csr c;
    struct err err = { ERR_NONE, "" };
    struct dist_count d = { .longest = -7 };
    int *all;

    (void)state;
    rng_seed(&rng, seed);
    build(&g, &large, &rng);
    assert_int_equal(csr_init(&c, &g, false, &err), 0);
    all = shuffled(&rng, c.n);
    for (int threads = 1; threads <= 2; threads++) {
        struct watch watch = { .stop_at = 2, .forward = true };
        const struct tick t = { watching, &watch, 0, 1, NULL };

        assert_int_equal(dist_count(&d, &c, &(struct dist_ends){ c.n, all, NULL, NULL }, threads, &t, &err), -1);
        assert_int_equal(err.code, ERR_STOPPED);
        assert_int_equal(watch.calls, 2);
        assert_int_equal(d.longest, -7);    /* untouched */
        watch = (struct watch){ .stop_at = -1, .forward = true };
        assert_int_equal(dist_count(&d, &c, &(struct dist_ends){ c.n, all, NULL, NULL }, threads, &t, &err), 0);
        assert_int_equal(watch.calls, (c.n + DIST_BLOCK - 1) / DIST_BLOCK);
        assert_true(watch.forward);
        assert_true(watch.last > 1 - 1e-9);
        dist_count_release(&d);
        d.longest = -7;
    }
    free(all);
    csr_release(&c);
    igraph_destroy(&g);
}

/* Links of a large network lead far from their nodes: words are fetched before their turn. */
static void far_links(void **state)
{
    enum { N = 20000, SOURCES = 70 };
    const struct row row = { "far", RANDOM, N, 5 * N, false };
    int source[SOURCES], *hops = malloc(2 * N * sizeof *hops);
    uint8_t *got = malloc((size_t)N * DIST_BLOCK);
    struct dist_work *w;
    struct csr c;
    struct rng rng;
    igraph_t g;
    struct err err;

    (void)state;
    assert_non_null(hops);
    assert_non_null(got);
    rng_seed(&rng, seed);
    build(&g, &row, &rng);
    assert_int_equal(csr_init(&c, &g, false, &err), 0);
    w = dist_work_new(&c);
    assert_non_null(w);
    for (int i = 0; i < SOURCES; i++)
        source[i] = (int)rng_below(&rng, N);
    assert_int_equal(dist_rows8(got, w, &c, source, SOURCES), 0);
    for (int i = 0; i < SOURCES; i++) {
        csr_bfs(&c, source[i], hops, hops + N);
        for (size_t v = 0; v < N; v++)
            assert_int_equal(got[v * DIST_BLOCK + (size_t)i], hops[v] < 0 ? 0xff : hops[v]);
    }
    dist_work_free(w);
    csr_release(&c);
    igraph_destroy(&g);
    free(got);
    free(hops);
}

static void memory_is_forecast(void **state)
{
    const struct csr c = { .n = 1 << 20, .m = 1 << 22 };
    const double words = 2.0 * 64 * (1 << 20);

    (void)state;
    assert_true(dist_count_bytes(&c, 1) > words);
    assert_true(dist_count_bytes(&c, 1) < 3 * words);
    assert_true(dist_count_bytes(&c, 2) - dist_count_bytes(&c, 1) > words);
    assert_true(dist_work_bytes(&c) > words);
}

static const struct check {
    const char *name;
    void (*run)(void **state);
} checks[] = {
    { "one search", bfs_is_igraphs },
    { "compressed copy", copy_is_sorted },
    { "order", order_is_a_permutation },
    { "counts", counts_hold },
    { "igraph's histogram", histogram_is_igraphs },
    { "rows", rows_hold },
    { "instruction sets", kernels_agree },
};

int main(void)
{
    static struct CMUnitTest tests[COUNT(checks) * COUNT(rows) + 3];
    static char names[COUNT(checks) * COUNT(rows)][80];
    size_t n = 0;

    seed = check_seed();
    EACH_ROW(c, checks)
        for (size_t r = 0; r < COUNT(rows); r++, n++) {
            snprintf(names[n], sizeof names[n], "%s: %s", checks[c].name, rows[r].name);
            tests[n] = (struct CMUnitTest){ .name = names[n], .test_func = checks[c].run,
                                            .initial_state = (void *)&rows[r] };
        }
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_tick_stops);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(memory_is_forecast);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(far_links);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
