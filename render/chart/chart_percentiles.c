#include "graph/numeric/quantile.h"
#include "render/chart/chart.h"
#include "render/chart/piles.h"
#include "render/figure/frame.h"

#define MARKS_MOST 25

/* The median at each place along x with the ends of a band around it. */
static int add_bands(struct chart *to, const struct chart *from, const struct piles *piles, double below,
                     struct err *err)
{
    int k = -1;

    for (size_t i = 0; i < from->nseries; i++)
        if (!from->series[i].over && chart_series_like(to, &from->series[i]) < 0)
            return err_memory(err);
    for (size_t i = 0; i < piles->n; i++) {
        const struct pile *p = &piles->pile[i];
        const struct datum d = { .x = p->x, .y = quantile_of(p->v, p->n, 0.5), .z = NAN,
                                 .lo = quantile_of(p->v, p->n, below), .hi = quantile_of(p->v, p->n, 1 - below) };

        if (i == 0 || p->series != p[-1].series)
            k = chart_series_like(to, &from->series[p->series]);
        if (chart_datum(to, k, d) < 0)
            return err_memory(err);
    }
    return 0;
}

/* Where there are few medians they are marked, as points of lines are. */
static void draw_marks(const struct frame *f, const struct series *s)
{
    struct rect at;

    for (size_t i = 0; s->n <= MARKS_MOST && i < s->n; i++)
        if (frame_point(f, s->at[i].x, s->at[i].y, &at) && frame_inside(f, &at))
            series_mark(f->canvas, s->look, at.x, at.y, false);
}

static void percentiles_draw_panel(const struct frame *f, size_t panel, const void *arg)
{
    const struct chart *inner = arg, *outer = f->chart;

    frame_rules(f, panel);
    for (size_t i = 0; i < outer->nseries; i++)
        if (outer->series[i].panel == panel) {
            canvas_begin(f->canvas, "series", outer->series[i].name);
            frame_band(f, &outer->series[i], 0.15);
            frame_band(f, &inner->series[i], 0.25);
            frame_line(f, &outer->series[i], series_pen(f->canvas, outer->series[i].look, 1.4), false);
            draw_marks(f, &outer->series[i]);
            canvas_end(f->canvas);
        }
    frame_rule_texts(f, panel);
}

static int percentiles_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct chart outer, inner, view = *chart;
    struct piles piles;
    struct frame f = { 0 };
    int ret = piles_make(&piles, chart, err);

    chart_init(&outer, chart->kind);
    chart_init(&inner, chart->kind);
    if (ret == 0)
        ret = add_bands(&outer, chart, &piles, 0.05, err);
    if (ret == 0)
        ret = add_bands(&inner, chart, &piles, 0.25, err);
    if (ret == 0) {
        view.series = outer.series;
        view.nseries = outer.nseries;
        frame_begin(&f, canvas, &view);
        f.want.sample = SAMPLE_LINE;
        f.want.rules = f.want.rule_texts = true;
        f.infinite = piles.infinite;
        f.aside = "Lines: medians; bands: the middle 50 and 90 %.";
        ret = frame_show(&f, percentiles_draw_panel, &inner, err);
    }
    frame_release(&f);
    piles_release(&piles);
    chart_release(&inner);
    chart_release(&outer);
    return ret;
}

const struct chart_kind chart_percentiles = {
    .name = "percentiles", .summary = "the median of the values of y at each x, in bands of their middle 50 and 90 %",
    .source = "definition 7 of Hyndman and Fan 1996", .needs = ROLE_X | ROLE_Y, .rules = true,
    .draw = percentiles_draw };
