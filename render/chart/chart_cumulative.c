#include "graph/numeric/bins.h"
#include "render/chart/chart.h"
#include "render/figure/alike.h"
#include "render/figure/frame.h"

/* A series of steps: up at every value by its share; of the complement down, but for the last one: a logarithmic axis
 * has no place for zero. */
static int add_steps(struct chart *to, const struct series *s, size_t *left_out, struct err *err)
{
    int k = chart_series_like(to, s), ret = 0;
    double *x = malloc((s->n + 1) * sizeof *x), *w = malloc((s->n + 1) * sizeof *w), before = 0;
    struct ecdf e = { 0 };

    if (k < 0 || !x || !w) {
        ret = err_memory(err);
        goto done;
    }
    for (size_t i = 0; i < s->n; i++) {
        x[i] = s->at[i].x;
        w[i] = s->at[i].y;
    }
    ret = ecdf_make(&e, x, w, s->n, err);
    if (ret < 0)
        goto done;
    *left_out += e.left_out;
    for (size_t i = 0; i < e.n; i++) {
        const double share = to->complement ? 1 - e.share[i] : e.share[i];

        if (chart_point(to, k, e.value[i], to->complement ? 1 - before : before) < 0 ||
            ((share > 0 || !to->complement) && chart_point(to, k, e.value[i], share) < 0)) {
            ret = err_memory(err);
            goto done;
        }
        before = e.share[i];
    }
done:
    ecdf_release(&e);
    FREE(x, w);
    return ret;
}

static void draw_series(const struct frame *f, const struct series *s)
{
    struct canvas *c = f->canvas;
    const struct pen pen = series_pen_unmarked(c, s->look, 1.4);
    struct rect at;

    if (s->n == 0)
        return;
    canvas_begin(c, "series", s->name);
    frame_line(f, s, pen, false);
    if (f->chart->complement) {         /* all there is lies above: 1 from the start */
        if (frame_point(f, s->at[0].x, 1, &at))
            canvas_segment(c, f->data.x, at.y, at.x, at.y);
        if (frame_point(f, s->at[s->n - 1].x, s->at[s->n - 1].y, &at))
            canvas_segment(c, at.x, at.y, at.x, frame_end(f, 0));
        canvas_stroke(c, &pen);
    } else if (frame_point(f, s->at[s->n - 1].x, s->at[s->n - 1].y, &at)) {     /* all lies below: 1 to the end */
        canvas_segment(c, at.x, at.y, f->data.x + f->data.w, at.y);
        canvas_stroke(c, &pen);
    }
    canvas_end(c);
}

static void cumulative_draw_panel(const struct frame *f, size_t panel, const void *chart)
{
    const struct chart *view = chart;

    for (size_t k = 0; k < view->nseries; k++)
        if (view->series[k].panel == panel)
            draw_series(f, &view->series[k]);
}

static int draw_steps(struct canvas *canvas, const struct chart *view, size_t left_out, struct err *err)
{
    struct frame f;
    int ret;

    frame_begin(&f, canvas, view);
    f.want.sample = SAMPLE_UNMARKED;
    f.want.direct = true;
    f.infinite = left_out;
    ret = frame_show(&f, cumulative_draw_panel, view, err);
    frame_release(&f);
    return ret;
}

static int cumulative_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    static char share_title[] = "Cumulative share", greater_title[] = "Share above";
    struct chart steps, joined, view = *chart;
    size_t left_out = 0;
    int ret = 0;

    chart_init(&steps, chart->kind);
    steps.complement = chart->complement;
    for (size_t i = 0; ret == 0 && i < chart->nseries; i++)
        if (!chart->series[i].over)
            ret = add_steps(&steps, &chart->series[i], &left_out, err);
    if (ret == 0) {
        view.series = steps.series;
        view.nseries = steps.nseries;
        view.x.category = NULL;
        view.x.ncategory = 0;
        view.y.title = chart->complement ? greater_title : share_title;
        view.y.unit = NULL;
        if (view.y.scale == SCALE_AUTO)
            view.y.scale = chart->complement ? SCALE_LOG : SCALE_LINEAR;
        if (view.y.scale == SCALE_LINEAR && isnan(view.y.from) && isnan(view.y.to)) {
            view.y.from = 0;
            view.y.to = 1;
        }
        ret = alike_join(&joined, &view, err) < 0 ? -1 : draw_steps(canvas, &joined, left_out, err);
        alike_release(&joined);
    }
    chart_release(&steps);
    return ret;
}

const struct chart_kind chart_cumulative = {
    .name = "cumulative",
    .summary = "the share of values at or below x (--complement: above it); y, if given, is how often each occurs",
    .needs = ROLE_X, .numbers_x = true, .draw = cumulative_draw };
