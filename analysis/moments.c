#include "analysis/moments.h"

#include <math.h>

void moments_init(struct moments *m)
{
    *m = (struct moments){ .least = INT64_MAX, .greatest = INT64_MIN };
}

void moments_merge(struct moments *m, const struct moments *other)
{
    m->n += other->n;
    m->sum += other->sum;
    m->squares += other->squares;
    m->least = other->least < m->least ? other->least : m->least;
    m->greatest = other->greatest > m->greatest ? other->greatest : m->greatest;
}

/* Sum of squared deviations from the class's own mean, in numerators. Exact where n * squares fits 127 bits; the
 * rest is far from cancelling or far beyond what anybody sums. */
static long double within(const struct moments *m)
{
    wide_int a, b;

    if (!__builtin_mul_overflow(m->squares, (wide_int)m->n, &a) && !__builtin_mul_overflow(m->sum, m->sum, &b))
        return (long double)(a - b) / (long double)m->n;
    return (long double)m->squares - (long double)m->sum * (long double)m->sum / (long double)m->n;
}

void moments_result(struct moments_result *r, const struct moments *m, const double *denominator, size_t n)
{
    long double sum = 0, squares = 0, mean;
    size_t classes = 0;

    *r = (struct moments_result){ .mean = NAN, .sd = NAN, .least = INFINITY, .greatest = -INFINITY };
    for (size_t i = 0; i < n; i++) {
        if (m[i].n == 0)
            continue;
        classes++;
        r->n += m[i].n;
        sum += (long double)m[i].sum / denominator[i];
        r->least = fmin(r->least, (double)m[i].least / denominator[i]);
        r->greatest = fmax(r->greatest, (double)m[i].greatest / denominator[i]);
    }
    if (r->n == 0) {
        r->least = r->greatest = NAN;
        return;
    }
    mean = sum / (long double)r->n;
    for (size_t i = 0; i < n; i++)
        if (m[i].n) {
            long double own = (long double)m[i].sum / (long double)m[i].n / denominator[i];

            squares += within(&m[i]) / denominator[i] / denominator[i];
            if (classes > 1)            /* else they are the same, but for rounding */
                squares += (long double)m[i].n * (own - mean) * (own - mean);
        }
    r->mean = (double)mean;
    r->sd = (double)sqrtl(squares / (long double)r->n);
}
