#include <math.h>

#include "model/contention/closure.h"

double closure_wait(const struct closure_side *g, const struct closure_side *j, double back, double common)
{
    const double e = fmax(0, j->wait - back), p = fmin(1, back / g->hold), x = j->hold / g->idle;
    const double a = e > 0 ? (1 - p) * e / (g->idle + e) + p * (e / 2) / (g->idle + e / 2) : 0;
    const struct closure_spread v = j->spread;
    const double odds = fmax(0, (j->rate - common / g->rate) / g->rate);

    if (v.shape > 0) {          /* that g wants the link meanwhile: 1 - E exp(-H/idle) */
        const double none = exp(-(j->hold - v.shape * v.scale) / g->idle - v.shape * log1p(v.scale / g->idle));

        return fmin(j->hold, fmax(0, odds * g->idle * (x - (1 - a) * (1 - none))));
    }
    return fmin(j->hold, odds * g->idle * (contention_rest(x) - a * expm1(-x)));
}

static void waits(double *out, const struct closure_side *side, size_t n, const double *now, const double *common)
{
    for (size_t g = 0; g < n; g++)
        for (size_t j = 0; j < n; j++)
            out[g * n + j] = g == j || !(side[g].rate > 0) || !(side[j].rate > 0) ? 0 :
                closure_wait(&side[g], &side[j], now[j * n + g], common ? common[g < j ? g * n + j : j * n + g] : 0);
}

const struct closure closure_pairwise = {
    .name = "pairwise",
    .summary = "adds the exact waits behind each other source, less the time in which that one waits itself",
    .source = "this project's own",
    .waits = waits
};
