/* Contour lines of a map of the size of a figure. */
#include "bench.h"

#include "render/map/contour.h"

#define SIDE 256

int main(void)
{
    double *at = malloc(SIDE * sizeof *at), *z = malloc(SIDE * SIDE * sizeof *z);
    struct bench b = { 0 };
    struct err err;
    int missed;

    if (!at || !z)
        bench_give_up("bench_contour", "memory");
    for (int i = 0; i < SIDE; i++)
        at[i] = i;
    for (int k = 0; k < SIDE * SIDE; k++)           /* hills, so that levels have many lines */
        z[k] = sin(k % SIDE * 0.07) * cos(k / SIDE * 0.05);
    while (bench_again(&b)) {
        bench_start(&b);
        for (int l = 0; l < 10; l++) {
            struct contour c;

            bench_must(contour_lines(&c, at, SIDE, at, SIDE, z, -0.9 + 0.2 * l, &err), &err);
            contour_release(&c);
        }
        bench_stop(&b);
    }
    bench_heading();
    missed = bench_row("ten contour lines of a map of 256 x 256", &b, 0.006);
    free(at);
    free(z);
    return missed;
}
