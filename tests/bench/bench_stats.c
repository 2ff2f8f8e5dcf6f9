/* Metapath statistics: convolution against sums over the members one by one, blocks against the same, memory. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/metapath/metapath.h"
#include "graph/distance/distances.h"

static const char *const table_5_2[] = {
    "random", "row:32,exclude=line", "row:16,exclude=line", "row:8,exclude=line", "row:4,exclude=line",
    "row:2,exclude=line", "sga:16", "sga:8", "sga:4", "sga:2", "sga:1", "dga:8", "dga:4", "dga:2", "dga:1", "static"
};
#define MOST 20

static void die(const char *what, const struct err *err)
{
    fprintf(stderr, "%s: %s\n", what, err->msg);
    exit(2);
}

/* Seconds for the supernodes on the network; means into `mean`. */
static double ours(const char *spec, const char *const *name, size_t n, int jobs, double *mean)
{
    struct metapath_options o = { .jobs = jobs };
    struct metapath_stats s[MOST];
    struct supernode sn[MOST];
    struct net *net;
    struct err err = { 0 };
    double begin;

    if (net_open(&net, spec, &err) < 0)
        die(spec, &err);
    for (size_t i = 0; i < n; i++)
        if (supernode_open(&sn[i], name[i], net, &err) < 0)
            die(name[i], &err);
    if (!net->group) {                              /* building is not measured */
        const igraph_t *graph;

        if (net_graph(net, &graph, &err) < 0)
            die(spec, &err);
    }
    begin = bench_now();
    if (metapath_stats(s, net, sn, n, &o, &err) < 0)
        die(spec, &err);
    begin = bench_now() - begin;
    for (size_t i = 0; i < n; i++) {
        mean[i] = s[i].mean_hops;
        metapath_stats_release(&s[i]);
        supernode_release(&sn[i]);
    }
    net_close(net);
    return begin;
}

static double best_of(const char *spec, const char *const *name, size_t n, double *mean)
{
    double best = INFINITY;

    for (int i = 0; i < 5; i++)
        best = fmin(best, ours(spec, name, n, 0, mean));
    return best;
}

static int ring(int c, int k)
{
    c = (c % k + k) % k;
    return c < k - c ? c : k - c;
}

/* The slow twin on a k x k torus: sums over the members, one by one, for every target of one source. */
static double ball_mean(int k, int r, bool both)
{
    int (*member)[2] = malloc((size_t)(2 * r + 1) * (size_t)(2 * r + 1) * sizeof *member), n = 0;
    double sum = 0, kept = 0;

    for (int x = -r; x <= r; x++)
        for (int y = -r; y <= r; y++)
            if (abs(x) + abs(y) <= r) {
                member[n][0] = x;
                member[n++][1] = y;
            }
    for (int x = 0; x < k; x++)
        for (int y = 0; y < k; y++) {
            int64_t length = 0;

            if (ring(x, k) + ring(y, k) <= (both ? 2 * r - 1 : r))
                continue;
            for (int i = 0; i < n; i++) {
                int out = abs(member[i][0]) + abs(member[i][1]);

                if (!both)
                    length += out + ring(x - member[i][0], k) + ring(y - member[i][1], k);
                for (int j = 0; both && j < n; j++)
                    length += out + abs(member[j][0]) + abs(member[j][1]) +
                              ring(x - member[i][0] + member[j][0], k) + ring(y - member[i][1] + member[j][1], k);
            }
            sum += (double)length / n / (both ? n : 1);
            kept++;
        }
    free(member);
    return sum / kept;
}

/* The twin's seconds for some of the table's balls; stops the program when it disagrees. */
static double twin(int k, const double *mean, bool doubles)
{
    double begin = bench_now();

    for (size_t i = 0; i < sizeof table_5_2 / sizeof *table_5_2; i++) {
        bool both = table_5_2[i][0] == 'd';
        int r = atoi(table_5_2[i] + 4);

        if (strncmp(table_5_2[i] + 1, "ga:", 3) != 0 || (both && !doubles))
            continue;
        if (fabs(ball_mean(k, r, both) - mean[i]) > 1e-9 * mean[i]) {
            fprintf(stderr, "%s on torus:%dx%d: %.17g\n", table_5_2[i], k, k, mean[i]);
            exit(2);
        }
    }
    return bench_now() - begin;
}

#define SAMPLE 16

/* Seconds that static and sga:1 over all sources would take by one search per member: SAMPLE sources, scaled up. */
static double searches(const char *spec)
{
    const igraph_t *graph;
    struct csr c;
    struct net *net;
    struct err err = { 0 };
    double begin, sum = 0;
    int *hops, *queue;
    int64_t *total;

    if (net_open(&net, spec, &err) < 0 || net_graph(net, &graph, &err) < 0 || csr_init(&c, graph, false, &err) < 0)
        die(spec, &err);
    hops = malloc((size_t)c.n * sizeof *hops);
    queue = malloc((size_t)c.n * sizeof *queue);
    total = malloc((size_t)c.n * sizeof *total);
    if (!hops || !queue || !total)
        exit(2);
    begin = bench_now();
    for (int s = 0; s < SAMPLE; s++) {
        memset(total, 0, (size_t)c.n * sizeof *total);
        for (size_t i = c.first[s]; i <= c.first[s + 1]; i++) {
            csr_bfs(&c, i < c.first[s + 1] ? c.to[i] : s, hops, queue);
            for (int t = 0; t < c.n; t++)
                total[t] += hops[t] + (i < c.first[s + 1]);
        }
        for (int t = 0; t < c.n; t++)
            sum += (double)total[t];
    }
    begin = (bench_now() - begin) * c.n / SAMPLE;
    if (sum <= 0)
        exit(2);
    free(hops);
    free(queue);
    free(total);
    csr_release(&c);
    net_close(net);
    return begin;
}

int main(void)
{
    const size_t n = sizeof table_5_2 / sizeof *table_5_2;
    static const char *const two[] = { "static", "sga:1" };
    double mean[MOST], t, start, slow, per_node;
    int missed = 0;

    net_setup();
    bench_heading();
    t = best_of("torus:256x256", table_5_2, n, mean);
    missed |= bench_row("table 5-2's supernodes, torus:256x256", t, 0.02, twin(256, mean, true), 0);
    start = bench_peak_mib();
    t = ours("torus:1024x1024", table_5_2, n, 0, mean);
    per_node = (bench_peak_mib() - start) * 1024 * 1024 / (1024.0 * 1024);
    t = fmin(t, best_of("torus:1024x1024", table_5_2, n, mean));
    missed |= bench_row("the same, torus:1024x1024 (twin: single areas only)", t, 0.4, twin(1024, mean, false), 0);
    printf("%-52s %9.1f %39s %s\n", "its working memory, bytes a node", per_node, "32", per_node <= 32 ? "ok" :
           "MISSED");
    missed |= per_node > 32;

    start = bench_peak_mib();
    t = ours("random:16384,degree=16,seed=1", two, 2, 2, mean);
    slow = searches("random:16384,degree=16,seed=1");
    missed |= bench_row("static,sga:1, random 16-regular, 16384 (twin scaled)", t, 2, slow, 0);
    printf("%-52s %9.1f %39s %s\n", "its peak memory, MiB", bench_peak_mib(), "256", bench_peak_mib() <= 256 ? "ok" :
           "MISSED");
    missed |= bench_peak_mib() > 256;
    net_teardown();
    return missed;
}
