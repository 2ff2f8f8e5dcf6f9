#include "graph/numeric/forecast.h"

double forecast_middle(const double *value, int n, int window, bool median)
{
    const int w = window < n ? window : n;
    double sorted[FORECAST_MOST];

    memcpy(sorted, value + n - w, (size_t)w * sizeof *sorted);
    qsort(sorted, (size_t)w, sizeof *sorted, num_ascending_reals);
    if (median)
        return w % 2 ? sorted[w / 2] : (sorted[w / 2 - 1] + sorted[w / 2]) / 2;
    for (int k = 1; k < w; k++)
        sorted[0] += sorted[k];
    return sorted[0] / w;
}

double forecast_next(const double *value, int n)
{
    struct { bool median, adapts; int window; double error; } by[] = {
        { false, false, 1, 0 }, { false, false, FORECAST_MOST, 0 }, { true, false, FORECAST_MOST, 0 },
        { false, true, 1, 0 }, { true, true, 1, 0 }
    }, *best = by;
    const size_t many = sizeof by / sizeof *by;

    for (int t = 1; t < n; t++)
        for (size_t k = 0; k < many; k++) {
            const int window = by[k].window;
            double least = fabs(forecast_middle(value, t, window, by[k].median) - value[t]);

            by[k].error += least;
            for (int w = window > 1 ? window - 1 : 1; by[k].adapts && w <= window + 1; w++) {
                const double error = fabs(forecast_middle(value, t, w, by[k].median) - value[t]);

                by[k].window = error < least ? w : by[k].window;
                least = fmin(error, least);
            }
        }
    for (size_t k = 1; k < many; k++)
        best = by[k].error < best->error ? &by[k] : best;
    return forecast_middle(value, n, best->window, best->median);
}
