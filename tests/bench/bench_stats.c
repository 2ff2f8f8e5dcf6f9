/* Metapath statistics: convolution beside sums over the members one by one, blocks of searches beside one search from
 * every node, memory. */
#include "bench.h"

#include <string.h>

#include "analysis/metapath/metapath.h"
#include "graph/distance/distances.h"

static const char *const table_5_2[] = {
    "random", "row:32,exclude=line", "row:16,exclude=line", "row:8,exclude=line", "row:4,exclude=line",
    "row:2,exclude=line", "sga:16", "sga:8", "sga:4", "sga:2", "sga:1", "dga:8", "dga:4", "dga:2", "dga:1", "static"
};
#define MOST 20

static struct err err;

/* The supernodes on the network, which is built before; means into `mean`. */
static struct bench measure(const char *spec, const char *const *name, size_t n, double *mean)
{
    const struct metapath_options o = { .jobs = 0 };
    struct supernode sn[MOST];
    struct net *net = NULL;
    const igraph_t *graph;
    struct bench b = { 0 };

    bench_must(net_open(&net, spec, &err), &err);
    for (size_t i = 0; i < n; i++)
        bench_must(supernode_open(&sn[i], name[i], net, &err), &err);
    if (!net->group)
        bench_must(net_graph(net, &graph, &err), &err);
    while (bench_again(&b)) {
        struct metapath_stats s[MOST];

        bench_start(&b);
        bench_must(metapath_stats(s, net, sn, n, &o, &err), &err);
        bench_stop(&b);
        for (size_t i = 0; i < n; i++) {
            mean[i] = s[i].mean_hops;
            metapath_stats_release(&s[i]);
        }
    }
    for (size_t i = 0; i < n; i++)
        supernode_release(&sn[i]);
    net_close(net);
    return b;
}

/* ---- on a k x k torus, from one source to every target ---- */
static int ring(int c, int k)
{
    c = (c % k + k) % k;
    return c < k - c ? c : k - c;
}

/* The mean of a ball's metapaths: sums over the members one by one, first of one end, then of the other. */
static double ball_mean(int k, int r, bool both)
{
    double *to = calloc((size_t)k * (size_t)k, sizeof *to), *sum = calloc((size_t)k * (size_t)k, sizeof *sum);
    double all = 0, kept = 0, out = 0;
    int members = 0;

    if (!to || !sum)
        bench_give_up("bench_stats", "memory");
    for (int i = -r; i <= r; i++)
        for (int j = abs(i) - r; j <= r - abs(i); j++) {
            members++;
            out += abs(i) + abs(j);
            for (int x = 0; x < k; x++)
                for (int y = 0; y < k; y++)
                    to[x * k + y] += ring(x - i, k) + ring(y - j, k);
        }
    for (int i = -r; both && i <= r; i++)
        for (int j = abs(i) - r; j <= r - abs(i); j++)
            for (int x = 0; x < k; x++)
                for (int y = 0; y < k; y++)
                    sum[x * k + y] += to[(x + i + k) % k * k + (y + j + k) % k];
    for (int x = 0; x < k; x++)
        for (int y = 0; y < k; y++)
            if (ring(x, k) + ring(y, k) > (both ? 2 * r - 1 : r)) {
                all += both ? sum[x * k + y] / members + 2 * out : to[x * k + y] + out;
                kept++;
            }
    free(to);
    free(sum);
    return all / members / kept;
}

static void same(const char *what, double a, double b)
{
    if (!(fabs(a / b - 1) < 1e-9))
        bench_give_up(what, "another mean");
}

/* The balls of the table. */
static struct bench balls(int k, const double *mean)
{
    struct bench b = { 0 };

    while (bench_again(&b)) {
        bench_start(&b);
        for (size_t i = 0; i < sizeof table_5_2 / sizeof *table_5_2; i++)
            if (strncmp(table_5_2[i] + 1, "ga:", 3) == 0)
                same(table_5_2[i], ball_mean(k, atoi(table_5_2[i] + 4), table_5_2[i][0] == 'd'), mean[i]);
        bench_stop(&b);
    }
    return b;
}

/* ---- static and sga:1 of a regular graph by one search from every node ---- */
/* Whoever has node i for a member, its neighbours and itself, adds its paths by it, but to those in its own area. */
static void search_from(double *direct, double *by_area, const struct csr *c, int i, int *hops, int *queue)
{
    double reach = 0;

    csr_bfs(c, i, hops, queue);
    for (int t = 0; t < c->n; t++)
        reach += hops[t];
    *direct += reach;
    for (size_t e = c->first[i]; e <= c->first[i + 1]; e++) {
        const int s = e < c->first[i + 1] ? c->to[e] : i;
        const double degree = (double)(c->first[s + 1] - c->first[s]);

        *by_area += reach + hops[s] * (c->n - degree - 1) - hops[s];
        for (size_t k = c->first[s]; k < c->first[s + 1]; k++)
            *by_area -= hops[c->to[k]];
    }
}

static struct bench searches(const char *spec, const double *mean)
{
    struct bench b = { 0 };
    const igraph_t *graph;
    struct csr c;
    struct net *net;
    int *hops, *queue;

    bench_must(net_open(&net, spec, &err), &err);
    bench_must(net_graph(net, &graph, &err), &err);
    bench_must(csr_init(&c, graph, false, &err), &err);
    hops = malloc((size_t)c.n * sizeof *hops);
    queue = malloc((size_t)c.n * sizeof *queue);
    if (!hops || !queue)
        bench_give_up(spec, "memory");
    while (bench_again(&b)) {
        const double n = c.n, degree = (double)c.first[1];
        double direct = 0, by_area = 0;

        bench_start(&b);
        for (int i = 0; i < c.n; i++)
            search_from(&direct, &by_area, &c, i, hops, queue);
        bench_stop(&b);
        same("static", direct / n / (n - 1), mean[0]);
        same("sga:1", by_area / (degree + 1) / n / (n - degree - 1), mean[1]);
    }
    free(hops);
    free(queue);
    csr_release(&c);
    net_close(net);
    return b;
}

int main(void)
{
    const size_t n = sizeof table_5_2 / sizeof *table_5_2;
    static const char *const two[] = { "static", "sga:1" };
    struct bench b, other;
    double mean[MOST], start;
    int missed = 0;

    net_setup();
    bench_heading();
    b = measure("torus:256x256", table_5_2, n, mean);
    other = balls(256, mean);
    missed |= bench_beside("16 supernodes, torus:256x256; its nine areas by members", &b, 0.04, &other);
    start = bench_peak_mib();
    b = measure("torus:1024x1024", table_5_2, n, mean);
    missed |= bench_most("memory for the next row, bytes a node", bench_peak_mib() - start, 32);
    other = balls(1024, mean);
    missed |= bench_beside("16 supernodes, torus:1024x1024; its nine areas by members", &b, 0.9, &other);
    b = measure("random:4096,degree=16,seed=1", two, 2, mean);
    other = searches("random:4096,degree=16,seed=1", mean);
    missed |= bench_beside("static,sga:1, random:4096,degree=16; a search from every node", &b, 0.4, &other);
    b = measure("random:16384,degree=16,seed=1", two, 2, mean);
    missed |= bench_row("static,sga:1, random:16384,degree=16", &b, 4);
    missed |= bench_most("peak memory, MiB", bench_peak_mib(), 256);
    net_teardown();
    return missed;
}
