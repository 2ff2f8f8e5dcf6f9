#include "model/contention/closure.h"

#include "registry/closure.inc"

KIND(closure, closure, struct closure, .name = "closure", .rank = 10)

/* One iteration from the present pair[g * n + j] and wait; *most: the largest change, in holds. */
static int round_of(double *most, double *pair, double *wait, const struct contender *c, size_t n, const struct tick *t,
                    struct err *err)
{
    double change = 0;

    for (size_t g = 0; g < n; g++) {
        if (tick(t, 0))
            return err_stopped(err);
        for (size_t j = 0; j < n; j++) {
            const struct closure_side side[2] = {
                { 1 / (c[g].interval + wait[g] + c[g].hold), c[g].hold, wait[g], c[g].interval, { 0, 0 } },
                { 1 / (c[j].interval + wait[j] + c[j].hold), c[j].hold, wait[j], c[j].interval, { 0, 0 } }
            };
            const double now = pair[g * n + j],
                next = g == j ? 0 : closure_wait(&side[0], &side[1], pair[j * n + g], 0);

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

    if (contender_check(channel, n, err) < 0 ||
        TAKE("waits of pairs of channels", err, ZEROS(pair, n * n + 1)) < 0)
        return -1;
    for (size_t g = 0; g < n; g++)
        wait[g] = 0;
    for (int i = 0; ret == 0 && i < 100000 && change > 1e-11; i++)
        ret = round_of(&change, pair, wait, channel, n, t, err);
    free(pair);
    return ret < 0 ? -1 : change <= 1e-11 ? 0 :
        err_set(err, ERR_NETWORK, "the waits of %zu channels do not settle: they still change by %.2g of a "
                                         "transmission time", n, change);
}
