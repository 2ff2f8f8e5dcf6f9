/* bench.h -- what the measurement programs share: a clock and a row. */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

/* Seconds of a clock that only goes forward. */
static inline double bench_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Most memory this process has held so far. */
static inline double bench_peak_mib(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)usage.ru_maxrss / 1024 : 0;
}

static inline void bench_heading(void)
{
    printf("%-52s %9s %9s %9s %9s\n", "what", "ours_s", "twin_s", "times", "target");
}

/* One line: our time, the slow twin's (0: none), how many times ours goes into it, and the target (0: none), in
 * seconds or as that ratio. Returns 1 when a target is missed. */
static inline int bench_row(const char *name, double seconds, double target_seconds, double twin_seconds,
                            double target_ratio)
{
    const double ratio = twin_seconds / seconds;
    const int missed = (target_seconds > 0 && seconds > target_seconds) || (target_ratio > 0 && ratio < target_ratio);

    printf("%-52s %9.4f ", name, seconds);
    if (twin_seconds > 0)
        printf("%9.3f %9.1f ", twin_seconds, ratio);
    else
        printf("%9s %9s ", "", "");
    if (target_seconds > 0)
        printf("%7.2f s", target_seconds);
    else if (target_ratio > 0)
        printf("%7.0f x", target_ratio);
    else
        printf("%9s", "");
    printf("  %s\n", missed ? "MISSED" : "ok");
    fflush(stdout);
    return missed;
}

#endif
