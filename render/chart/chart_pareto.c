/* chart_pareto.c -- points to choose from, and the front of those that no other beats in both coordinates.
 * 1. fronts   of each panel, once the scales say which points have a place
 * 2. panels   the front as a staircase, what it dominates in grey, names of its own points first */
#include "graph/numeric/front.h"
#include "render/chart/chart.h"
#include "render/figure/frame.h"

#define RIMS_MOST 1000          /* points: the white rims of more would hide them */

struct choice {                 /* a point */
    const struct series *series;
    const struct datum *at;
    bool best;                  /* on the front */
};
struct pareto {
    struct frame frame;
    struct choice *choice;      /* of the present panel, those that have a place */
    struct point_label *label;
    double *x, *y;
    size_t *front, n, nfront;
    bool names;                 /* series of one point each: their names stand beside these */
};

/* ---- fronts ------------------------------------------------------------------------------------------ */

static bool names_points(const struct chart *c)
{
    for (size_t i = 0; i < c->nseries; i++) {
        if (c->series[i].n > 1 || c->series[i].over)
            return false;
        for (size_t p = 0; p < c->series[i].n; p++)
            if (c->series[i].at[p].label)
                return false;
    }
    return c->nseries > 1;
}

static int find_front(struct pareto *q, size_t panel, struct err *err)
{
    const struct chart *c = q->frame.chart;
    struct rect at;

    q->n = 0;
    for (size_t i = 0; i < c->nseries; i++)
        for (size_t p = 0; c->series[i].panel == panel && p < c->series[i].n; p++) {
            const struct datum *d = &c->series[i].at[p];

            if (!frame_point(&q->frame, d->x, d->y, &at))
                continue;
            q->choice[q->n] = (struct choice){ &c->series[i], d, false };
            q->x[q->n] = d->x;
            q->y[q->n++] = d->y;
        }
    if (front_find(q->front, &q->nfront, q->x, q->y, q->n, c->front_most, err) < 0)
        return -1;
    for (size_t k = 0; k < q->nfront; k++)
        q->choice[q->front[k]].best = true;
    return 0;
}

/* ---- panels ------------------------------------------------------------------------------------------ */

/* A level or upright part of the front, which names keep off. */
static void draw_step(const struct frame *f, double x0, double y0, double x1, double y1)
{
    canvas_segment(f->canvas, x0, y0, x1, y1);
    text_keep_off(f->canvas, &(struct rect){ fmin(x0, x1) - 0.5, fmin(y0, y1) - 0.5, fabs(x1 - x0) + 1,
                  fabs(y1 - y0) + 1 });
}

/* The dominated region: from each point of the front on, all that is worse than it, up to the next point. */
static void draw_stairs(const struct pareto *q)
{
    const struct frame *f = &q->frame;
    const bool *most = f->chart->front_most;
    const double worst_x = most[0] ? f->data.x : f->data.x + f->data.w,
        worst_y = most[1] ? f->data.y + f->data.h : f->data.y;
    struct rect at, last = { .y = worst_y };

    for (size_t k = 0; k < q->nfront; k++) {
        frame_point(f, q->x[q->front[k]], q->y[q->front[k]], &at);
        if (k > 0)
            draw_step(f, last.x, last.y, at.x, last.y);
        draw_step(f, at.x, last.y, at.x, at.y);
        last = at;
    }
    if (q->nfront)
        draw_step(f, last.x, last.y, worst_x, last.y);
    canvas_stroke_grey(f->canvas, 0.9, PALE);
}

static void draw_points(const struct pareto *q, bool best)
{
    const struct frame *f = &q->frame;
    const struct pen rim = pen_grey(0.4, 1);
    struct rect at;

    for (size_t i = 0; i < q->n; i++) {
        const struct choice *c = &q->choice[i];

        if (c->best != best || !frame_point(f, c->at->x, c->at->y, &at) || !frame_inside(f, &at))
            continue;
        frame_tip_begin(f, c->series, c->at, NULL);
        if (best || c->series->over) {
            series_mark(f->canvas, q->names ? 0 : c->series->look, at.x, at.y, c->series->over);
        } else {
            canvas_circle(f->canvas, at.x, at.y, 1.9);
            canvas_paint(f->canvas, grey(0.68), 1, q->n > RIMS_MOST ? NULL : &rim);
        }
        frame_tip_end(f);
    }
}

static void draw_names(const struct pareto *q, size_t panel, bool best)
{
    size_t n = 0;

    for (size_t i = 0; i < q->n; i++) {
        const struct choice *c = &q->choice[i];
        const char *name = q->names ? c->series->name : c->at->label;

        if (c->best == best && name && *name)
            q->label[n++] = (struct point_label){ c->at, name, best ? INK : PALE };
    }
    frame_labels(&q->frame, panel, q->label, n);
}

static int pareto_draw_panel(struct pareto *q, size_t panel, struct err *err)
{
    struct frame *f = &q->frame;

    frame_panel(f, panel);
    if (find_front(q, panel, err) < 0)
        return -1;
    frame_rules(f, panel);
    draw_stairs(q);
    draw_points(q, false);
    draw_points(q, true);
    draw_names(q, panel, true);
    frame_rule_texts(f, panel);
    draw_names(q, panel, false);
    frame_panel_end(f);
    return 0;
}

static int pareto_entries(struct pareto *q, struct err *err)
{
    const struct chart *c = q->frame.chart;

    if (!q->names && frame_default_entries(&q->frame, err) < 0)
        return -1;
    return c->nseries == 0 ? 0 : legend_add(&q->frame.legend, (struct legend_entry){ .text = "dominated",
                                            .sample = SAMPLE_DOT, .colour = grey(0.68) }, err);
}

static int pareto_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    const size_t all = chart_points(chart);
    struct pareto q = { .names = names_points(chart) };
    struct frame *f = &q.frame;
    int ret = TAKE("the chart", err, ARRAY(q.choice, all + 1), ARRAY(q.label, all + 1), ARRAY(q.x, all + 1),
                   ARRAY(q.y, all + 1), ARRAY(q.front, all + 1));

    frame_begin(f, canvas, chart);
    f->want.sample = SAMPLE_MARK;
    f->want.rules = f->want.rule_texts = true;
    if (ret == 0)
        ret = pareto_entries(&q, err);
    f->want.no_legend = true;           /* no other entries */
    if (ret == 0)
        ret = frame_lay(f, err);
    if (ret == 0)
        frame_draw(f);
    for (size_t i = 0; ret == 0 && i < f->npanel; i++)
        ret = pareto_draw_panel(&q, i, err);
    frame_release(f);
    FREE(q.choice, q.label, q.x, q.y, q.front);
    return ret;
}

const struct chart_kind chart_pareto = {
    .name = "pareto", .summary = "points with names, and the front of those that no other beats in x and y (--best)",
    .needs = ROLE_X | ROLE_Y, .rules = true, .fronts = true, .draw = pareto_draw };
