#include "graph/numeric/mixing.h"

int mixing_open(struct mixing *m, size_t n, size_t depth, struct err *err)
{
    *m = (struct mixing){ .n = n, .depth = depth < MIXING_MOST ? depth : MIXING_MOST };
    if (mem_need((2.0 * (double)m->depth + 2) * (double)n * sizeof *m->x, "steps of a fixed point", err) < 0)
        return -1;
    if (TAKE("steps of a fixed point", err, ARRAY(m->x, n), ARRAY(m->r, n)) < 0)
        return -1;
    for (size_t i = 0; i < m->depth; i++)
        if (TAKE("steps of a fixed point", err, ARRAY(m->dx[i], n), ARRAY(m->df[i], n)) < 0) {
            mixing_release(m);
            return -1;
        }
    return 0;
}

void mixing_release(struct mixing *m)
{
    for (size_t i = 0; i < MIXING_MOST; i++)
        FREE(m->dx[i], m->df[i]);
    FREE(m->x, m->r);
    *m = (struct mixing){ 0 };
}

void mixing_forget(struct mixing *m)
{
    m->kept = 0;
    m->last = 0;
}

static double dot(const double *a, const double *b, size_t n)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Least squares by the normal equations, scaled and slightly damped: coefficients of the residual's combination.
 * Returns false where they are too nearly dependent. */
static bool combine(const struct mixing *m, const double *r, double *gamma)
{
    double a[MIXING_MOST][MIXING_MOST], b[MIXING_MOST], scale[MIXING_MOST];
    const size_t k = m->kept;

    for (size_t i = 0; i < k; i++) {
        scale[i] = sqrt(dot(m->df[i], m->df[i], m->n));
        if (!(scale[i] > 0))
            return false;
    }
    for (size_t i = 0; i < k; i++) {
        for (size_t j = 0; j <= i; j++)
            a[i][j] = a[j][i] = dot(m->df[i], m->df[j], m->n) / (scale[i] * scale[j]);
        a[i][i] += 1e-12;
        b[i] = dot(m->df[i], r, m->n) / scale[i];
    }
    for (size_t i = 0; i < k; i++) {            /* Cholesky */
        for (size_t j = 0; j <= i; j++) {
            double sum = a[i][j];

            for (size_t l = 0; l < j; l++)
                sum -= a[i][l] * a[j][l];
            if (i == j) {
                if (!(sum > 1e-14))
                    return false;
                a[i][i] = sqrt(sum);
            } else {
                a[i][j] = sum / a[j][j];
            }
        }
    }
    for (size_t i = 0; i < k; i++) {
        for (size_t l = 0; l < i; l++)
            b[i] -= a[i][l] * b[l];
        b[i] /= a[i][i];
    }
    for (size_t i = k; i-- > 0;) {
        for (size_t l = i + 1; l < k; l++)
            b[i] -= a[l][i] * b[l];
        b[i] /= a[i][i];
    }
    for (size_t i = 0; i < k; i++)
        gamma[i] = b[i] / scale[i];
    return true;
}

void mixing_step(struct mixing *m, double *x, const double *fx, double beta)
{
    double norm = 0, gamma[MIXING_MOST];

    for (size_t i = 0; i < m->n; i++)
        norm += (fx[i] - x[i]) * (fx[i] - x[i]);
    norm = sqrt(norm);
    if (m->last > 0 && norm > 2 * m->last)      /* led astray */
        m->kept = 0;
    else if (m->last > 0 && m->depth > 0) {
        m->newest = m->kept == 0 ? 0 : (m->newest + 1) % (int)m->depth;
        for (size_t i = 0; i < m->n; i++) {
            m->dx[m->newest][i] = x[i] - m->x[i];
            m->df[m->newest][i] = fx[i] - x[i] - m->r[i];
        }
        m->kept += m->kept < m->depth;
    }
    for (size_t i = 0; i < m->n; i++) {
        m->x[i] = x[i];
        m->r[i] = fx[i] - x[i];
    }
    m->last = norm;
    if (m->kept && !combine(m, m->r, gamma))
        m->kept = 0;
    for (size_t i = 0; i < m->n; i++)
        x[i] += beta * m->r[i];
    for (size_t k = 0; k < m->kept; k++)
        for (size_t i = 0; i < m->n; i++)
            x[i] -= gamma[k] * (m->dx[k][i] + beta * m->df[k][i]);
}
