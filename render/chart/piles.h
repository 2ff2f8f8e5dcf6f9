/* piles.h -- the values that a series has at each place along x, for charts that sum them up. */
#pragma once

#include "render/figure/chart_data.h"

struct pile {
    size_t series;
    double x;
    const double *v;            /* n finite values, rising */
    size_t n;
};
struct piles {
    struct pile *pile;          /* series by series, x rising; of what is laid over there are none */
    size_t n;
    size_t infinite;            /* points that are in none */
    double *v;
};
int piles_make(struct piles *out, const struct chart *c, struct err *err);      /* ERR_MEMORY */
void piles_release(struct piles *p);
