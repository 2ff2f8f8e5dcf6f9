#include "render/map/relief.h"

#include <math.h>
#include <stdlib.h>

#include "graph/base/bisect.h"
#include "graph/base/mem.h"
#include "render/figure/chart_data.h"

#define SAME 1e-9               /* of what is shown */
#define NODES_MOST ((size_t)1 << 22)    /* of a grid whose points fill little of it */
#define EVEN 100                /* lines of an even grid for points that lie on none */

void relief_release(struct relief *r)
{
    FREE(r->u, r->v, r->z);
    *r = (struct relief){ 0 };
}

/* As many lines, evenly from the first to the last place. */
static size_t even(double *v, size_t n)
{
    const double lo = v[0], hi = v[n - 1];

    if (n <= EVEN)
        return n;
    for (size_t i = 0; i < EVEN; i++)
        v[i] = lo + (hi - lo) * (double)i / (EVEN - 1);
    return EVEN;
}

/* The line that a place belongs to: the nearest. */
static size_t line_at(const double *line, size_t n, double v)
{
    size_t lo;

    BISECT(lo, 0, n - 1, i, line[i + 1] <= v);
    return lo + 1 < n && line[lo + 1] - v < v - line[lo] ? lo + 1 : lo;
}

/* Adds one to the mean of n; without a sum, that could overflow. */
static double mean_add(double mean, double v, size_t n)
{
    return mean * ((double)n / (double)(n + 1)) + v / (double)(n + 1);
}

static int relief_fill(struct relief *r, const struct relief_point *point, size_t n, struct err *err)
{
    size_t *count;

    if (TAKE("the surface", err, ZEROS(count, r->nu * r->nv + 1), ARRAY(r->z, r->nu * r->nv + 1)) < 0)
        return -1;
    for (size_t i = 0; i < r->nu * r->nv; i++)
        r->z[i] = NAN;
    for (size_t i = 0; i < n; i++) {
        size_t node;

        if (isnan(point[i].z))
            continue;
        node = line_at(r->v, r->nv, point[i].v) * r->nu + line_at(r->u, r->nu, point[i].u);
        r->z[node] = count[node] ? mean_add(r->z[node], point[i].z, count[node]) : point[i].z;
        r->shared += count[node]++ > 0;
    }
    free(count);
    return 0;
}

int relief_of(struct relief *out, const struct relief_point *point, size_t n, struct err *err)
{
    struct relief r = { 0 };

    if (TAKE("the surface", err, ARRAY(r.u, n + 1), ARRAY(r.v, n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        r.u[i] = point[i].u;
        r.v[i] = point[i].v;
    }
    r.nu = numbers_distinct(r.u, n, SAME);
    r.nv = numbers_distinct(r.v, n, SAME);
    if (r.nv && r.nu > NODES_MOST / r.nv && r.nu > 4 * n / r.nv) {
        r.nu = even(r.u, r.nu);
        r.nv = even(r.v, r.nv);
        r.loose = true;
    }
    if (relief_fill(&r, point, n, err) < 0)
        goto fail;
    *out = r;
    return 0;
fail:
    relief_release(&r);
    return -1;
}

/* ---- fewer lines ------------------------------------------------------------------------------------- */

/* Line i of m, chosen evenly from n: between which lines it lies, and which it is the mean of. */
struct share {
    double place;               /* as an index */
    size_t from, to;            /* inclusive */
};

static struct share share_of(size_t i, size_t m, size_t n)
{
    const double step = m > 1 ? (double)(n - 1) / (double)(m - 1) : 0, at = (double)i * step;
    const double lo = ceil(at - step / 2 - 1e-9), hi = floor(at + step / 2 - 1e-9);

    return (struct share){ at, lo > 0 ? (size_t)lo : 0, hi < (double)(n - 1) ? (size_t)fmax(hi, 0) : n - 1 };
}

static double relief_place_of(const double *line, size_t n, const struct share *s)
{
    size_t i = (size_t)s->place;

    return i + 1 < n ? line[i] + (s->place - (double)i) * (line[i + 1] - line[i]) : line[n - 1];
}

static double mean_of(const struct relief *r, const struct share *u, const struct share *v)
{
    double mean = NAN;
    size_t n = 0;

    for (size_t j = v->from; j <= v->to; j++)
        for (size_t i = u->from; i <= u->to; i++) {
            double z = r->z[j * r->nu + i];

            if (isnan(z))
                continue;
            mean = n ? mean_add(mean, z, n) : z;
            n++;
        }
    return mean;
}

int relief_thin(struct relief *out, const struct relief *r, size_t most_u, size_t most_v, struct err *err)
{
    const size_t nu = r->nu < most_u ? r->nu : most_u, nv = r->nv < most_v ? r->nv : most_v;
    struct relief t = { .nu = nu, .nv = nv, .shared = r->shared, .loose = r->loose };

    if (TAKE("the surface", err, ARRAY(t.u, nu + 1), ARRAY(t.v, nv + 1), ARRAY(t.z, nu * nv + 1)) < 0) {
        relief_release(&t);
        return -1;
    }
    for (size_t j = 0; j < nv; j++) {
        const struct share v = share_of(j, nv, r->nv);

        t.v[j] = relief_place_of(r->v, r->nv, &v);
        for (size_t i = 0; i < nu; i++) {
            const struct share u = share_of(i, nu, r->nu);

            t.u[i] = relief_place_of(r->u, r->nu, &u);
            t.z[j * nu + i] = mean_of(r, &u, &v);
        }
    }
    *out = t;
    return 0;
}
