#include "graph/numeric/moments.h"

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

/* Sum of squared deviations from the class's own mean, in numerators: taken from the whole number below the mean, so
 * that what is subtracted is small; exact but for the last division. */
static long double moments_within(const struct moments *m)
{
    __extension__ typedef unsigned __int128 wrapping;       /* products may pass 128 bits, the result does not */
    const wide_int n = (wide_int)m->n, centre = m->sum / n, rest = m->sum - centre * n;
    const wide_int about = (wide_int)((wrapping)m->squares - (wrapping)centre * (wrapping)(m->sum + rest));
    wide_int a, b;

    if (!__builtin_mul_overflow(about, n, &a) && !__builtin_mul_overflow(rest, rest, &b))
        return (long double)(a - b) / (long double)n;
    return (long double)about - (long double)rest * (long double)rest / (long double)n;
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

            squares += moments_within(&m[i]) / denominator[i] / denominator[i];
            if (classes > 1)            /* else they are the same, but for rounding */
                squares += (long double)m[i].n * (own - mean) * (own - mean);
        }
    r->mean = (double)mean;
    r->sd = (double)sqrtl(squares / (long double)r->n);
}
