/* Contour lines of a map of the size of a figure. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>

#include "render/map/contour.h"

#define SIDE 256
#define RUNS 20

/* Hills, so that levels have many lines. */
static double once(const double *at, const double *z)
{
    double begin = bench_now();
    struct err err = { 0 };

    for (int l = 0; l < 10; l++) {
        struct contour c;

        if (contour_lines(&c, at, SIDE, at, SIDE, z, -0.9 + 0.2 * l, &err) < 0) {
            fprintf(stderr, "%s\n", err.msg);
            exit(2);
        }
        contour_release(&c);
    }
    return bench_now() - begin;
}

int main(void)
{
    double *at = malloc(SIDE * sizeof *at), *z = malloc(SIDE * SIDE * sizeof *z), best = INFINITY;
    int missed;

    if (!at || !z) {
        fprintf(stderr, "memory\n");
        return 2;
    }
    for (int i = 0; i < SIDE; i++)
        at[i] = i;
    for (int k = 0; k < SIDE * SIDE; k++)
        z[k] = sin(k % SIDE * 0.07) * cos(k / SIDE * 0.05);
    for (int run = 0; run < RUNS; run++)
        best = fmin(best, once(at, z));
    bench_heading();
    missed = bench_row("contour lines, 256x256, 10 levels", best, 0.02, 0, 0);
    free(at);
    free(z);
    return missed;
}
