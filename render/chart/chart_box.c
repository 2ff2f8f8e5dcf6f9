#include "graph/numeric/quantile.h"
#include "render/chart/chart.h"
#include "render/chart/piles.h"
#include "render/figure/frame.h"

#define WIDEST 26.0             /* of one box */
#define SAME 0.4                /* points: of values beyond the whiskers that are nearer, one is drawn */

struct boxes {
    struct piles piles;
    size_t *place, nplace;      /* beside the others of its category, by series; how many there are */
};

static void draw_beyond(const struct frame *f, double x, const double *v, size_t n, const struct pen *rim)
{
    double last = NAN;

    for (size_t i = 0; i < n; i++) {
        struct rect at = { .x = x, .y = frame_end(f, v[i]) };

        if (fabs(at.y - last) < SAME || !frame_inside(f, &at))
            continue;
        canvas_circle(f->canvas, x, at.y, 1.5);
        canvas_paint(f->canvas, grey(1), 1, rim);
        last = at.y;
    }
}

static void draw_box(const struct frame *f, const struct boxes *b, const struct pile *p)
{
    const struct series *s = &f->chart->series[p->series];
    const double n = (double)b->nplace, each = f->data.w / (double)f->chart->x.ncategory;
    const double group = fmin(0.8 * each, 1.25 * WIDEST * n), width = group / n, w = 0.8 * width;
    const double x = frame_x(f, scale_at(&f->x, p->x)) - group / 2 + width * ((double)b->place[p->series] + 0.5);
    const struct pen rim = { .colour = series_colour(f->canvas, s->look), .width = 0.8 },
                     line = { .colour = grey(INK), .width = 1.5 };
    struct canvas *c = f->canvas;
    struct quantile_box q;
    struct rect box;

    quantile_box_of(&q, p->v, p->n);
    box = (struct rect){ x - w / 2, frame_end(f, q.q3), w, frame_end(f, q.q1) - frame_end(f, q.q3) };
    for (int up = 0; up < 2; up++) {
        const double end = frame_end(f, up ? q.hi : q.lo), from = frame_end(f, up ? q.q3 : q.q1);

        canvas_segment(c, x, from, x, end);
        canvas_segment(c, x - w / 4, end, x + w / 4, end);
    }
    canvas_stroke(c, &rim);
    series_tile(c, s->look, &box, 1);
    canvas_rect(c, &box);
    canvas_stroke(c, &rim);
    canvas_segment(c, box.x, frame_end(f, q.median), box.x + w, frame_end(f, q.median));
    canvas_stroke(c, &line);
    draw_beyond(f, x, p->v, q.from, &rim);
    draw_beyond(f, x, p->v + q.to, p->n - q.to, &rim);
}

static void box_draw_panel(const struct frame *f, size_t panel, const void *arg)
{
    const struct boxes *b = arg;

    for (size_t i = 0; i < b->piles.n; i++) {
        const struct pile *p = &b->piles.pile[i];

        if (f->chart->series[p->series].panel != panel || p->x < 0 || p->x >= (double)f->chart->x.ncategory)
            continue;
        canvas_begin(f->canvas, "series", f->chart->series[p->series].name);
        draw_box(f, b, p);
        canvas_end(f->canvas);
    }
}

static int box_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct chart own = { 0 }, view = *chart;
    struct boxes b = { 0 };
    struct frame f = { 0 };
    int ret = chart_on_categories(&own, chart, false) < 0 ? err_memory(err) : 0;

    view.series = own.series;
    view.nseries = own.nseries;
    view.x.category = own.x.category;
    view.x.ncategory = own.x.ncategory;
    if (ret == 0 && piles_make(&b.piles, &view, err) == 0 && (b.place = chart_places(&view, &b.nplace, err))) {
        frame_begin(&f, canvas, &view);
        f.want.sample = SAMPLE_TILE;
        f.aside = "Boxes: quartiles; whiskers: within 1.5 interquartile ranges; hollow: beyond.";
        ret = frame_show(&f, box_draw_panel, &b, err);
    } else {
        ret = -1;
    }
    frame_release(&f);
    piles_release(&b.piles);
    free(b.place);
    chart_release(&own);
    return ret;
}

const struct chart_kind chart_box = {
    .name = "box", .summary = "boxes and whiskers of the values of y in each category; far ones as points",
    .source = "Tukey 1977; quartiles by definition 7 of Hyndman and Fan 1996",
    .needs = ROLE_X | ROLE_Y, .x_categories = true, .draw = box_draw };
