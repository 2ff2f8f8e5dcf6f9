#include "model/contention/contention.h"

#include "registry/contention.inc"

KIND(contention, contention, struct contention_model, .name = "contention", .what = "contention model", .rank = 13)

int contender_check(const struct contender *channel, size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        const double time[] = { channel[i].interval, channel[i].hold };

        for (int k = 0; k < 2; k++)
            if (!(time[k] >= CONTENDER_LEAST && time[k] <= CONTENDER_MOST))
                return err_set(err, ERR_DOMAIN, "channel %zu has %s of %g cycles; it must be from %g to %g", i + 1,
                               k ? "a packet" : "an interval", time[k], CONTENDER_LEAST, CONTENDER_MOST);
    }
    return 0;
}

double contention_rest(double x)
{
    static const double one_in[] =
        { 1.0 / 3, 1.0 / 4, 1.0 / 5, 1.0 / 6, 1.0 / 7, 1.0 / 8, 1.0 / 9, 1.0 / 10, 1.0 / 11, 1.0 / 12,
                                     1.0 / 13, 1.0 / 14, 1.0 / 15 };
    double sum = 0;

    if (fabs(x) > 0.5)
        return expm1(-x) + x;
    for (size_t k = sizeof one_in / sizeof *one_in; k-- > 0;)   /* x^2/2 (1 - x/3 (1 - x/4 (...))): nothing cancels */
        sum = x * one_in[k] * (1 - sum);
    return x * x / 2 * (1 - sum);
}
