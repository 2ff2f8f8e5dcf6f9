#include <math.h>

#include "render/frame.h"

#define MARKS_MOST 40           /* on one line: longer ones get MARKS_SOME, to be told apart by */
#define MARKS_SOME 14
#define MARKS_ALL 1000          /* on all lines together */
#define NEAR 0.12               /* points of one line nearer than this are one */

static void swatch(struct canvas *c, size_t look, const struct rect *box)
{
    cairo_save(c->cr);
    series_colour(c, look);
    series_dash(c, look);
    cairo_set_line_width(c->cr, 1.4);
    cairo_move_to(c->cr, box->x, box->y + box->h / 2);
    cairo_line_to(c->cr, box->x + box->w, box->y + box->h / 2);
    cairo_stroke(c->cr);
    cairo_restore(c->cr);
    series_mark(c, look, box->x + box->w / 2, box->y + box->h / 2);
}

static void draw_path(const struct frame *f, size_t series)
{
    const struct series *s = &f->chart->series[series];
    cairo_t *cr = f->canvas->cr;
    struct rect at = { 0 }, last = { 0 };
    bool on = false;

    cairo_save(cr);
    series_colour(f->canvas, f->chart->series[series].look);
    series_dash(f->canvas, f->chart->series[series].look);
    cairo_set_line_width(cr, 1.4);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    for (size_t i = 0; i < s->n; i++) {
        if (!frame_point(f, s->x[i], s->y[i], &at)) {
            on = false;
            continue;
        }
        if (on && fabs(at.x - last.x) < NEAR && fabs(at.y - last.y) < NEAR)
            continue;
        if (on)
            cairo_line_to(cr, at.x, at.y);
        else
            cairo_move_to(cr, at.x, at.y);
        on = true;
        last = at;
    }
    cairo_stroke(cr);
    cairo_restore(cr);
}

/* Which points are marked: every so many-th. */
static size_t stride(const struct frame *f, size_t n)
{
    size_t share = MARKS_ALL / f->chart->nseries + 1, some = share < MARKS_SOME ? share : MARKS_SOME;

    return n <= MARKS_MOST && n <= share ? 1 : (n + some - 1) / some;
}

/* All points when they are few; else evenly many of them, not the same ones on every line. A point that stands
 * alone between gaps is always marked, for no line shows it. */
static void draw_marks(const struct frame *f, size_t series)
{
    const struct series *s = &f->chart->series[series];
    size_t every = stride(f, s->n), from = every > 1 ? 3 * series % every : 0;
    struct rect at, other;

    for (size_t i = 0; i < s->n; i++) {
        bool alone;

        if (!frame_point(f, s->x[i], s->y[i], &at))
            continue;
        alone = every > 1 && (i == 0 || !frame_point(f, s->x[i - 1], s->y[i - 1], &other)) &&
                (i + 1 == s->n || !frame_point(f, s->x[i + 1], s->y[i + 1], &other));
        if (alone || i % every == from)
            series_mark(f->canvas, f->chart->series[series].look, at.x, at.y);
    }
}

static int draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct frame f;
    int ret = frame_lay(&f, canvas, chart, false, err);

    if (ret == 0) {
        frame_draw(&f, swatch);
        for (size_t i = 0; i < chart->nseries; i++)
            draw_path(&f, i);
        for (size_t i = 0; i < chart->nseries; i++)
            draw_marks(&f, i);
    }
    frame_release(&f);
    return ret;
}

const struct chart_kind chart_line = {
    .name = "line", .summary = "a line with marks per series, over numbers or categories", .draw = draw };
