#include "graph/numeric/bins.h"
#include "render/chart/chart.h"
#include "render/figure/frame.h"

/* All values and weights of a series; with `one` NULL those of all series but the ones laid over. */
struct values {
    double *x, *w;
    size_t n;
};

static int histogram_collect(struct values *v, const struct chart *c, const struct series *one, struct err *err)
{
    const size_t all = chart_points(c);

    v->n = 0;
    if (TAKE("the chart", err, ARRAY(v->x, all + 1), ARRAY(v->w, all + 1)) < 0)
        return -1;
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; (one ? one == &c->series[i] : !c->series[i].over) && p < c->series[i].n; p++) {
            v->x[v->n] = c->series[i].at[p].x;
            v->w[v->n++] = c->series[i].at[p].y;
        }
    return 0;
}

static void values_release(struct values *v)
{
    FREE(v->x, v->w);
}

/* A series of `to` with a point in the middle of each bin. */
static int count(struct chart *to, const struct chart *from, size_t series, const struct bins *like, struct err *err)
{
    const struct series *s = &from->series[series];
    struct values v = { 0 };
    struct bins b = { 0 };
    int k = chart_series_like(to, s), ret = k < 0 ? err_memory(err) : 0;

    if (ret == 0)
        ret = histogram_collect(&v, from, s, err);
    if (ret == 0)
        ret = bins_like(&b, like, err);
    if (ret == 0)
        bins_add(&b, v.x, v.w, v.n);
    for (size_t i = 0; ret == 0 && i < b.n; i++)
        if (chart_point(to, k, b.edge[i] + (b.edge[i + 1] - b.edge[i]) / 2, b.count[i]) < 0)
            ret = err_memory(err);
    bins_release(&b);
    values_release(&v);
    return ret;
}

/* The outline of a series' bars, from the foot up over every bin and down again. */
static void outline(const struct frame *f, const struct series *s, const double *edge)
{
    struct canvas *c = f->canvas;
    const double foot = f->data.y + f->data.h;

    canvas_move(c, frame_x(f, scale_at(&f->x, edge[0])), foot);
    for (size_t i = 0; i < s->n; i++) {
        bool none = f->up->scale.kind == LOGARITHMIC && s->at[i].y <= 0;
        double y = none ? foot : frame_y(f, scale_at(&f->up->scale, s->at[i].y));

        canvas_line(c, frame_x(f, scale_at(&f->x, edge[i])), y);
        canvas_line(c, frame_x(f, scale_at(&f->x, edge[i + 1])), y);
    }
    canvas_line(c, frame_x(f, scale_at(&f->x, edge[s->n])), foot);
}

static void histogram_draw_panel(const struct frame *f, size_t panel, const void *bins)
{
    const struct bins *b = bins;
    const struct chart *chart = f->chart;
    struct canvas *c = f->canvas;

    for (size_t i = 0; i < chart->nseries; i++) {
        const struct series *s = &chart->series[i];
        const struct pen pen = series_pen_unmarked(c, s->look, 1.1);

        if (s->panel != panel || s->n != b->n || b->n == 0)
            continue;
        canvas_begin(c, "series", s->name);
        outline(f, s, b->edge);
        canvas_fill(c, series_colour(c, s->look), 0.3);
        outline(f, s, b->edge);
        canvas_stroke(c, &pen);
        for (size_t k = 1; chart->nseries == 1 && b->n <= 100 && k < b->n; k++) {    /* bars stand apart */
            double x = frame_x(f, scale_at(&f->x, b->edge[k]));
            struct rect left, right;

            if (!frame_point(f, s->at[k - 1].x, s->at[k - 1].y, &left) ||
                !frame_point(f, s->at[k].x, s->at[k].y, &right))
                continue;
            canvas_segment(c, x, f->data.y + f->data.h, x, fmax(left.y, right.y));
        }
        canvas_stroke(c, &pen);
        canvas_end(c);
    }
}

/* Counts the values that are in no bin. A value without a count (NaN) is missing, like a point without y elsewhere. */
struct left_out {
    size_t infinite, negative;
};

static struct left_out count_left_out(const struct values *v, bool logarithmic)
{
    struct left_out n = { 0, 0 };

    for (size_t i = 0; i < v->n; i++) {
        n.infinite += isinf(v->x[i]) || isinf(v->w[i]);
        n.negative += logarithmic && isfinite(v->x[i]) && v->x[i] <= 0 && isfinite(v->w[i]);
    }
    return n;
}

static int draw_counts(struct canvas *canvas, const struct chart *view, const struct bins *b,
                       const struct left_out *left_out, struct err *err)
{
    struct frame f;
    int ret;

    frame_begin(&f, canvas, view);
    f.want.sample = SAMPLE_UNMARKED;
    f.want.bars = true;
    f.infinite = left_out->infinite;
    f.negative = left_out->negative;
    ret = frame_show(&f, histogram_draw_panel, b, err);
    frame_release(&f);
    return ret;
}

/* The same bins for all series of all panels. */
static int histogram_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    const struct bins_how how = { .count = (int)chart->bins, .logarithmic = chart->x.scale == SCALE_LOG };
    struct chart counts, view = *chart;
    static char count_title[] = "Count";
    struct values all = { 0 };
    struct bins b = { 0 };
    struct left_out left_out;
    int ret;

    chart_init(&counts, chart->kind);
    ret = histogram_collect(&all, chart, NULL, err);
    if (ret == 0)
        ret = bins_choose(&b, all.x, all.w, all.n, &how, err);
    for (size_t i = 0; ret == 0 && i < chart->nseries; i++)
        if (!chart->series[i].over)
            ret = count(&counts, chart, i, &b, err);
    if (ret == 0) {
        view.series = counts.series;
        view.nseries = counts.nseries;
        view.x.scale = b.logarithmic ? SCALE_LOG : SCALE_LINEAR;
        if (b.n && isnan(view.x.from))
            view.x.from = b.edge[0];
        if (b.n && isnan(view.x.to))
            view.x.to = b.edge[b.n];
        view.x.whole = b.whole;
        view.x.category = NULL;
        view.x.ncategory = 0;
        if (!view.y.title)
            view.y.title = count_title;
        left_out = count_left_out(&all, b.logarithmic);
        ret = draw_counts(canvas, &view, &b, &left_out, err);
    }
    bins_release(&b);
    values_release(&all);
    chart_release(&counts);
    return ret;
}

const struct chart_kind chart_histogram = {
    .name = "histogram", .summary = "how often values of x occur, in bins; y, if given, is how often each occurs",
    .needs = ROLE_X, .numbers_x = true, .draw = histogram_draw };
