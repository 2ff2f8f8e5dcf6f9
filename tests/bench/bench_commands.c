/* Whole commands, from start to end, as users wait for them: one table. */
#include "bench.h"

#include <igraph.h>
#include <string.h>
#include <sys/stat.h>

#include "graph/numeric/rng.h"
#include "model/routing/route.h"

#define FILES "out/bench/"          /* inputs are written there, and figures */
#define LINES "plot " FILES "lines.csv -x x -y y -g series -o " FILES
#define HEAT "plot " FILES "map.csv -k heat -x x -y y -z z -o " FILES

enum target_kind {
    CPU,                            /* seconds */
    WALL,                           /* seconds that a user waits */
    SLOWER,                         /* at most so many times as long as the row above */
    THREADS                         /* at least so many times as fast as the row above, by wall */
};
static const struct command {
    const char *name, *arguments;
    double target;
    enum target_kind kind;
} table[] = {
    { "start, and torus:8x8", "topo torus:8x8", 0.03, CPU },

    { "a file: torus:256x256", "topo " FILES "torus.edges --symmetry none", 12, CPU },
    { "a file: 65,536 nodes of degree 16 at random", "topo " FILES "random.edges --symmetry none", 7, CPU },
    { "65,536 nodes of degree 16, one thread", "topo random:65536,degree=16 --jobs 1", 4, CPU },
    { "65,536 nodes of degree 16, two threads", "topo random:65536,degree=16 --jobs 2", 1.7, THREADS },
    { "65,536 nodes of degree 16", "topo random:65536,degree=16", 2.2, WALL },
    { "256 sources of 1,000,000 nodes of degree 8", "topo random:1000000,degree=8 --sources 256", 40, CPU },
    { "distances, 64 sources of 1,000,000 nodes, 1,000 hops",
      "topo torus:1000x1000 --symmetry none --bisection none --sources 64", 4, CPU },
    { "Slim Fly of 3,698 switches", "topo slimfly:43", 0.1, CPU },
    { "PolarFly of 16,257 switches", "topo polarfly:127", 1, CPU },
    { "fat tree of 1,000,000 hosts", "topo xgft:100+100+100,up=1+100+100", 0.06, CPU },
    { "megafly of 65,792 hosts", "topo megafly,l=16,s=16,h=16,hosts=16", 0.2, CPU },
    { "nine families of 1,000 hosts side by side", "compare --about 1000 --baseline none", 10, CPU },
    { "paths of all pairs of 338 switches", "topo slimfly:13 --show diversity", 0.1, CPU },
    { "the same, every pair by itself", "topo slimfly:13 --show diversity --symmetry none", 7, CPU },
    { "a fabric of 1,000 switches and 20,000 ports written",
      "topo random:1000,degree=10,hosts=10 --bisection none --export ibsim:" FILES "fabric.net", 1, CPU },
    { "the same read", "topo " FILES "fabric.net,format=ibsim --bisection none --sources 2", 0.4, CPU },
    { "metapaths of 16.8 million nodes", "stats torus:4096x4096", 5, CPU },
    { "metapaths of a dragonfly of 16,512 hosts", "stats dragonfly,a=16,p=8,h=8", 2, CPU },
    { "metapaths, 64 sources of 1,000,000 nodes", "stats random:1000000,degree=8 --supernode sga:1 --sources 64",
      24, CPU },
    { "latency, 4 others each of 16,384 nodes", "latency random:16384,degree=8 --sources 4 --load 0.1", 18, CPU },
    { "static,sga:1, 16,384 nodes of degree 16", "stats random:16384,degree=16 --supernode static,sga:1", 4, CPU },
    { "sga:4, 32,768 nodes of degree 8", "stats random:32768,degree=8 --supernode sga:4", 45, CPU },

    { "latency of 1,024 nodes of degree 8, one load", "latency random:1024,degree=8 --load 0.02", 1.8, CPU },
    { "latency of 1,024 nodes of degree 8, 12 loads", "latency random:1024,degree=8", 6, CPU },
    { "latency of 256 nodes, 3 paths chosen for each pair", "latency torus:16x16 --routing metapath:best:3 --load 0.1",
      4.5, CPU },
    { "latency of fattree:16", "latency fattree:16", 0.05, CPU },
    { "latency of a dragonfly of 1,056 hosts", "latency dragonfly,a=8,p=4,h=4", 0.05, CPU },
    { "the same by adaptive hops", "latency dragonfly,a=8,p=4,h=4 --routing adaptive --load 0.3", 2, CPU },
    { "342 hosts over random groups", "latency dragonfly,a=6,p=3,h=3 --routing valiant,by=group", 2, CPU },
    { "the same, minimal or over groups by queues", "latency dragonfly,a=6,p=3,h=3 --routing ugal --load 0.3", 2, CPU },

    { "throughput, random:200, permutation of farthest", "bound throughput random:200,degree=6 --traffic farthest",
      0.4, CPU },
    { "throughput, random:1000, the same to 1 %", "bound throughput random:1000,degree=6 --traffic farthest --gap 1%",
      7, CPU },
    { "throughput, fattree:32, all to all", "bound throughput fattree:32", 0.2, CPU },
    { "throughput, random:120 to 1 %", "bound throughput random:120,degree=6 --gap 1%", 0.4, CPU },
    { "throughput, random:120 to 0.1 %", "bound throughput random:120,degree=6 --gap 0.1%", 6, SLOWER },
    { "8,192, 8,192 and 5,256 hosts side by side", "compare torus:16x16x32 fattree:32 dragonfly,a=12,p=6,h=6", 5, CPU },
    { "65,536 hosts beside 58,806", "compare fattree:64 dragonfly,a=22,p=11,h=11", 30, CPU },
    { "65,536 irregular nodes beside a torus", "compare torus:256x256 random:65536,degree=8", 30, CPU },
    { "a fabric of 40 switches and 558 hosts, 20 cables out", "fabric xgft:18+31,up=1+9,cables=1+2,fail=random:20:1", 2, CPU },
    { "the same, better tables", "fabric xgft:18+31,up=1+9,cables=1+2,fail=random:20:1 --improve", 4, CPU },
    { "the same, all single losses", "fabric xgft:18+31,up=1+9,cables=1+2,fail=random:20:1 --show losses", 60, SLOWER },
    { "worst traffic of dor, torus:64x64", "bound worst torus:64x64", 5, CPU },

    { "broadcasts in time, 1,024 processes, 20 sizes, links",
      "collective broadcast torus:32x32 --bytes 8..4M..x2 --jobs 1", 10, CPU },
    { "the same by two threads", "collective broadcast torus:32x32 --bytes 8..4M..x2 --jobs 2", 1.5, THREADS },
    { "allreduces in time, 9 counts, 23 sizes, LogGP",
      "collective allreduce torus:32x32 -p 4..1024..x2 --bytes 1..4M..x2 --cost loggp,l=5us,o=1us,rate=10Gb/s", 10, CPU },
    { "a tree that 2,048 processes build, all joined", "tree complete:2048 --delays random --show building", 5, CPU },
    { "a tree of 2,048 processes, built and checked twice", "tree complete:2048 --broadcasts 4 -a adaptive --every 2", 10,
      CPU },
    { "a tree that 100,000 processes build, degree 8", "tree random:100000,degree=8 --delays random --show building", 10, CPU },
    { "tuned allreduces, 9 counts, 23 sizes, all settings, LogGP",
      "tune allreduce complete:256 -p 1..256..x2 --bytes 1..4M..x2 --cost loggp,l=5us,o=1us,rate=10Gb/s", 10, CPU },
    { "all-to-all in time, 4,096 processes, LogGP",
      "collective all-to-all torus:64x64 -a pairwise --bytes 1K --cost loggp,l=5us,o=1us,rate=10Gb/s", 10, CPU },
    { "steps, binary tree, 65,536 processes", "bcast torus:256x256 --algorithm binary --ports 1", 1.1, CPU },
    { "steps and cycles, binomial tree, 65,536 processes", "bcast torus:256x256 --packet 10 --ports 1 -a binomial",
      0.25, CPU },
    { "steps of all trees, fattree:64", "bcast fattree:64 --jobs 1", 2, CPU },
    { "steps and cycles of all trees, fattree:64", "bcast fattree:64 --packet 10 --jobs 1", 3, CPU },
    { "the same by two threads", "bcast fattree:64 --packet 10 --jobs 2", 1.5, THREADS },
    { "allreduces in time, random:512, all algorithms", "collective allreduce random:512,degree=8 --bytes 1M --jobs 1", 0.7, CPU },
    { "the same, random:1024, 8 sizes", "collective allreduce random:1024,degree=8 --bytes 8,1K,64K,128K,256K,512K,1M,4M "
      "--jobs 1", 6, CPU },
    { "all-to-all by full fan-out, 256 processes", "collective all-to-all torus:16x16 -a full-fan-out --bytes 64K", 1, CPU },
    { "the same, 1,024 processes", "collective all-to-all torus:32x32 -a full-fan-out --bytes 64K", 20, CPU },
    { "tuned allreduces of 512 MB in segments, 8 processes", "tune allreduce torus:2x2x2 --bytes 512M --jobs 1", 2, CPU },
    { "tuned allreduces, fattree:8", "tune allreduce fattree:8 --processes 16,48,128 --bytes 8..2M..x64 --jobs 1", 0.5, CPU },
    { "tuned allreduces, fattree:16", "tune allreduce fattree:16 --jobs 1", 4, CPU },
    { "all trees, mesh:8x8, 1000 draws under load",
      "bcast mesh:8x8 --packet 25 --ports 1 --interval 400 --draws 1000 --jobs 1", 0.4, CPU },
    { "all trees, mesh:8x8, from all and again and again",
      "bcast mesh:8x8 --packet 25 --ports 1 --root all --every 30% --jobs 1", 5, CPU },

    { "latency of Valiant's routing by groups, dragonfly of 1,056 hosts",
      "latency dragonfly,a=8,p=4,h=4 --routing valiant,by=group --load 0.1", 0.6, CPU },
    { "latency of Valiant's routing over all of 1,056 hosts, folded",
      "latency dragonfly,a=8,p=4,h=4 --routing valiant --load 0.1", 0.5, CPU },
    { "16,512 hosts over any other",
      "latency dragonfly,a=16,p=8,h=8 --routing valiant --load 0.1", 10, CPU },
    { "8,192 hosts flit by flit, 1,500 cycles at 0.1",
      "simulate fattree:32 --load 0.1 --cycles 1500 --replications 1", 5, CPU },

    { "deadlock of dor, torus:256x256", "deadlock torus:256x256", 0.2, CPU },
    { "deadlock of dor by datelines, torus:64x64", "deadlock torus:64x64 --classes dateline", 1, CPU },
    { "deadlock of adaptive routing by datelines, torus:20x20",
      "deadlock torus:20x20 --routing adaptive --classes dateline", 0.5, CPU },
    { "deadlock, layers of 512 nodes of degree 16", "deadlock random:512,degree=16 --routing minimal --classes layers",
      9, CPU },
    { "deadlock of 8,192 hosts, fattree:32", "deadlock fattree:32 --jobs 1", 1, CPU },
    { "deadlock of a dragonfly of 16,512 hosts", "deadlock dragonfly,a=16,p=8,h=8 --jobs 1", 1, CPU },
    { "deadlock of 10,000 nodes of degree 8", "deadlock random:10000,degree=8 --jobs 1", 10, CPU },
    { "the same by two threads", "deadlock random:10000,degree=8 --jobs 2", 1.5, THREADS },
    { "deadlock of a table of 999,000 routes",
      "deadlock random:1000,degree=8 --routing table:" FILES "routes.csv --jobs 1", 10, CPU },
    { "deadlock, what prevents it on fattree:8 by switches too", "deadlock fattree:8 --destinations all", 0.4, CPU },

    { "10 lines of 10,000 points, SVG", LINES "figure.svg", 0.3, CPU },
    { "10 lines of 10,000 points, PDF", LINES "figure.pdf", 0.4, CPU },
    { "10 lines of 10,000 points, PNG", LINES "figure.png", 0.5, CPU },
    { "heat map of 256 x 256, SVG", HEAT "figure.svg", 0.3, CPU },
    { "heat map of 256 x 256, PDF", HEAT "figure.pdf", 0.3, CPU },
    { "heat map of 256 x 256, PNG", HEAT "figure.png", 0.3, CPU },
    { "drawing of 1,024 nodes by forces, SVG",
      "topo random:1024,degree=6 --bisection none --plot " FILES "figure.svg", 2.3, CPU },
    { "drawing of 1,024 nodes by forces, PNG",
      "topo random:1024,degree=6 --bisection none --plot " FILES "figure.png", 2.3, CPU },
    { "protocols of one message, start and table", "protocol", 0.03, CPU },
    { "connections of 65,536 processes, a ring", "protocol --show connections -p 65536 --pattern allreduce:ring", 1, CPU },
    { "the same, all to all", "protocol --show connections -p 65536 --pattern alltoall:pairwise", 1, CPU },
    { "confirmed flood of torus:256x256", "primitive flood-confirmed torus:256x256 --delays unit", 0.15, CPU },
    { "confirmed flood of torus:1024x1024", "primitive flood-confirmed torus:1024x1024 --delays unit", 3, CPU },
    { "200,000 sends on torus:32x32, 16 buffers a node", "primitive --traffic uniform torus:32x32 --messages 195 --bytes 8 "
      "--node-buffers 16 --routing dor --buffer-classes inversions", 10, CPU },
    { "fit of 10,000 sizes, 1,000 draws", "fit " FILES "log.csv", 0.6, CPU },
    { "drawing of torus:256x256, SVG", "topo torus:256x256 --plot " FILES "figure.svg", 0.15, CPU },
    { "drawing of torus:256x256, PNG", "topo torus:256x256 --plot " FILES "figure.png", 0.3, CPU },
    { "sketch of 65,536 nodes of degree 4, SVG",
      "topo random:65536,degree=4 --bisection none --plot " FILES "figure.svg", 13, CPU }
};

/* The network as an edge list. */
static void write_edges(const char *spec, const char *path)
{
    const igraph_t *graph;
    struct err err = { 0 };
    struct net *net;
    FILE *f = fopen(path, "w");

    if (!f)
        bench_give_up(path, "cannot be written");
    bench_must(net_open(&net, spec, &err), &err);
    bench_must(net_graph(net, &graph, &err), &err);
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++)
        fprintf(f, "%d %d\n", (int)IGRAPH_FROM(graph, e), (int)IGRAPH_TO(graph, e));
    net_close(net);
    if (fclose(f) == EOF)
        bench_give_up(path, "cannot be written");
}

/* A shortest path for each pair. */
static void write_routes(const char *spec, const char *path)
{
    struct route_path nodes = { 0 };
    struct routing r = { 0 };
    struct err err = { 0 };
    struct net *net;
    FILE *f = fopen(path, "w");

    if (!f)
        bench_give_up(path, "cannot be written");
    bench_must(net_open(&net, spec, &err), &err);
    bench_must(routing_open(&r, net, "minimal", &err), &err);
    fprintf(f, "source,target,path\n");
    for (int target = 0; target < net->n; target++)
        for (int source = 0; source < net->n; source++) {
            if (source == target)
                continue;
            bench_must(route_path(&nodes, &r, source, target, &err), &err);
            fprintf(f, "%d,%d,%d", source, target, source);
            for (size_t i = 1; i < nodes.n; i++)
                fprintf(f, ">%d", nodes.node[i]);
            fputc('\n', f);
        }
    route_path_release(&nodes);
    routing_close(&r);
    net_close(net);
    if (fclose(f) == EOF)
        bench_give_up(path, "cannot be written");
}

/* 10,000 sizes from 1 to 4 M in two pieces, with 1 % of noise. */
static void write_log(const char *path)
{
    FILE *f = fopen(path, "w");
    struct rng rng;

    if (!f)
        bench_give_up(path, "cannot be written");
    rng_seed(&rng, 1);
    fprintf(f, "bytes,time_us\n");
    for (int i = 0; i < 10000; i++) {
        const double m = floor(i + pow(1.00152, i)), time = m < 16384 ? 1.5 + m / 2000 : 12 + m / 10000;

        fprintf(f, "%.0f,%.6f\n", m, time * (0.99 + 0.02 * rng_uniform(&rng)));
    }
    if (fclose(f) == EOF)
        bench_give_up(path, "cannot be written");
}

/* Ten lines of ten thousand points that jump; a map of 256 x 256 with hills. */
static void write_series(const char *path, bool map)
{
    FILE *f = fopen(path, "w");

    if (!f)
        bench_give_up(path, "cannot be written");
    fprintf(f, map ? "x,y,z\n" : "series,x,y\n");
    for (int a = 0; a < (map ? 256 : 10); a++)
        for (int b = 0; b < (map ? 256 : 10000); b++) {
            if (map)
                fprintf(f, "%d,%d,%.6g\n", a, b, sin(a / 25.0) * cos(b / 40.0) + a / 200.0);
            else
                fprintf(f, "s%d,%d,%.6g\n", a, b, a + sin(b / 500.0) + (b * 7919 % 1000) / 2500.0);
        }
    if (fclose(f) == EOF)
        bench_give_up(path, "cannot be written");
}

static struct bench measure(const char *arguments)
{
    char text[200], *word = text, *next;
    const char *argv[24] = { "out/metapath" };
    struct bench b = { 0 };
    size_t n = 1;

    snprintf(text, sizeof text, "%s", arguments);
    while ((next = strsep(&word, " ")) && n < 21)
        argv[n++] = next;
    argv[n++] = "--quiet";
    while (bench_again(&b))
        bench_child(&b, argv);
    return b;
}

/* Words, or parts of names, choose rows. */
static bool chosen(const struct command *c, char **word, int nword)
{
    bool found = nword == 0;

    for (int i = 0; i < nword; i++)
        found |= strstr(c->arguments, word[i]) != NULL || strstr(c->name, word[i]) != NULL;
    return found;
}

int main(int argc, char **argv)
{
    struct bench before = { 0 };
    int missed = 0;

    net_setup();
    mkdir(FILES, 0777);
    write_edges("torus:256x256", FILES "torus.edges");
    write_edges("random:65536,degree=16,seed=1", FILES "random.edges");
    write_routes("random:1000,degree=8,seed=1", FILES "routes.csv");
    write_log(FILES "log.csv");
    write_series(FILES "lines.csv", false);
    write_series(FILES "map.csv", true);
    bench_heading();
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const struct command *c = &table[i];
        struct bench b;

        if (!chosen(c, argv + 1, argc - 1)) {
            before.runs = 0;
            continue;
        }
        if (c->kind >= SLOWER && before.runs == 0)
            before = measure(c[-1].arguments);
        b = measure(c->arguments);
        missed |= c->kind == CPU ? bench_row(c->name, &b, c->target) :
                  c->kind == WALL ? bench_wall(c->name, &b, c->target) :
                  c->kind == SLOWER ? bench_slower(c->name, &b, c->target, &before) :
                  bench_threads(c->name, &b, c->target, &before);
        before = b;
    }
    net_teardown();
    return missed;
}
