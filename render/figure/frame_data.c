/* frame_data.c -- what a frame has to show.
 * 1. values       gathered from the series; scales for them
 * 2. places       of values on the page
 * 3. y axes       one, or panels of different quantities, each with its own */
#include "render/figure/frame_parts.h"

#include <glib.h>

/* All coordinates of points that are there and finite; behind them the ends of their error bars. */
int frame_gather(struct frame *f, struct err *err)
{
    const bool z = f->want.colour_bar;
    const size_t all = chart_points(f->chart);
    double *spread;

    if (TAKE("the figure", err, ARRAY(f->xs, 3 * all + f->chart->nrule + 1), ARRAY(f->ys, 3 * all + 1),
             ARRAY(f->zs, 3 * all + 1)) < 0)
        return -1;
    for (size_t i = 0; i < f->chart->nseries; i++)
        for (size_t p = 0; p < f->chart->series[i].n; p++) {
            const struct datum *d = &f->chart->series[i].at[p];

            if (isnan(d->x) || isnan(d->y) || (z && isnan(d->z)))
                continue;
            if (isinf(d->x) || isinf(d->y) || (z && isinf(d->z))) {
                f->infinite++;
                continue;
            }
            f->xs[f->drawn] = d->x;
            f->zs[f->drawn] = d->z;
            f->ys[f->drawn++] = d->y;
        }
    spread = (frame_lies(f) ? f->xs : f->ys) + f->drawn;
    for (size_t i = 0; i < f->chart->nseries; i++)
        for (size_t p = 0; p < f->chart->series[i].n; p++) {
            const struct datum *d = &f->chart->series[i].at[p];

            if (!isfinite(d->x) || !isfinite(d->y))
                continue;
            if (isfinite(d->lo))
                spread[f->nspread++] = d->lo;
            if (isfinite(d->hi))
                spread[f->nspread++] = d->hi;
        }
    return 0;
}

static bool outside_categories(const struct axis *a, double v)
{
    return a->ncategory && !(v > -0.5 && v < (double)a->ncategory - 0.5);
}

/* Behind the points in xs there is room for the rules. */
static void fit_x(struct frame *f, struct fit *how)
{
    const size_t n = f->drawn + (f->drawn && frame_lies(f) ? f->nspread : 0);

    how->also = f->xs + n;
    for (size_t i = 0; f->want.rules && i < f->chart->nrule; i++)
        f->xs[n + how->nalso++] = f->chart->rule[i].x;
    scale_fit(&f->x, f->xs, n, how);
    for (size_t i = 0; f->want.rules && !f->want.bare_x && f->drawn && i < f->chart->nrule; i++)
        f->beyond += !frame_rule_inside(f, &f->chart->rule[i]);
}

/* Decides about logarithms, and keeps of the points what can be drawn: what has no place on one axis must not
 * stretch the other. */
void frame_fit(struct frame *f)
{
    const struct axis *x = &f->chart->x, *y = &f->chart->y, *z = &f->chart->z;
    struct fit how_x = { .wanted = x->scale, .binary = true, .axis = x, .bars = frame_lies(f) };
    struct fit how_z = { .wanted = z->scale, .exact = true, .colours = true, .axis = z };
    size_t kept = 0, all = f->drawn + f->nspread;
    double *const spread = frame_lies(f) ? f->xs : f->ys;
    bool xlog, ylog, zlog;

    f->up->how = (struct fit){ .wanted = y->scale, .bars = f->want.bars, .round = true, .binary = f->want.no_grid,
                             .axis = y };
    xlog = !x->ncategory && scale_is_log(f->xs, f->drawn, &how_x);
    ylog = !f->own && !y->ncategory && scale_is_log(f->ys, f->drawn, &f->up->how);
    zlog = f->want.colour_bar && scale_is_log(f->zs, f->drawn, &how_z);
    for (size_t i = 0; i < f->drawn; i++) {
        if ((xlog && f->xs[i] <= 0) || (ylog && f->ys[i] <= 0)) {
            f->negative++;
            continue;
        }
        f->zeros = f->zeros || (zlog && f->zs[i] <= 0);
        f->below = f->below || (zlog && f->zs[i] < 0);
        if (outside_categories(x, f->xs[i]) || outside_categories(y, f->ys[i]))
            continue;
        f->xs[kept] = f->xs[i];
        f->zs[kept] = f->zs[i];
        f->ys[kept++] = f->ys[i];
    }
    memmove(spread + kept, spread + f->drawn, (all - f->drawn) * sizeof *spread);
    f->drawn = kept;
    how_x.wanted = xlog ? SCALE_LOG : SCALE_LINEAR;
    f->up->how.wanted = ylog ? SCALE_LOG : SCALE_LINEAR;
    how_z.wanted = zlog ? SCALE_LOG : SCALE_LINEAR;
    if (x->ncategory)
        scale_categories(&f->x, x->ncategory);
    else
        fit_x(f, &how_x);
    if (y->ncategory)
        scale_categories(&f->up->scale, y->ncategory);
    if (!f->own) {
        f->up->v = f->ys;
        f->up->n = kept + (kept ? f->nspread : 0);
    }
    f->bar.axis = z;
    scale_fit(&f->bar.scale, f->zs, kept, &how_z);
}

double frame_x(const struct frame *f, double part)
{
    return f->data.x + part * f->data.w;
}

double frame_y(const struct frame *f, double part)
{
    return f->data.y + (f->up->scale.kind == CATEGORIES ? part : 1 - part) * f->data.h;
}

bool frame_point(const struct frame *f, double x, double y, struct rect *at)
{
    if (!isfinite(x) || !isfinite(y) || (f->x.kind == LOGARITHMIC && x <= 0) ||
        (f->up->scale.kind == LOGARITHMIC && y <= 0) ||
        outside_categories(&f->chart->x, x) || outside_categories(&f->chart->y, y))
        return false;
    at->x = frame_x(f, scale_at(&f->x, x));
    at->y = frame_y(f, scale_at(&f->up->scale, y));
    return true;
}

bool frame_inside(const struct frame *f, const struct rect *at)
{
    const double eps = 1e-6;

    return at->x >= f->data.x - eps && at->x <= f->data.x + f->data.w + eps && at->y >= f->data.y - eps &&
           at->y <= f->data.y + f->data.h + eps;
}

/* ---- y axes ------------------------------------------------------------------------------------------ */

const struct axis *frame_own_axis(const struct frame *f, size_t panel)
{
    return f->own ? &f->chart->panel_y[panel] : &f->chart->y;
}

/* "(a)", "(b)", ... "(aa)" */
static void name_panel(struct frame_y *o, size_t i, const char *title, const struct axis *a)
{
    const bool told = a->title && strcmp(a->title, title) == 0;
    char letters[4] = "";

    if (i >= 26)
        letters[0] = (char)('a' + (i / 26 - 1) % 26);
    letters[strlen(letters)] = (char)('a' + i % 26);
    snprintf(o->tag, sizeof o->tag, "(%s)%s%.120s", letters, told || !*title ? "" : " ", told ? "" : title);
}

int frame_own_open(struct frame *f, struct err *err)
{
    const struct chart *c = f->chart;
    const size_t all = chart_points(c);

    f->own = c->panel_y && c->npanel > 0;
    if (TAKE("the figure", err, ZEROS(f->side, f->own ? c->npanel : 1)) < 0)
        return -1;
    f->up = f->side;
    f->nside = f->own ? c->npanel : 1;
    if (!f->own)
        return TAKE("the figure", err, ZEROS(f->side->label, TICKS_MOST + c->y.ncategory));
    for (size_t p = 0; p < c->npanel; p++) {
        struct frame_y *o = &f->side[p];

        if (TAKE("the figure", err, ZEROS(o->label, TICKS_MOST), ARRAY(o->v, 3 * all + 1)) < 0)
            return -1;
        name_panel(o, p, c->panel[p], &c->panel_y[p]);
        for (size_t i = 0; i < c->nseries; i++)
            for (size_t k = 0; c->series[i].panel == p && k < c->series[i].n; k++) {
                const struct datum *d = &c->series[i].at[k];
                const double v[] = { d->y, d->lo, d->hi };

                for (int j = 0; isfinite(d->x) && isfinite(d->y) && j < 3; j++)
                    if (isfinite(v[j]))
                        o->v[o->n++] = v[j];
            }
    }
    return 0;
}

void frame_own_fit(struct frame *f)
{
    for (size_t p = 0; f->own && p < f->npanel; p++) {
        struct frame_y *o = &f->side[p];
        const struct axis *a = &f->chart->panel_y[p];

        o->how = (struct fit){ .wanted = a->scale, .bars = f->want.bars, .round = true, .axis = a };
        for (size_t i = 0; a->scale == SCALE_LOG && i < o->n; i++)
            f->negative += o->v[i] <= 0;
        o->how.wanted = scale_is_log(o->v, o->n, &o->how) ? SCALE_LOG : SCALE_LINEAR;
    }
}

void frame_own_release(struct frame *f)
{
    for (size_t p = 0; p < f->nside; p++) {
        g_free(f->side[p].name);
        free(f->side[p].label);
        if (f->own)
            free(f->side[p].v);
    }
    free(f->side);
}
