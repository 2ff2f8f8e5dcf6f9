/* Being asked to stop. Every command is stopped at its polls, one after the other: it then ends with status 130, and
 * the files it was to replace are as they were. A poll answers once: work that passes over the answer goes on, and is
 * found by what it writes then. The linker puts __wrap_progress_tick in the place of progress_tick. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "cli/request/progress.h"
#include "tests/support/check.h"
#include "tests/support/child.h"

#define TABLE "stop.csv"
#define FIGURE "stop.svg"
#define OLD "what was there before\n"
#define FIRST 200                       /* polls that are all tried; then every 50th, */
#define STRIDE 50
#define LAST 2000                       /* up to here */

static struct polls {                   /* shared with the child */
    size_t n, stop_at;                  /* polls so far; the one that says stop, from 1; 0: none */
    struct tick real;
} *polls;

struct tick __real_progress_tick(struct progress *p);
struct tick __wrap_progress_tick(struct progress *p);

static int count_poll(void *arg, double done)
{
    (void)arg;
    return ++polls->n == polls->stop_at || polls->real.fn(polls->real.arg, done);
}

struct tick __wrap_progress_tick(struct progress *p)
{
    struct tick t = __real_progress_tick(p);

    if (polls) {
        polls->real = t;
        t.fn = count_poll;
    }
    return t;
}

/* One for each command, and for each work that asks in its own way: small ones, for each runs up to 236 times. */
static const char *const commands[] = {
    "topo random:40,degree=3 -o " TABLE,
    "topo random:300,degree=3 --sources 200 -o " TABLE,
    "stats random:300,degree=3 --supernode static,dga:1 --sources 200 -o " TABLE,
    "topo file:stop.edges --plot " FIGURE " -o " TABLE,
    "topo random:60,degree=4 --connectivity exact -o " TABLE,
    "stats torus:6x6 random:300,degree=4 --supernode sga:1,dga:1 -o " TABLE,
    "bcast torus:6x6 --plot " FIGURE " -o " TABLE,
    "collective all-to-all torus:6x6 --bytes 1,64 -o " TABLE,
    "tree complete:400 --delays random --runs 9 -o " TABLE,
    "tune allreduce torus:4x4 --bytes 1,1K,64K --placement random:3 --plot " FIGURE " -o " TABLE,
    "collective all-to-all torus:6x6 --bytes 1M --cost hops,collide,switching=cut-through,links,sharing=fluid -o " TABLE,
    "collective broadcast torus:6x6 --bytes 1K --algorithm chain,earliest-arrival --cost collide,load=30% -o " TABLE,
    "bcast mesh:6x6 --show schedule --algorithm binomial -o " TABLE,
    "bcast torus:6x6 --packet 10 --plot " FIGURE " -o " TABLE,
    "bcast mesh:4x4 --algorithm chain --ports 1 --validate -j1 -o " TABLE,
    "bcast mesh:6x6 --packet 10 --root all --show schedule --algorithm best --ports 1 --plot " FIGURE " -o " TABLE,
    "bcast mesh:3x3 --every 500,1000 --root all --ports 1 --draws 400 --plot " FIGURE " -o " TABLE,
    "contention --interval 20..200..10 --channels 4 -o " TABLE,
    "deadlock torus:4x4 random:16,degree=3 --routing minimal,valiant --plot " FIGURE " -o " TABLE,
    "deadlock torus:4x4 random:16,degree=3 --routing adaptive --classes none,updown -o " TABLE,
    "deadlock random:24,degree=3 --classes layers --routing minimal --show classes -o " TABLE,
    "latency torus:4x4 --routing dor,valiant --plot " FIGURE " -o " TABLE,
    "latency dragonfly,a=3,p=1,h=1 --traffic group-shift --routing lgl,valiant,by=group --interval 60 -o " TABLE,
    "latency random:16,degree=3 --routing metapath:sga:1 --interval 60,90 -o " TABLE,
    "latency torus:4x4 --routing drb --interval 40 -o " TABLE,
    "latency random:16,degree=3 --routing metapath:best:3,of=shortest+1 --interval 90 -o " TABLE,
    "latency torus:4x4 --traffic transpose --routing adaptive,ugal --load 0.2 -o " TABLE,
    "simulate torus:4x4 --routing dor,adaptive --cycles 500 -j1 --plot " FIGURE " -o " TABLE,
    "simulate torus:4x4 --vcs 1 --routing adaptive,select=first --deadlock drain:10 --load 0.9 --cycles 500 -j1 -o "
        TABLE,
    "latency mesh:2x2 --load 3% --validate -j1 -o " TABLE,
    "validate torus:4x4 --load 20% --cycles 500 -j1 --plot " FIGURE " -o " TABLE,
    "validate --show booksim --cycles 500 -j1 -o " TABLE,
    "guide torus:4x4 --traffic complement --interval 60 --latency 30 -o " TABLE,
    "guide torus:4x4 --traffic transpose --interval 60 --latency 30 --exact -o " TABLE,
    "compare torus:4x4 hypercube:4 fattree:4 -o " TABLE,
    "bound throughput random:20,degree=3 --method columns -o " TABLE,
    "bound throughput random:12,degree=3 --method arcs --symmetry none -o " TABLE,
    "bound throughput torus:4x4 --paths k-shortest:4 --method columns -o " TABLE,
    "bound worst mesh:4x4 --routing dor,minimal -o " TABLE,
    "bound split torus:4x4 --supernode sga:1 --traffic transpose --interval 60 -o " TABLE,
    "bound broadcast random:24,degree=3 -o " TABLE,
    "plot stop-data.csv -x x -y y -k scatter -o " FIGURE,
    "reproduce rmpi:4 -o " TABLE,
};

static void stop_at(void *arg)
{
    polls->n = 0;
    polls->stop_at = *(const size_t *)arg;
}

static char *run(struct child *child, const char *command, size_t k)
{
    char *left;

    child_write(TABLE, OLD);
    child_write(FIGURE, OLD);
    child_run(child, command, 60, stop_at, &k);
    left = child_litter();
    if (left || child->faulty)
        fail_msg("%s, stopped at poll %zu: %s%s (signal %d)\n%s", command, k, left ? "leaves " : "fails",
                 left ? left : "", child->signal, child->text);
    return child_file(TABLE, NULL);
}

static void stops_at_every_poll(void **state)
{
    const char *command = *state;
    struct child child;
    size_t all;

    free(run(&child, command, 0));
    if (child.status != 0)
        fail_msg("%s: status %d\n%s", command, child.status, child.text);
    child_release(&child);
    all = polls->n;
    if (all < 1)
        fail_msg("%s: asks only %zu times", command, all);
    for (size_t k = 1; k <= all && k <= LAST; k += k < FIRST ? 1 : STRIDE) {
        char *table = run(&child, command, k), *figure = child_file(FIGURE, NULL);

        if (child.status != STOPPED)
            fail_msg("%s, stopped at poll %zu of %zu: status %d\n%s", command, k, all, child.status, child.text);
        if (strcmp(table, OLD) != 0 || strcmp(figure, OLD) != 0)
            fail_msg("%s, stopped at poll %zu of %zu: a file was replaced", command, k, all);
        free(table);
        free(figure);
        child_release(&child);
    }
}

/* ---- the rest ---- */

static char folder[] = "/tmp/metapath-stop-XXXXXX";

/* So many points that drawing asks often. */
static void plot_data(void)
{
    FILE *f = fopen("stop-data.csv", "we");

    assert_non_null(f);
    fputs("x,y\n", f);
    for (int i = 0; i < 2000; i++)
        fprintf(f, "%d,%d\n", i, i * i % 97);
    assert_int_equal(fclose(f), 0);
}

static int begin(void **state)
{
    char data[4096];

    (void)state;
    if (!getcwd(data, sizeof data - 20) || setenv("METAPATH_DATA", strcat(data, "/examples"), 1) < 0)
        return -1;
    polls = mmap(NULL, sizeof *polls, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (polls == MAP_FAILED || !mkdtemp(folder) || chdir(folder) < 0)
        return -1;
    child_write("stop.edges", "1 2\n2 3\n3 4\n4 5\n5 6\n6 1\n1 4\n2 5\n");
    plot_data();
    return 0;
}

static int end(void **state)
{
    static const char *const made[] = { TABLE, FIGURE, "stop.edges", "stop-data.csv" };

    (void)state;
    EACH_ROW(i, made)
        remove(made[i]);
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

int main(void)
{
    struct CMUnitTest tests[COUNT(commands)];

    EACH_ROW(i, commands)
        tests[i] = (struct CMUnitTest){ commands[i], stops_at_every_poll, NULL, NULL, (void *)(uintptr_t)commands[i] };
    return _cmocka_run_group_tests("stop", tests, COUNT(tests), begin, end);
}
