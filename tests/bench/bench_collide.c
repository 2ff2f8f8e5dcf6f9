/* Waits over a network: closed sources against plain damped rounds, saturation against halving, folded against
 * unfolded, a large network's time and memory. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

#include "tests/support/paths.h"
#include "tests/support/scene.h"

static void must(int ret, const struct err *err)
{
    if (ret < 0) {
        fprintf(stderr, "%s\n", err->msg);
        exit(2);
    }
}

static struct err err;

/* Seconds to build and solve; the mean latency. */
static double whole(struct scene *s, bool unfolded, double interval, int jobs, double *latency)
{
    const double begin = bench_now();
    double seconds;
    struct solver v;

    solver_open(&v, s, "wormhole", unfolded);
    v.collide.o.jobs = jobs;
    *latency = solver_closed(&v, interval);
    seconds = bench_now() - begin;
    solver_release(&v);
    return seconds;
}

/* From no waits: the best of five. */
static double cold(struct scene *s, double interval)
{
    double best = INFINITY;
    struct solver v;

    solver_open(&v, s, "wormhole", true);
    for (int i = 0; i < 5; i++) {
        const double begin = bench_now();

        v.collide.warm = false;
        must(collide_closed_solve(&v.collide, &(struct load){ interval, 1 }, &err), &err);
        best = fmin(best, bench_now() - begin);
    }
    solver_release(&v);
    return best;
}

static double twin(const struct paths *p, double interval)
{
    double *latency = calloc((size_t)p->nsource, sizeof *latency), begin = bench_now();

    if (!latency || !paths_closed(p, interval, 25, &switching_wormhole, latency))
        exit(2);
    free(latency);
    return bench_now() - begin;
}

/* Rate that saturates open sources, messages per cycle. */
static double saturation(struct scene *s, bool unfolded, double *seconds, double *halving)
{
    struct solver v;
    double factor, lo = 0, hi = 1, begin;

    solver_open(&v, s, "wormhole", unfolded);
    begin = bench_now();
    must(collide_saturation(&factor, &v.collide, &(struct load){ 25, 1 }, &err), &err);
    *seconds = bench_now() - begin;
    begin = bench_now();
    while (halving && hi - lo > 1e-6 * hi) {
        const double mid = (lo + hi) / 2;

        *(collide_open_solve(&v.collide, &(struct load){ 25, mid }, &err) == 0 ? &lo : &hi) = mid;
    }
    if (halving)
        *halving = bench_now() - begin;
    if (halving && fabs(lo / factor - 1) > 2e-5)
        exit(2);
    solver_release(&v);
    return factor / 25;
}

static int small(void)
{
    static const double load[] = { 0.2, 0.4, 0.6, 0.8 };
    struct scene s;
    struct paths p;
    double seconds, halving, rate;
    int missed = 0;

    scene_open(&s, "torus:8x8", "uniform", "dor");
    paths_open(&p, &s.traffic, &s.routing, false);
    rate = saturation(&s, false, &seconds, NULL);
    for (size_t i = 0; i < sizeof load / sizeof *load; i++) {
        char name[80];

        snprintf(name, sizeof name, "closed, torus:8x8, %g of saturation", load[i]);
        missed |= bench_row(name, cold(&s, 1 / (rate * load[i])), 0.010, i == 1 ? twin(&p, 1 / (rate * load[i])) : 0,
                            0);
    }
    saturation(&s, true, &seconds, &halving);
    missed |= bench_row("saturation, torus:8x8, unfolded (twin: halving)", seconds, 0.5, halving, 0);
    paths_release(&p);
    scene_release(&s);
    return missed;
}

static int large(void)
{
    struct scene s;
    double rate, seconds, latency[3], folded = INFINITY, off;
    int missed = 0;

    scene_open(&s, "torus:32x32", "uniform", "dor");
    rate = saturation(&s, false, &seconds, NULL);
    missed |= bench_row("saturation, torus:32x32", seconds, 0.1, 0, 0);
    for (int i = 0; i < 5; i++)
        folded = fmin(folded, whole(&s, false, 2 / rate, 1, &latency[0]));
    missed |= bench_row("closed, torus:32x32, half of saturation", folded, 0.005, 0, 0);
    seconds = whole(&s, true, 2 / rate, 0, &latency[1]);
    missed |= bench_row("the same unfolded", seconds, 3, 0, 0);
    off = fabs(latency[1] / latency[0] - 1);
    printf("%-52s %9.1f %39s %s\n", "its peak memory, MiB", bench_peak_mib(), "256", bench_peak_mib() <= 256 ? "ok" :
           "MISSED");
    printf("%-52s %9.1g %39s %s\n", "folded against unfolded, relative", off, "1e-9", off < 1e-9 ? "ok" : "MISSED");
    missed |= bench_peak_mib() > 256 || !(off < 1e-9);
    scene_release(&s);
    return missed;
}

int main(void)
{
    int missed;

    net_setup();
    bench_heading();
    missed = large();           /* first: the twin's memory is not to be counted */
    missed |= small();
    net_teardown();
    return missed;
}
