/* The constants of collide_router.c on a grid: errors of network latency of every run to 0.9 where several channels or
 * whole messages meet (with one channel they do not count, but for classes). Then, for each network, the point of the
 * grid that is the best on the others, and the errors of its own runs there. */
#include <stdlib.h>
#include <string.h>

#include "graph/net.h"
#include "tests/support/fidelity.h"

enum { FILES = 3, RUNS = 400, STEPS = 9, POINTS = STEPS * STEPS * STEPS };
#define REFUSED 0.5             /* what a refused load counts as */

double fitted[3];
static const double now[] = {
#include "now.inc"
};
static const char *const file[FILES] = {
    "examples/published/booksim.csv", "tests/fidelity/flit.csv", "tests/fidelity/message.csv"
};

static struct run {
    const char *network;
    double error[POINTS];
} run[RUNS];

/* 0.6 to 1.4 of what they are now. */
static double factor(int step)
{
    return 0.6 + 0.1 * step;
}

static void set_point(int point)
{
    fitted[0] = now[0] * factor(point % STEPS);
    fitted[1] = now[1] * factor(point / STEPS % STEPS);
    fitted[2] = now[2] * factor(point / STEPS / STEPS);
}

static int measure(struct fidelity *f, int point)
{
    struct err err;
    int n = 0;

    set_point(point);
    for (int k = 0; k < FILES; k++) {
        for (size_t i = 0; i < f[k].ncase; i++)
            if (f[k].at[i].plain && f[k].at[i].mode != FIDELITY_ONE && fidelity_solve(&f[k], i, 0.9, false, &err) < 0) {
                fprintf(stderr, "leave_one_out: %s\n", err.msg);
                exit(1);
            }
        for (size_t i = 0; i < f[k].nrun; i++) {
            const struct fidelity_run *r = &f[k].run[i];
            const struct fidelity_case *c = &f[k].at[r->of];
            double error;

            if (!c->plain || c->mode == FIDELITY_ONE || !(r->part <= 0.9))
                continue;
            error = fidelity_error(r->model_nlat, r->nlat);
            run[n].network = c->network;
            run[n++].error[point] = isnan(error) ? REFUSED : error;
        }
    }
    return n;
}

/* The mean square at a point over the runs of a network, or of all others; of NULL: over all. */
static double square(int n, int point, const char *network, bool others)
{
    double sum = 0;
    int count = 0;

    for (int i = 0; i < n; i++)
        if (!network || (strcmp(run[i].network, network) != 0) == others) {
            sum += run[i].error[point] * run[i].error[point];
            count++;
        }
    return count ? sum / count : 0;
}

static int best(int n, const char *network)
{
    int least = 0;

    for (int p = 1; p < POINTS; p++)
        if (square(n, p, network, true) < square(n, least, network, true))
            least = p;
    return least;
}

static double mean(int n, int point, const char *network, double *most)
{
    double sum = 0;
    int count = 0;

    *most = 0;
    for (int i = 0; i < n; i++)
        if (strcmp(run[i].network, network) == 0) {
            sum += fabs(run[i].error[point]);
            *most = fmax(*most, fabs(run[i].error[point]));
            count++;
        }
    return sum / count;
}

int main(void)
{
    const int today = STEPS / 2 * (1 + STEPS + STEPS * STEPS);
    struct fidelity f[FILES] = { 0 };
    struct err err;
    int n = 0;

    net_setup();
    for (int k = 0; k < FILES; k++)
        if (fidelity_open(&f[k], file[k], NULL, false, &err) < 0) {
            fprintf(stderr, "leave_one_out: %s\n", err.msg);
            return 1;
        }
    for (int p = 0; p < POINTS; p++)
        n = measure(f, p);
    set_point(best(n, NULL));
    printf("%d runs; now %g %g %g (root of the mean square %.2f %%), the best of the grid %.3g %.3g %.3g (%.2f %%)\n",
           n, now[0], now[1], now[2], 100 * sqrt(square(n, today, NULL, true)), fitted[0], fitted[1], fitted[2],
           100 * sqrt(square(n, best(n, NULL), NULL, true)));
    printf("%-36s %5s %17s %17s %17s   %s\n", "network left out", "runs", "now: mean, worst", "fitted on all",
           "on the others", "fitted constants");
    for (int i = 0; i < n; i++) {
        const char *network = run[i].network;
        double most[3], off[3];
        int count = 0, seen = 0, at;

        for (int j = 0; j < n; j++)
            count += strcmp(run[j].network, network) == 0;
        for (int j = 0; j < i; j++)
            seen += strcmp(run[j].network, network) == 0;
        if (seen)
            continue;
        at = best(n, network);
        off[0] = mean(n, today, network, &most[0]);
        off[1] = mean(n, best(n, NULL), network, &most[1]);
        off[2] = mean(n, at, network, &most[2]);
        set_point(at);
        printf("%-36s %5d", network, count);
        for (int k = 0; k < 3; k++)
            printf(" %8.2f %8.2f", 100 * off[k], 100 * most[k]);
        printf("   %.3g %.3g %.3g\n", fitted[0], fitted[1], fitted[2]);
    }
    for (int k = 0; k < FILES; k++)
        fidelity_close(&f[k]);
    net_teardown();
    return 0;
}
