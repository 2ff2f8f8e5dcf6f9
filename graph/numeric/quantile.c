#include "graph/numeric/quantile.h"

double quantile_of(const double *sorted, size_t n, double p)
{
    const double at = p * ((double)n - 1);
    const size_t i = n ? (size_t)at : 0;
    const double t = at - (double)i;

    if (n == 0)
        return NAN;
    if (i + 1 >= n || t == 0)
        return sorted[i < n ? i : n - 1];
    return sorted[i] * (1 - t) + sorted[i + 1] * t;
}

void quantile_box_of(struct quantile_box *b, const double *sorted, size_t n)
{
    double reach;

    *b = (struct quantile_box){ .q1 = quantile_of(sorted, n, 0.25), .median = quantile_of(sorted, n, 0.5),
                                .q3 = quantile_of(sorted, n, 0.75), .to = n };
    reach = 1.5 * (b->q3 - b->q1);
    while (b->from + 1 < n && sorted[b->from] < b->q1 - reach)
        b->from++;
    while (b->to > b->from + 1 && sorted[b->to - 1] > b->q3 + reach)
        b->to--;
    b->lo = fmin(sorted[b->from], b->q1);       /* no whisker where the last value is within the box */
    b->hi = fmax(sorted[b->to - 1], b->q3);
}
