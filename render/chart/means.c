#include "render/chart/means.h"

#include <math.h>
#include <stdlib.h>

/* By x, and for equal x as they came: sorts are stable by the order of the block. */
static int means_by_x(const void *a, const void *b)
{
    const struct datum *const *p = a, *const *q = b;

    return (*p)->x != (*q)->x ? ((*p)->x > (*q)->x) - ((*p)->x < (*q)->x) : (*p > *q) - (*p < *q);
}

/* n points of one x as one; how many have a y. By two passes: what is large may vary little. */
static size_t mean_of(struct datum *out, const struct datum *const *at, size_t n)
{
    double sum = 0, squares = 0, mean;
    size_t known = 0;

    *out = *at[0];
    for (size_t i = 0; i < n; i++) {
        out->outside = out->outside || at[i]->outside;
        if (isfinite(at[i]->y)) {
            sum += at[i]->y / (double)n;
            known++;
        }
    }
    mean = known ? sum * ((double)n / (double)known) : (double)NAN;
    for (size_t i = 0; i < n; i++)
        if (isfinite(at[i]->y))
            squares += (at[i]->y - mean) * (at[i]->y - mean);
    out->y = mean;
    if (known > 1) {
        out->lo = mean - sqrt(squares / (double)(known - 1));
        out->hi = mean + sqrt(squares / (double)(known - 1));
    }
    return known;
}

static bool repeats(const struct datum *const *at, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (at[i]->x == at[i - 1]->x)
            return true;
    return false;
}

static int means_series(struct series *s, struct means *m)
{
    const struct datum **at = malloc((s->n + 1) * sizeof *at);
    struct datum *mean = malloc((s->n + 1) * sizeof *mean);
    size_t k = 0, end;

    if (!at || !mean) {
        free(at);
        free(mean);
        return -1;
    }
    for (size_t i = 0; i < s->n; i++)
        at[i] = &s->at[i];
    qsort(at, s->n, sizeof *at, means_by_x);
    if (!repeats(at, s->n)) {
        m->single = m->single || s->n;
        free(at);
        free(mean);
        return 0;
    }
    for (size_t i = 0; i < s->n; i = end) {
        size_t n;

        for (end = i + 1; end < s->n && at[end]->x == at[i]->x;)
            end++;
        n = mean_of(&mean[k++], &at[i], end - i);
        m->least = n && (!m->most || n < m->least) ? n : m->least;
        m->most = n > m->most ? n : m->most;
    }
    free(at);
    free(s->at);
    s->at = mean;
    s->n = k;
    return 0;
}

int means_take(struct chart *c, struct means *m)
{
    *m = (struct means){ 0 };
    for (size_t i = 0; i < c->nseries; i++)
        if (!c->series[i].over && means_series(&c->series[i], m) < 0)
            return -1;
    if (m->most && m->single)
        m->least = 1;
    return 0;
}
