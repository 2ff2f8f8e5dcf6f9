/* Being told to end by a signal, wherever the program is: within a second, and nothing is left behind. Nothing is left
 * either of what is killed, or where the disk is full. Seconds are those of a machine that does nothing else: `make check`
 * runs this alone. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/request/progress.h"
#include "tests/support/check.h"
#include "tests/support/child.h"

#define TABLE "stop.csv"
#define FIGURE "stop.svg"
#define OLD "what was there before\n"

static const struct by_signal {
    const char *command;
    int signal;
    double limit;                       /* seconds between the signal and the end */
} by_signal[] = {
    { "topo star:20000000 -o " TABLE, SIGINT, 1 },              /* igraph builds it */
    { "topo fattree:300,fail=random:1:1 -o " TABLE, SIGTERM, 1 },
    { "topo midimew:200000001 -o " TABLE, SIGHUP, 1 },
    { "latency random:3000,degree=8 --load 0.1 -o " TABLE, SIGINT, 1 },
    { "simulate torus:16x16 --load 0.3 --cycles 1e8 -o " TABLE, SIGINT, 1 },
    { "deadlock random:700,degree=12 --routing minimal --classes layers -o " TABLE, SIGINT, 1 },
    { "deadlock torus:200x200 --symmetry none -o " TABLE, SIGINT, 1 },
    { "bound throughput random:400,degree=6 --paths k-shortest:1000 -o " TABLE, SIGINT, 1 },
    { "topo random:100000,degree=16 --bisection none --plot " FIGURE " -o " TABLE, SIGINT, 1 },
    { "topo torus:4x4 -f csv -o stop.fifo", SIGINT, 1 },               /* nobody reads it */
    { "topo file:stop.fifo -o " TABLE, SIGINT, 1 },             /* nobody writes to it */
};

#define WAIT 0.4                        /* seconds before the signal comes */

/* A process of its own sends it; cmocka's parent may have it ignored. */
static void send_later(void *arg)
{
    const struct by_signal *row = arg;
    const pid_t command = getpid();

    signal(row->signal, SIG_DFL);
    if (fork() == 0) {
        usleep((useconds_t)(1e6 * WAIT));
        kill(command, row->signal);
        _exit(0);
    }
}

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds from the signal to the end. */
static double stop_by(const struct by_signal *row)
{
    const double begun = now();
    struct child child;
    double spent;
    char *table, *left;

    child_write(TABLE, OLD);
    child_run(&child, row->command, 60, send_later, (void *)(uintptr_t)row);
    spent = now() - begun - WAIT;
    table = child_file(TABLE, NULL);
    left = child_litter();
    if (child.status != STOPPED || strcmp(table, OLD) != 0 || left)
        fail_msg("%s: status %d, signal %d, %s%s\n%s", row->command, child.status, child.signal,
                 left ? "left " : "nothing left", left ? left : "", child.text);
    free(table);
    child_release(&child);
    return spent;
}

/* The machine may be busy with something else: the best of three counts. */
static void ends_within_a_second(void **state)
{
    const struct by_signal *row = *state;
    double spent = INFINITY;

    for (int i = 0; i < 3 && !(spent < row->limit); i++)
        spent = fmin(spent, stop_by(row));
    if (!(spent < row->limit))
        fail_msg("%s: %.2f s from the signal to the end (wanted: %g)", row->command, spent, row->limit);
}

/* ---- by what cannot be caught, and by a disk that is full ---- */

/* File systems that know no files without a name: theirs is taken away, and they are copied in the end. */
static bool copies;

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);

int __wrap_open(const char *path, int flags, ...)
{
    mode_t mode;
    va_list args;

    if (copies && (flags & O_TMPFILE) == O_TMPFILE) {
        errno = EOPNOTSUPP;
        return -1;
    }
    va_start(args, flags);
    mode = va_arg(args, mode_t);
    va_end(args);
    return __real_open(path, flags, mode);
}

static void nothing_is_left_of_what_is_killed(void **state)
{
    static const struct by_signal row = { "bcast torus:600x600 --show schedule --algorithm binomial -o " TABLE,
                                          SIGKILL, 0 };
    struct child child;
    char *table;

    copies = *state != NULL;
    child_write(TABLE, OLD);
    child_run(&child, row.command, 60, send_later, (void *)(uintptr_t)&row);
    assert_int_equal(child.signal, SIGKILL);
    table = child_file(TABLE, NULL);
    assert_string_equal(table, OLD);
    assert_null(child_litter());
    free(table);
    child_release(&child);
    copies = false;
}

static void copies_are_the_same(void **state)
{
    static const char command[] = "bcast mesh:30x30 --show schedule --algorithm binomial -o " TABLE;
    char *table[2];
    size_t len[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct child child;

        copies = i;
        child_write(TABLE, OLD);
        child_run(&child, command, 60, NULL, NULL);
        assert_int_equal(child.status, 0);
        assert_null(child_litter());
        table[i] = child_file(TABLE, &len[i]);
        child_release(&child);
    }
    copies = false;
    assert_true(len[0] == len[1] && len[0] > 1 << 16 && memcmp(table[0], table[1], len[0]) == 0);
    free(table[0]);
    free(table[1]);
}

static void limit_files(void *arg)
{
    const struct rlimit tight = { 4096, 4096 };        /* libomp needs 1024 itself */

    (void)arg;
    setrlimit(RLIMIT_FSIZE, &tight);
}

static void a_full_disk_is_said(void **state)
{
    struct child child;
    char *table;

    (void)state;
    child_write(TABLE, OLD);
    child_run(&child, "bcast mesh:16x16 --show schedule --algorithm binomial -o " TABLE, 60, limit_files, NULL);
    table = child_file(TABLE, NULL);
    if (child.status != 1 || !strstr(child.text, "File too large"))
        fail_msg("status %d\n%s", child.status, child.text);
    assert_string_equal(table, OLD);
    assert_null(child_litter());
    free(table);
    child_release(&child);
}

/* ---- the rest ---- */

static char folder[] = "/tmp/metapath-stop-XXXXXX";

static int begin(void **state)
{
    (void)state;
    return mkdtemp(folder) && chdir(folder) == 0 ? mkfifo("stop.fifo", 0600) : -1;
}

static int end(void **state)
{
    static const char *const made[] = { TABLE, FIGURE, "stop.fifo" };

    (void)state;
    EACH_ROW(i, made)
        remove(made[i]);
    return chdir("/") == 0 ? rmdir(folder) : -1;
}

int main(void)
{
    struct CMUnitTest tests[COUNT(by_signal) + 4];
    size_t n = 0;

    EACH_ROW(i, by_signal)
        tests[n++] = (struct CMUnitTest){ by_signal[i].command, ends_within_a_second, NULL, NULL,
                                          (void *)(uintptr_t)&by_signal[i] };
    tests[n++] = (struct CMUnitTest){ "nothing is left", nothing_is_left_of_what_is_killed, NULL, NULL, NULL };
    tests[n++] = (struct CMUnitTest){ "nothing is left, without O_TMPFILE", nothing_is_left_of_what_is_killed, NULL,
                                      NULL, &copies };
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(copies_are_the_same);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_full_disk_is_said);
    return cmocka_run_group_tests(tests, begin, end);
}
