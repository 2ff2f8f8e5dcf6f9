#include "model/contention/closure.h"
#include "texts/closure.h"

struct closure_rest closure_rest(const struct closure_side *g, const struct closure_side *j)
{
    const double x = j->hold / g->idle;
    const struct closure_spread v = j->spread;

    if (v.shape > 0) {
        const double missed = -expm1(-(j->hold - v.shape * v.scale) / g->idle - v.shape * log1p(v.scale / g->idle));

        return (struct closure_rest){ missed, x - missed };
    }
    return (struct closure_rest){ -expm1(-x), contention_rest(x) };
}

double closure_wait_rest(const struct closure_side *g, const struct closure_side *j, double back, double common,
                         const struct closure_rest *r)
{
    const double e = fmax(0, j->wait - back), p = fmin(1, back / g->hold);
    const double a = e > 0 ? (1 - p) * e / (g->idle + e) + p * (e / 2) / (g->idle + e / 2) : 0;
    const double odds = fmax(0, (j->rate - common / g->rate) / g->rate);

    return fmin(j->hold, fmax(0, odds * g->idle * (r->rest + a * r->missed)));
}

double closure_wait(const struct closure_side *g, const struct closure_side *j, double back, double common)
{
    const struct closure_rest r = closure_rest(g, j);

    return closure_wait_rest(g, j, back, common, &r);
}

static void waits(double *out, const struct closure_side *side, size_t n, const double *now, const double *common)
{
    for (size_t g = 0; g < n; g++)
        for (size_t j = 0; j < n; j++)
            out[g * n + j] = g == j || !(side[g].rate > 0) || !(side[j].rate > 0) ? 0 :
                closure_wait(&side[g], &side[j], now[j * n + g], common ? common[g < j ? g * n + j : j * n + g] : 0);
}

const struct closure closure_pairwise = {
    CLOSURE_PAIRWISE_ENTRY,
    .waits = waits
};
