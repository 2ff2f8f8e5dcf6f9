/* Whole commands, from start to end. */
#include "bench.h"

#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "graph/net.h"

extern char **environ;

static double once(const char *const *argv)
{
    posix_spawn_file_actions_t quiet;
    double begin = bench_now();
    int status;
    pid_t pid;

    if (posix_spawn_file_actions_init(&quiet) ||
        posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0) ||
        posix_spawn(&pid, argv[0], &quiet, NULL, (char *const *)(uintptr_t)argv, environ) ||
        waitpid(pid, &status, 0) < 0 || status != 0) {
        fprintf(stderr, "%s %s does not run\n", argv[0], argv[1]);
        exit(2);
    }
    posix_spawn_file_actions_destroy(&quiet);
    return bench_now() - begin;
}

static double median(const char *const *argv, int runs)
{
    double t[31];

    for (int i = 0; i < runs; i++) {
        double x = once(argv);
        int j = i;

        for (; j > 0 && t[j - 1] > x; j--)
            t[j] = t[j - 1];
        t[j] = x;
    }
    return t[runs / 2];
}

/* The network as an edge list. */
static void write_edges(const char *spec, const char *path)
{
    const igraph_t *graph;
    struct err err = { 0 };
    struct net *net;
    FILE *f = fopen(path, "w");

    if (!f || net_open(&net, spec, &err) < 0 || net_graph(net, &graph, &err) < 0) {
        fprintf(stderr, "%s: %s\n", spec, err.msg);
        exit(2);
    }
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++)
        fprintf(f, "%d %d\n", (int)IGRAPH_FROM(graph, e), (int)IGRAPH_TO(graph, e));
    net_close(net);
    if (fclose(f) == EOF)
        exit(2);
}

/* Ten lines of ten thousand points that jump; a map of 256 x 256 with hills. */
static void write_series(const char *path, bool map)
{
    FILE *f = fopen(path, "w");

    if (!f)
        exit(2);
    fprintf(f, map ? "x,y,z\n" : "series,x,y\n");
    for (int a = 0; a < (map ? 256 : 10); a++)
        for (int b = 0; b < (map ? 256 : 10000); b++) {
            if (map)
                fprintf(f, "%d,%d,%.6g\n", a, b, sin(a / 25.0) * cos(b / 40.0) + a / 200.0);
            else
                fprintf(f, "s%d,%d,%.6g\n", a, b, a + sin(b / 500.0) + (b * 7919 % 1000) / 2500.0);
        }
    if (fclose(f) == EOF)
        exit(2);
}

static int figures(void)
{
    char lines[] = "/tmp/metapath-bench-XXXXXX.csv", map[] = "/tmp/metapath-bench-XXXXXX.csv";
    char *figure[3] = { "/tmp/metapath-bench.svg", "/tmp/metapath-bench.pdf", "/tmp/metapath-bench.png" };
    int missed = 0, fd[2] = { mkstemps(lines, 4), mkstemps(map, 4) };

    if (fd[0] < 0 || fd[1] < 0)
        exit(2);
    close(fd[0]);
    close(fd[1]);
    write_series(lines, false);
    write_series(map, true);
    for (int i = 0; i < 3; i++) {
        const char *line[] = { "out/metapath", "plot", lines, "-x", "x", "-y", "y", "-g", "series", "-o", figure[i],
            NULL };
        const char *heat[] = { "out/metapath", "plot", map, "-k", "heat", "-x", "x", "-y", "y", "-z", "z", "-o",
            figure[i], NULL };
        const char *net[] = { "out/metapath", "topo", "random:1024,degree=6", "--bisection", "none", "--plot",
            figure[i], NULL };
        const char *large[] = { "out/metapath", "topo", "torus:256x256", "--plot", figure[i], NULL };
        const char *graph[] = { "out/metapath", "topo", "random:65536,degree=4", "--bisection", "none", "--plot",
            figure[i], NULL };
        const struct { const char *what, *const *argv; double target; } row[] = {
            { "plot, 10 lines of 10000 points", line, 0.2 }, { "plot, heat map of 256 x 256", heat, 0.2 },
            { "topo --plot, random 1024 nodes of degree 6", net, 0.5 }, { "topo --plot, torus:256x256", large, 3 },
            { "topo --plot, random 65536 nodes of degree 4", graph, 3 } };

        for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
            char name[80];

            snprintf(name, sizeof name, "%s (%s)", row[k].what, strrchr(figure[i], '.') + 1);
            missed |= bench_row(name, median(row[k].argv, 3), row[k].target, 0, 0);
        }
        unlink(figure[i]);
    }
    unlink(lines);
    unlink(map);
    return missed;
}

int main(void)
{
    static const struct { const char *name, *spec; double target; } file[] = {
        { "topo FILE --symmetry none, torus:256x256", "torus:256x256", 4 },
        { "topo FILE --symmetry none, random 16-regular, 65536", "random:65536,degree=16,seed=1", 2 }
    };
    char path[] = "/tmp/metapath-bench-XXXXXX.edges";
    const char *start[] = { "out/metapath", "topo", "torus:8x8", NULL };
    const char *bcast[] = { "out/metapath", "bcast", "torus:256x256", "--packet", "10", "--ports", "1", "--algorithm",
                            "binomial", NULL };
    const char *load[] = { "out/metapath", "bcast", "mesh:8x8", "--packet", "25", "--ports", "1", "--interval", "400",
                           "--draws", "1000", "--jobs", "1", NULL };
    const char *every[] = { "out/metapath", "bcast", "mesh:8x8", "--packet", "25", "--ports", "1", "--root", "all",
                            "--every", "30%", "--jobs", "1", NULL };
    const char *topo[] = { "out/metapath", "topo", path, "--symmetry", "none", "--progress", "never", NULL };
    int missed = 0, fd = mkstemps(path, 6);

    if (fd < 0)
        return 2;
    close(fd);
    net_setup();
    bench_heading();
    missed |= bench_row("topo torus:8x8", median(start, 21), 0.02, 0, 0);
    missed |= bench_row("bcast torus:256x256, binomial, steps and cycles", median(bcast, 3), 1, 0, 0);
    missed |= bench_row("bcast mesh:8x8, all trees, 1000 draws under load", median(load, 5), 0.5, 0, 0);
    missed |= bench_row("bcast mesh:8x8, all trees, --root all --every 30%", median(every, 3), 2, 0, 0);
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        write_edges(file[i].spec, path);
        missed |= bench_row(file[i].name, median(topo, 3), file[i].target, 0, 0);
    }
    unlink(path);
    missed |= figures();
    net_teardown();
    return missed;
}
