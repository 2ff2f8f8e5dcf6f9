#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/num.h"
#include "render/frame.h"

#define WIDEST 36.0             /* of one bar */

static void swatch(struct canvas *c, size_t look, const struct rect *box)
{
    struct rect r = { box->x, box->y + box->h / 2 - 4, box->w, 8 };

    series_fill(c, look, &r);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The numbers that x takes, in order. */
static int distinct(const struct chart *c, double **out, size_t *n, struct err *err)
{
    size_t all = 0, k = 0;
    double *v;

    for (size_t i = 0; i < c->nseries; i++)
        all += c->series[i].n;
    v = malloc((all + 1) * sizeof *v);
    if (!v)
        return err_memory(err);
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; p < c->series[i].n; p++)
            if (isfinite(c->series[i].x[p]))
                v[k++] = c->series[i].x[p];
    qsort(v, k, sizeof *v, compare);
    *n = 0;
    for (size_t i = 0; i < k; i++)
        if (*n == 0 || v[i] != v[*n - 1])
            v[(*n)++] = v[i];
    *out = v;
    return 0;
}

/* Bars stand on categories: a chart over numbers becomes one whose categories are these numbers. */
static int categorised(struct chart *to, const struct chart *c, struct err *err)
{
    double *v = NULL;
    size_t n = 0;
    int ret = -1;

    chart_init(to, c->kind);
    if (distinct(c, &v, &n, err) < 0)
        return -1;
    if (n > 5000) {
        err_set(err, ERR_DOMAIN, "a bar chart over %zu different numbers cannot be read; a line chart can", n);
        goto done;
    }
    for (size_t i = 0; i < n; i++) {
        char digits[32];

        if (chart_category(&to->x, num_shortest(digits, v[i])) < 0)
            goto memory;
    }
    for (size_t i = 0; i < c->nseries; i++) {
        struct series *more = realloc(to->series, (i + 1) * sizeof *more);

        if (!more)
            goto memory;
        to->series = more;
        more[to->nseries++] = (struct series){ .name = c->series[i].name ? strdup(c->series[i].name) : NULL };
        for (size_t p = 0; p < c->series[i].n; p++) {
            double x = c->series[i].x[p], *at = isfinite(x) ? bsearch(&x, v, n, sizeof *v, compare) : NULL;

            if (chart_point(to, (int)i, at ? (double)(at - v) : x, c->series[i].y[p]) < 0)
                goto memory;
        }
    }
    ret = 0;
    goto done;
memory:
    err_memory(err);
done:
    free(v);
    return ret;
}

static void draw_bar(const struct frame *f, size_t series, double x, double y)
{
    double n = (double)f->chart->nseries, each = f->data.w / (double)f->chart->x.ncategory;
    double group = fmin(each * (f->chart->nseries == 1 ? 0.62 : 0.82), WIDEST * n);
    double width = group / n, gap = width > 3 ? 0.7 : 0;        /* paper between neighbours that have the room */
    struct rect foot, top, bar;
    double zero = f->y.kind == LOGARITHMIC ? pow(10, f->y.lo) : 0;

    if (x != floor(x) || !frame_point(f, x, y, &top))
        return;
    if (!frame_point(f, x, zero, &foot))                /* 10^lo may round to just below */
        foot.y = f->data.y + f->data.h;
    bar.x = top.x - group / 2 + width * (double)series + gap / 2;
    bar.w = width - gap;
    bar.y = fmin(top.y, foot.y);
    bar.h = fabs(top.y - foot.y);
    series_fill(f->canvas, f->chart->series[series].look, &bar);
}

static void draw_foot(const struct frame *f)
{
    double y = f->y.kind == LINEAR ? f->data.y + (1 - scale_at(&f->y, 0)) * f->data.h : f->data.y + f->data.h;

    cairo_move_to(f->canvas->cr, f->data.x, y);         /* again, over the feet of the bars */
    cairo_line_to(f->canvas->cr, f->data.x + f->data.w, y);
    cairo_set_line_width(f->canvas->cr, 0.8);
    cairo_set_source_rgb(f->canvas->cr, INK, INK, INK);
    cairo_stroke(f->canvas->cr);
}

static int draw_categories(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct frame f;
    int ret = frame_lay(&f, canvas, chart, true, err);

    if (ret == 0) {
        frame_draw(&f, swatch);
        for (size_t i = 0; i < chart->nseries; i++)
            for (size_t p = 0; p < chart->series[i].n; p++)
                draw_bar(&f, i, chart->series[i].x[p], chart->series[i].y[p]);
        if (f.drawn)
            draw_foot(&f);
    }
    frame_release(&f);
    return ret;
}

static int draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct chart over = { 0 }, view;
    int ret;

    if (chart->x.ncategory)
        return draw_categories(canvas, chart, err);
    ret = categorised(&over, chart, err);
    if (ret == 0) {
        view = *chart;
        view.series = over.series;
        view.nseries = over.nseries;
        view.x.category = over.x.category;
        view.x.ncategory = over.x.ncategory;
        ret = draw_categories(canvas, &view, err);
    }
    chart_release(&over);
    return ret;
}

const struct chart_kind chart_bar = {
    .name = "bar", .summary = "groups of bars, one group per category", .draw = draw };
