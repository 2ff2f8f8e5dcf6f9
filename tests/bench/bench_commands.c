/* Whole commands, from start to end. */
#include "bench.h"

#include <fcntl.h>
#include <math.h>
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

int main(void)
{
    static const struct { const char *name, *spec; double target; } file[] = {
        { "topo FILE --symmetry none, torus:256x256", "torus:256x256", 4 },
        { "topo FILE --symmetry none, random 16-regular, 65536", "random:65536,degree=16,seed=1", 2 }
    };
    char path[] = "/tmp/metapath-bench-XXXXXX.edges";
    const char *start[] = { "out/metapath", "topo", "torus:8x8", NULL };
    const char *topo[] = { "out/metapath", "topo", path, "--symmetry", "none", "--progress", "never", NULL };
    int missed = 0, fd = mkstemps(path, 6);

    if (fd < 0)
        return 2;
    close(fd);
    net_setup();
    bench_heading();
    missed |= bench_row("topo torus:8x8", median(start, 21), 0.02, 0, 0);
    for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
        write_edges(file[i].spec, path);
        missed |= bench_row(file[i].name, median(topo, 3), file[i].target, 0, 0);
    }
    unlink(path);
    net_teardown();
    return missed;
}
