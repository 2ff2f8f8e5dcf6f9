#include "model/contention/closure.h"

#include <math.h>
#include <stdlib.h>

#include "graph/base/mem.h"

double closure_wait(const struct closure_side *g, const struct closure_side *j, double back, double common)
{
    const double e = fmax(0, j->wait - back), p = fmin(1, back / g->hold), x = j->hold / g->idle;
    const double a = e > 0 ? (1 - p) * e / (g->idle + e) + p * (e / 2) / (g->idle + e / 2) : 0;
    const double odds = fmax(0, (j->rate - common / g->rate) / g->rate);

    return fmin(j->hold, odds * g->idle * (contention_rest(x) - a * expm1(-x)));
}

/* One round: pair[g * n + j] and wait from what they are; *most: the largest change, in holds. */
static int round_of(double *most, double *pair, double *wait, const struct contender *c, size_t n, const struct tick *t,
                    struct err *err)
{
    double change = 0;

    for (size_t g = 0; g < n; g++) {
        if (tick(t, 0))
            return err_stopped(err);
        for (size_t j = 0; j < n; j++) {
            const struct closure_side side[2] = {
                { 1 / (c[g].interval + wait[g] + c[g].hold), c[g].hold, wait[g], c[g].interval },
                { 1 / (c[j].interval + wait[j] + c[j].hold), c[j].hold, wait[j], c[j].interval }
            };
            const double now = pair[g * n + j], next = g == j ? 0 : closure_wait(&side[0], &side[1], pair[j * n + g], 0);

            change = fmax(change, fabs(next - now) / c[j].hold);
            pair[g * n + j] = now + 0.4 * (next - now);
        }
    }
    for (size_t g = 0; g < n; g++) {
        wait[g] = 0;
        for (size_t j = 0; j < n; j++)
            wait[g] += pair[g * n + j];
    }
    *most = change;
    return 0;
}

int closure_waits(double *wait, const struct contender *channel, size_t n, const struct tick *t, struct err *err)
{
    double *pair, change = INFINITY;
    int ret = 0;

    if (contender_check(channel, n, err) < 0 || mem_need(8.0 * (double)n * (double)n, "waits of pairs of channels", err) < 0)
        return -1;
    pair = calloc(n * n + 1, sizeof *pair);
    if (!pair)
        return err_memory(err);
    for (size_t g = 0; g < n; g++)
        wait[g] = 0;
    for (int i = 0; ret == 0 && i < 100000 && change > 1e-11; i++)
        ret = round_of(&change, pair, wait, channel, n, t, err);
    free(pair);
    return ret < 0 ? -1 : change <= 1e-11 ? 0 : err_set(err, ERR_NETWORK, "the waits of %zu channels do not settle: they still change by %.2g of a "
                                         "transmission time", n, change);
}
