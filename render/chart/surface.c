#include "render/chart/surface.h"

#include <math.h>
#include <stdlib.h>

#include "graph/base/mem.h"

#define FAR 1e6                 /* places along an axis that are farther off need not be told apart */
#define TURN_GAIN 0.06          /* how much less must be hidden for another view than the usual one */

static const struct axis *axis_at(const struct surface *f, int k)
{
    return f->axes.axis[k].axis;
}

static bool is_drawable(const struct datum *d)
{
    return !isnan(d->x) && !isnan(d->y) && !isnan(d->z);
}

int surface_check(const struct chart *c, struct err *err)
{
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t k = 0; k < i; k++) {
            const struct series *s = &c->series[i], *t = &c->series[k];
            bool both[2] = { false, false };

            for (size_t p = 0; s->panel == t->panel && p < s->n && !both[0]; p++)
                both[0] = is_drawable(&s->at[p]);
            for (size_t p = 0; both[0] && p < t->n && !both[1]; p++)
                both[1] = is_drawable(&t->at[p]);
            if (both[1])
                return err_set(err, ERR_USAGE, "a surface shows one series, and here are '%.60s' and '%.60s'; --facet "
                               "instead of --group gives each its own panel", t->name, s->name);
        }
    return 0;
}

/* The values of all points that are there and finite, axis by axis. */
static int surface_gather(struct surface *f, double *value[3], struct err *err)
{
    const struct chart *c = f->chart;
    const size_t all = chart_points(c);

    for (int k = 0; k < 3; k++) {
        if (TAKE("the chart", err, ARRAY(value[k], all + 1)) < 0)
            return -1;
    }
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++) {
            const struct datum *d = &c->series[i].at[p];
            const double v[3] = { d->x, d->y, d->z };

            if (!is_drawable(d))
                continue;
            if (isinf(d->x) || isinf(d->y) || isinf(d->z)) {
                f->infinite++;
                continue;
            }
            for (int k = 0; k < 3; k++)
                value[k][f->drawn] = v[k];
            f->drawn++;
        }
    return 0;
}

static bool is_category(const struct axis *a, double v)
{
    return !a->ncategory || (v >= 0 && v < (double)a->ncategory && v == floor(v));
}

/* From the first category to the last, where their nodes stand. */
static struct scale scale_words(size_t n)
{
    struct scale s;

    scale_categories(&s, n);
    if (n > 1) {
        s.lo = 0;
        s.hi = (double)n - 1;
    }
    return s;
}

/* What has no place on one axis must not stretch the others. */
static void fit_scales(struct surface *f, double *value[3])
{
    struct fit how[3];
    size_t kept = 0;

    for (int k = 0; k < 3; k++) {
        const struct axis *a = axis_at(f, k);

        how[k] = (struct fit){ .wanted = a->scale, .exact = true, .binary = k < 2, .axis = a };
        how[k].wanted = !a->ncategory && scale_is_log(value[k], f->drawn, &how[k]) ? SCALE_LOG : SCALE_LINEAR;
    }
    for (size_t i = 0; i < f->drawn; i++) {
        bool place = true, negative = false;

        for (int k = 0; k < 3; k++) {
            negative = negative || (how[k].wanted == SCALE_LOG && value[k][i] <= 0);
            place = place && is_category(axis_at(f, k), value[k][i]);
        }
        f->negative += negative;
        for (int k = 0; place && !negative && k < 3; k++)
            value[k][kept] = value[k][i];
        kept += place && !negative;
    }
    f->drawn = kept;
    f->axes.empty = kept == 0;
    for (int k = 0; k < 3; k++) {
        struct scene_axis *x = &f->axes.axis[k];

        x->whole = true;
        for (size_t i = 0; i < kept && x->whole; i++)
            x->whole = value[k][i] == floor(value[k][i]);
        if (x->axis->ncategory && k < 2)
            x->scale = scale_words(x->axis->ncategory);
        else
            scale_fit(&x->scale, value[k], kept, &how[k]);
    }
    f->axes.axis[2].whole = false;
}

/* 0..1 along axis k; false where a value has no place near it. */
static bool surface_place_of(const struct surface *f, int k, double v, double *at)
{
    const struct scene_axis *x = &f->axes.axis[k];

    if (!isfinite(v) || (x->scale.kind == LOGARITHMIC && v <= 0) || !is_category(x->axis, v))
        return false;
    *at = scale_at(&x->scale, v);
    return fabs(*at) <= FAR;
}

/* A point without z still has its place in the grid, where it leaves a hole. */
static int make_relief(struct surface *f, size_t panel, struct relief_point *point, struct err *err)
{
    struct relief *r = &f->relief[panel];
    size_t n = 0;

    for (size_t i = 0; i < f->chart->nseries; i++)
        for (size_t p = 0; f->chart->series[i].panel == panel && p < f->chart->series[i].n; p++) {
            const struct datum *d = &f->chart->series[i].at[p];
            struct relief_point *q = &point[n];

            if (!surface_place_of(f, 0, d->x, &q->u) || !surface_place_of(f, 1, d->y, &q->v))
                continue;
            q->z = isfinite(d->z) && (f->axes.axis[2].scale.kind != LOGARITHMIC || d->z > 0) ? d->z : (double)NAN;
            n++;
        }
    if (relief_of(r, point, n, err) < 0)
        return -1;
    for (size_t i = 0; i < r->nu * r->nv; i++)
        if (!isnan(r->z[i]))
            r->z[i] = fmin(fmax(scale_at(&f->axes.axis[2].scale, r->z[i]), -FAR), FAR);
    f->shared += r->shared;
    f->loose = f->loose || r->loose;
    return 0;
}

static int make_reliefs(struct surface *f, struct err *err)
{
    struct relief_point *point;
    int ret = TAKE("the chart", err, ARRAY(point, chart_points(f->chart) + 1), ZEROS(f->relief, f->npanel));

    for (size_t i = 0; ret == 0 && i < f->npanel; i++)
        ret = make_relief(f, i, point, err);
    free(point);
    return ret;
}

/* How much heights towards the eye hide of what is behind them. */
static double hidden(const struct surface *f, int view)
{
    struct scene s = { .high = 1 };
    double sum = 0;
    size_t n = 0;

    scene_look(&s, view);
    for (size_t p = 0; p < f->npanel; p++) {
        const struct relief *r = &f->relief[p];

        for (size_t j = 0; j < r->nv; j++)
            for (size_t i = 0; i < r->nu; i++) {
                double w = r->z[j * r->nu + i];

                if (isnan(w))
                    continue;
                sum += fmin(fmax(w, 0), 1) * (s.eye[0] * (r->u[i] - 0.5) + s.eye[1] * (r->v[j] - 0.5));
                n++;
            }
    }
    return n ? sum / (double)n : 0;
}

static void choose_view(struct surface *f)
{
    int best = 0;

    for (int view = 1; view < SCENE_VIEWS; view++)
        if (hidden(f, view) < hidden(f, best) - (best == 0 ? TURN_GAIN : 0))
            best = view;
    scene_look(&f->scene, best);
}

int surface_read(struct surface *f, struct err *err)
{
    double *value[3] = { NULL, NULL, NULL };
    int ret = surface_gather(f, value, err);

    if (ret == 0)
        fit_scales(f, value);
    FREE(value[0], value[1], value[2]);
    if (ret < 0 || make_reliefs(f, err) < 0)
        return -1;
    choose_view(f);
    return 0;
}
