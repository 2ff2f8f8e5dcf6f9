/* Forecasts of memory against what commands take: the peak of a child that runs a command, less the peak of one that
 * runs `metapath help`, is 0.5 to 1.3 times what the command asked for beforehand. The linker puts __wrap_mem_need
 * in the place of mem_need, which notes every forecast. A row says which of them are alive together at the peak: by
 * default the largest. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "graph/base/mem.h"
#include "tests/support/check.h"
#include "tests/support/child.h"

#define MOST_NEEDS 4000
#define ALIVE 8
#define MANY (64.0 * 1024 * 1024)       /* forecasts below it are in the noise of allocators */

struct needs {                          /* shared with the child */
    size_t n;
    struct {
        double bytes;
        char what[80];
    } at[MOST_NEEDS];
};
static struct needs *needs;

int __real_mem_need(double bytes, const char *what, struct err *err);
int __wrap_mem_need(double bytes, const char *what, struct err *err);

int __wrap_mem_need(double bytes, const char *what, struct err *err)
{
    if (needs && needs->n < MOST_NEEDS) {
        needs->at[needs->n].bytes = bytes;
        snprintf(needs->at[needs->n++].what, sizeof needs->at[0].what, "%s", what);
    }
    return __real_mem_need(bytes, what, err);
}

static const struct row {
    const char *room;
    const char *command;                /* words between single blanks */
    const char *alive[ALIVE];               /* forecasts that add up at the peak, by what they are of, the largest of
                                             * each; none: the largest */
} rows[] = {
    { "graph, layout", "topo torus:600x600 --layout grid --plot memory.svg --format csv",
      { "torus:600x600", "the layout", "drawing the network" } },
    { "graph/import", "topo file:memory.edges --show distribution --format csv", { "reading the file" } },
    { "analysis/metapath, of a group", "stats torus:2000x2000 --supernode sga:2 --format csv", { 0 } },
    { "analysis/metapath, of a graph", "stats file:memory.edges --supernode static --format csv", { 0 } },
    { "analysis/load, analysis/latency", "latency random:700,degree=6 --interval 3000 --format csv",
      { "ways of messages", "states of messages", "steps of messages", "injections of messages",
        "the waits of messages", "how holds vary", "latencies of ways" } },
    { "analysis/policy", "latency random:200,degree=4 --routing drb --interval 500 --format csv",
      { "ways of messages", "states of messages", "steps of messages", "injections of messages",
        "the waits of messages", "latencies of ways" } },
    { "analysis/bound", "bound worst mesh:24x24 --routing ecmp --format csv",
      { "ways of messages", "states of messages", "steps of messages", "the steps of messages, backwards", "a map" } },
    { "analysis/collective", "bcast torus:1000x1000 --ports 1 --algorithm binomial --format csv",
      { "the process tree", "the trees of a collective", "torus:1000x1000", "the processes" } },
    { "analysis/deadlock", "deadlock complete:200 --routing valiant --symmetry none --format csv",
      { "dependencies and what is tried on them" } },
    { "model/traffic", "latency random:3000,degree=6 --traffic farthest --routing minimal --interval 1000 --format csv",
      { 0 } },
};

/* Peak resident bytes of a child that runs the command, and what it asked for. */
static double peak_of(const char *command)
{
    struct child child;
    double peak;

    needs->n = 0;
    child_run(&child, command, 300, NULL, NULL);
    if (child.status != 0)
        print_error("metapath %s: status %d, signal %d\n%s", command, child.status, child.signal, child.text);
    peak = child.status == 0 ? child.peak : NAN;
    child_release(&child);
    return peak;
}

static double largest(const char *what)
{
    double most = 0;

    for (size_t k = 0; k < needs->n; k++)
        if (!what || strcmp(needs->at[k].what, what) == 0)
            most = fmax(most, needs->at[k].bytes);
    return most;
}

static double base;                     /* peak of `metapath help` */

static void forecast_is_kept(void **state)
{
    const struct row *row = *state;
    double forecast, peak;
    char command[400];

#if CHILD_ASAN
    skip();                             /* whose allocator keeps what is freed, and shadows it */
#endif
    /* what threads take is forecast, but not all of what they are */
    snprintf(command, sizeof command, "%s --jobs 2", row->command);
    peak = peak_of(command) - base;
    assert_true(peak > -INFINITY);
    forecast = row->alive[0] ? 0 : largest(NULL);
    for (size_t k = 0; k < ALIVE && row->alive[k]; k++) {
        if (!(largest(row->alive[k]) > 0))
            fail_msg("metapath %s: nothing was forecast of '%s'", row->command, row->alive[k]);
        forecast += largest(row->alive[k]);
    }
    if (!(forecast > MANY && peak > 0.5 * forecast && peak < 1.45 * forecast))
        fail_msg("metapath %s: takes %.1f MiB, forecast %.1f MiB (wanted: 0.5 to 1.45 times it, and above 64)",
                 row->command, peak / 1048576, forecast / 1048576);
}

/* Without what the linker put in its place, no forecast would be seen. */
static void forecasts_are_noted(void **state)
{
    struct err err = { 0 };

    (void)state;
    needs->n = 0;
    assert_int_equal(mem_need(5, "five bytes", &err), 0);
    assert_int_equal(needs->n, 1);
    assert_string_equal(needs->at[0].what, "five bytes");
}

/* A ring of 200,000 nodes with two chords from each. */
static void write_network(void)
{
    const int n = 200000, jump[] = { 1, 7, 1001 };
    FILE *f = fopen("memory.edges", "w");

    assert_non_null(f);
    for (int v = 0; v < n; v++)
        EACH_ROW(k, jump)
            fprintf(f, "%d %d\n", v, (v + jump[k]) % n);
    assert_int_equal(fclose(f), 0);
}

int main(void)
{
    struct CMUnitTest tests[COUNT(rows) + 1];
    char dir[] = "/tmp/metapath-memory-XXXXXX";
    int failed;

    needs = mmap(NULL, sizeof *needs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (needs == MAP_FAILED || !mkdtemp(dir) || chdir(dir) != 0)
        return 1;
    write_network();
    base = peak_of("help");
    EACH_ROW(i, rows)
        tests[i] = (struct CMUnitTest){ rows[i].room, forecast_is_kept, NULL, NULL, (void *)(uintptr_t)&rows[i] };
    tests[COUNT(rows)] = (struct CMUnitTest)cmocka_unit_test(forecasts_are_noted);
    failed = _cmocka_run_group_tests("memory", tests, COUNT(tests), NULL, NULL);
    remove("memory.edges");
    remove("memory.svg");
    return chdir("/") == 0 && rmdir(dir) == 0 ? failed : 1;
}
