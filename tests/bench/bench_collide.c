/* Waits over a network: closed sources beside plain damped rounds, saturation beside halving, one source that stands
 * for all beside all of them, a large network's time and memory. */
#include "bench.h"

#include "tests/support/paths.h"
#include "tests/support/scene.h"

static struct err err;

/* States built, and closed sources solved; the mean latency. */
static struct bench whole(struct scene *s, bool unfolded, double interval, int jobs, double *latency)
{
    struct bench b = { 0 };

    while (bench_again(&b)) {
        struct solver v;

        bench_start(&b);
        solver_open(&v, s, "wormhole", unfolded);
        v.collide.o.jobs = jobs;
        *latency = solver_closed(&v, interval);
        bench_stop(&b);
        solver_release(&v);
    }
    return b;
}

/* Closed sources from no waits, states built. */
static struct bench closed(struct scene *s, double interval)
{
    struct bench b = { 0 };
    struct solver v;

    solver_open(&v, s, "wormhole", true);
    while (bench_again(&b)) {
        v.collide.warm = false;
        bench_start(&b);
        bench_must(collide_closed_solve(&v.collide, &(struct load){ interval, 1 }, &err), &err);
        bench_stop(&b);
    }
    solver_release(&v);
    return b;
}

static struct bench rounds(const struct paths *p, double interval)
{
    double *latency = calloc((size_t)p->nsource, sizeof *latency);
    struct bench b = { 0 };

    while (bench_again(&b)) {
        bench_start(&b);
        if (!latency || !paths_closed(p, interval, 25, &switching_wormhole, latency))
            bench_give_up("bench_collide", "plain rounds do not settle");
        bench_stop(&b);
    }
    free(latency);
    return b;
}

/* Rate that saturates open sources, messages per cycle. */
static struct bench saturation(struct scene *s, bool unfolded, double *rate)
{
    struct bench b = { 0 };
    struct solver v;
    double factor;

    solver_open(&v, s, "wormhole", unfolded);
    while (bench_again(&b)) {
        v.collide.warm = false;
        bench_start(&b);
        bench_must(collide_saturation(&factor, &v.collide, &(struct load){ 25, 1 }, &err), &err);
        bench_stop(&b);
    }
    solver_release(&v);
    *rate = factor / 25;
    return b;
}

/* The same by halving an interval that holds it, each load solved from the waits of the last. */
static struct bench halving(struct scene *s, double rate)
{
    struct bench b = { 0 };
    struct solver v;

    solver_open(&v, s, "wormhole", true);
    while (bench_again(&b)) {
        double lo = 0, hi = 1;

        bench_start(&b);
        while (hi - lo > 1e-6 * hi) {
            const double mid = (lo + hi) / 2;

            *(collide_open_solve(&v.collide, &(struct load){ 25, mid }, &err) == 0 ? &lo : &hi) = mid;
        }
        bench_stop(&b);
        if (fabs(lo / (25 * rate) - 1) > 2e-5)
            bench_give_up("bench_collide", "halving saturates elsewhere");
    }
    solver_release(&v);
    return b;
}

static int small(void)
{
    static const double load[] = { 0.2, 0.4, 0.6, 0.8 };
    struct bench b, other;
    struct scene s;
    struct paths p;
    double rate, again;
    int missed = 0;

    scene_open(&s, "torus:8x8", "uniform", "dor");
    paths_open(&p, &s.traffic, &s.routing, false);
    saturation(&s, false, &rate);
    for (size_t i = 0; i < sizeof load / sizeof *load; i++) {
        char name[80];

        snprintf(name, sizeof name, "waits of closed sources, torus:8x8, %g of saturation%s", load[i],
                 i == 1 ? "; plain rounds" : "");
        b = closed(&s, 1 / (rate * load[i]));
        other = i == 1 ? rounds(&p, 1 / (rate * load[i])) : b;
        missed |= bench_beside(name, &b, 0.013, i == 1 ? &other : NULL);
    }
    b = saturation(&s, true, &again);
    other = halving(&s, again);
    missed |= bench_beside("saturation, torus:8x8, every source; by halving", &b, 0.035, &other);
    paths_release(&p);
    scene_release(&s);
    return missed;
}

static int large(void)
{
    struct bench b, all;
    struct scene s;
    double rate, latency[2];
    int missed = 0;

    scene_open(&s, "torus:32x32", "uniform", "dor");
    b = saturation(&s, false, &rate);
    missed |= bench_row("saturation, torus:32x32", &b, 0.01);
    b = whole(&s, false, 2 / rate, 1, &latency[0]);
    all = whole(&s, true, 2 / rate, 0, &latency[1]);
    missed |= bench_beside("closed sources, torus:32x32, half of saturation; every source", &b, 0.0015, &all);
    missed |= bench_row("the same from every source", &all, 3);
    missed |= bench_most("its peak memory, MiB", bench_peak_mib(), 256);
    missed |= bench_most("how far the two are apart, relative", fabs(latency[1] / latency[0] - 1), 1e-9);
    scene_release(&s);
    return missed;
}

int main(void)
{
    int missed;

    net_setup();
    bench_heading();
    missed = large();           /* first: the lists of plain rounds are not to be counted as memory */
    missed |= small();
    net_teardown();
    return missed;
}
