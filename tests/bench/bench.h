/* bench.h -- what the measurement programs share: runs, and rows that are held against a target.
 *   struct bench b = { 0 };
 *   while (bench_again(&b)) {
 *       set up; bench_start(&b); WORK; bench_stop(&b); release
 *   }
 *   missed |= bench_row("what is measured", &b, 0.3);
 * A measurement is the least of its runs: as many as fit in a second, three where each takes less than a third of one,
 * one where it takes longer. CPU time is user and system time of all threads, of this process or of the child that is
 * measured; wall is what a user waits. Targets are about three times what was measured, so that a busy machine does not
 * miss them and a slower program does. */
#pragma once

#include <fcntl.h>
#include <math.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include "graph/base/err.h"

struct bench {
    double cpu, wall;               /* seconds, the least of the runs */
    int runs;
    double first;                   /* when the first began */
    double cpu_begin, wall_begin;   /* of this run */
};

static inline double bench_clock(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline bool bench_again(struct bench *b)
{
    if (b->runs == 0)
        b->first = bench_clock(CLOCK_MONOTONIC);
    return b->runs == 0 || bench_clock(CLOCK_MONOTONIC) - b->first < 1 || (b->runs < 3 && b->wall < 1.0 / 3);
}

static inline void bench_add(struct bench *b, double cpu, double wall)
{
    b->cpu = b->runs ? fmin(b->cpu, cpu) : cpu;
    b->wall = b->runs ? fmin(b->wall, wall) : wall;
    b->runs++;
}

static inline void bench_start(struct bench *b)
{
    b->wall_begin = bench_clock(CLOCK_MONOTONIC);
    b->cpu_begin = bench_clock(CLOCK_PROCESS_CPUTIME_ID);
}

static inline void bench_stop(struct bench *b)
{
    const double cpu = bench_clock(CLOCK_PROCESS_CPUTIME_ID) - b->cpu_begin;

    bench_add(b, cpu, bench_clock(CLOCK_MONOTONIC) - b->wall_begin);
}

/* Ends the program, saying why. */
static inline _Noreturn void bench_give_up(const char *what, const char *why)
{
    fprintf(stderr, "%s: %s\n", what, why);
    exit(2);
}

/* For what returns 0, or -1 and says why. */
static inline void bench_must(int ret, const struct err *err)
{
    if (ret < 0)
        bench_give_up("the measurement failed", err->msg);
}

/* One run of a program of its own, whose output nobody reads. */
static inline void bench_child(struct bench *b, const char *const *argv)
{
    extern char **environ;
    const double begin = bench_clock(CLOCK_MONOTONIC);
    posix_spawn_file_actions_t quiet;
    struct rusage used;
    int status;
    pid_t pid;

    if (posix_spawn_file_actions_init(&quiet) ||
        posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0) ||
        posix_spawn(&pid, argv[0], &quiet, NULL, (char *const *)(uintptr_t)argv, environ) ||
        wait4(pid, &status, 0, &used) < 0 || status != 0)
        bench_give_up(argv[0], "does not run");
    posix_spawn_file_actions_destroy(&quiet);
    bench_add(b, (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
                 1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec),
              bench_clock(CLOCK_MONOTONIC) - begin);
}

/* ---- rows: each returns whether it missed its target ---- */
static inline void bench_heading(void)
{
    printf("%-64s %9s %9s %10s %9s %7s\n", "", "CPU [s]", "wall [s]", "target", "beside", "times");
}

static inline bool bench_verdict(const char *name, const struct bench *b, const char *target, double beside,
                                 double times, bool missed)
{
    printf("%-64s %9.4f %9.4f %10s ", name, b->cpu, b->wall, target);
    if (beside > 0)
        printf("%9.3f %7.1f", beside, times);
    else
        printf("%9s %7s", "", "");
    printf("  %s\n", missed ? "MISSED" : "ok");
    fflush(stdout);
    return missed;
}

/* CPU seconds against a target, and what the same takes done otherwise (NULL: nobody does), for the reader. */
static inline bool bench_beside(const char *name, const struct bench *b, double target, const struct bench *other)
{
    char text[24];

    snprintf(text, sizeof text, "%.4g s", target);
    return bench_verdict(name, b, text, other ? other->cpu : 0, other ? other->cpu / b->cpu : 0, b->cpu > target);
}
static inline bool bench_row(const char *name, const struct bench *b, double target)
{
    return bench_beside(name, b, target, NULL);
}
/* What threads are for: wall seconds. */
static inline bool bench_wall(const char *name, const struct bench *b, double target)
{
    char text[24];

    snprintf(text, sizeof text, "%.4g s wall", target);
    return bench_verdict(name, b, text, 0, 0, b->wall > target);
}
/* At least so many times as fast as the other. */
static inline bool bench_faster(const char *name, const struct bench *b, double target, const struct bench *other)
{
    char text[24];

    snprintf(text, sizeof text, ">= %.4g x", target);
    return bench_verdict(name, b, text, other->cpu, other->cpu / b->cpu, other->cpu / b->cpu < target);
}
/* At most so many times as long as the other. */
static inline bool bench_slower(const char *name, const struct bench *b, double target, const struct bench *other)
{
    char text[24];

    snprintf(text, sizeof text, "<= %.4g x", target);
    return bench_verdict(name, b, text, other->cpu, b->cpu / other->cpu, b->cpu / other->cpu > target);
}
/* What threads gain: wall of the same by one, and by these. */
static inline bool bench_threads(const char *name, const struct bench *b, double target, const struct bench *one)
{
    char text[24];

    snprintf(text, sizeof text, ">= %.4g x", target);
    return bench_verdict(name, b, text, one->wall, one->wall / b->wall, one->wall / b->wall < target);
}

/* A number that is no time: memory, or how far two ways are apart. */
static inline bool bench_most(const char *name, double value, double most)
{
    printf("%-64s %9.3g %9s %10.4g %9s %7s  %s\n", name, value, "", most, "", "", value <= most ? "ok" : "MISSED");
    fflush(stdout);
    return !(value <= most);
}

/* Most memory this process has held so far. */
static inline double bench_peak_mib(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024 : 0;
}
