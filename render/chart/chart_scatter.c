/* chart_scatter.c -- points, with fits and their residuals.
 * 1. fits        least squares for every series (graph/numeric/regress.h), drawn along the axis
 * 2. points      marks, ever more transparent, and the formula of each fit in the legend or a free corner
 * 3. hexagons    counts in their place, where points are too many to be told apart (hexagons.h)
 * 4. residuals   a second frame below, in line with the first */
#include "render/chart/chart.h"
#include "render/chart/equation.h"
#include "render/chart/hexagons.h"
#include "render/figure/frame.h"
#include "graph/numeric/regress.h"

#define SAMPLES 200             /* of a fitted curve */
#define MARKS_MOST 300          /* points with a rim; of more, and marks are seen through */
#define DOTS_MOST 5000          /* points that are drawn at all */

/* ---- fits -------------------------------------------------------------------------------------------- */

struct fitted {
    struct regress fit;
    bool there;
    char text[EQUATION_TEXT + 60];       /* "y = 2.1 + 0.5 x, R² = 0.98" as markup */
};

static int fit_series(struct fitted *out, const struct chart *c, const struct series *s, struct err *err)
{
    double *x = NULL, *y = NULL;
    struct err refused = { 0 };
    char equation[EQUATION_TEXT], left[60] = "";

    if (TAKE("the chart", err, ARRAY(x, s->n + 1), ARRAY(y, s->n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < s->n; i++) {
        x[i] = s->at[i].x;
        y[i] = s->at[i].y;
    }
    out->there = regress_fit(&out->fit, c->fit, x, y, s->n, &refused) == 0;
    if (out->there && out->fit.left_out)
        snprintf(left, sizeof left, " (%zu of %zu points)", out->fit.used, out->fit.used + out->fit.left_out);
    if (out->there)
        snprintf(out->text, sizeof out->text, "%s, R%s2%s = %.4f%s", equation_text(equation, &out->fit, 4), RAISED,
                 RAISED_END, out->fit.r2, left);
    else
        snprintf(out->text, sizeof out->text, "no %s fit", c->fit->name);
    FREE(x, y);
    return 0;
}

/* A fit for every series; NULL without --fit. */
static int fit_all(struct fitted **out, const struct chart *c, struct err *err)
{
    *out = NULL;
    if (!c->fit)
        return 0;
    *out = calloc(c->nseries + 1, sizeof **out);
    if (!*out)
        return err_memory(err);
    for (size_t i = 0; i < c->nseries; i++)
        if (fit_series(&(*out)[i], c, &c->series[i], err) < 0)
            return -1;
    return 0;
}

/* Evenly along the axis, whatever its scale. */
static void draw_fit(const struct frame *f, const struct fitted *fit, struct pen pen)
{
    struct canvas *c = f->canvas;
    struct rect from, to, at;
    bool on = false;

    if (!fit->there || !frame_point(f, fit->fit.lo, f->up->scale.kind == LOGARITHMIC ? 1 : 0, &from) ||
        !frame_point(f, fit->fit.hi, f->up->scale.kind == LOGARITHMIC ? 1 : 0, &to))
        return;
    for (int i = 0; i <= SAMPLES; i++) {
        double px = from.x + (to.x - from.x) * i / SAMPLES, part = (px - f->data.x) / f->data.w, v;

        v = f->x.lo + part * (f->x.hi - f->x.lo);
        v = f->x.kind == LOGARITHMIC ? pow(f->x.base, v) : v;
        if (!frame_point(f, v, regress_at(&fit->fit, v), &at)) {
            on = false;
            continue;
        }
        (on ? canvas_line : canvas_move)(c, at.x, at.y);
        on = true;
    }
    canvas_stroke(c, &pen);
}

/* ---- points ------------------------------------------------------------------------------------------ */

/* Points but for those laid over. */
static size_t data_points(const struct chart *c)
{
    size_t n = 0;

    for (size_t i = 0; i < c->nseries; i++)
        n += c->series[i].over ? 0 : c->series[i].n;
    return n;
}

static void draw_marks(const struct frame *f, const struct series *s)
{
    const double n = (double)data_points(f->chart), opacity = fmax(0.15, 0.6 * sqrt(MARKS_MOST / fmax(n, 1)));
    struct rect at, last = { -1e9, -1e9, 0, 0 };

    for (size_t i = 0; i < s->n; i++) {
        if (!frame_point(f, s->at[i].x, s->at[i].y, &at) || !frame_inside(f, &at))
            continue;
        if (s->n > 2000 && fabs(at.x - last.x) < 0.2 && fabs(at.y - last.y) < 0.2)     /* one on the other */
            continue;
        frame_tip_begin(f, s, &s->at[i], NULL);
        if (n > MARKS_MOST && !s->over)
            series_dot(f->canvas, s->look, at.x, at.y, opacity);
        else
            series_mark(f->canvas, s->look, at.x, at.y, s->over || s->at[i].outside);
        frame_tip_end(f);
        last = at;
    }
}

/* In small multiples every panel says its own fits, in the corner that is free. */
static void write_fits(const struct frame *f, size_t panel, const struct fitted *fit)
{
    const double x = f->data.x + 4, y = f->data.y + 3, right = f->data.w - 8, down = f->data.h - 6;
    const struct text_spot corner[] = { { x, y, 0, 0, 0, 0 }, { x + right, y, 1, 0, 0, 0 }, { x, y + down, 0, 1, 0, 0 },
                                        { x + right, y + down, 1, 1, 0, 0 } };

    for (size_t i = 0; i < f->chart->nseries; i++) {
        const struct text t = { .text = fit[i].text, .markup = true, .size = SIZE_NOTE, .halo = true };

        if (f->chart->series[i].panel == panel)
            text_place(f->canvas, &t, corner, 4, &(struct text_placer){ &f->data, 0.5, NULL, NULL });
    }
}

/* With hexagons in place of marks, unless that is NULL. */
static void scatter_draw_panel(struct frame *f, size_t panel, const struct fitted *fit, bool write,
                               const struct hexagons *cells)
{
    const struct chart *c = f->chart;

    frame_panel(f, panel);
    frame_rules(f, panel);
    if (cells)
        hexagons_draw(f, cells, panel);
    for (size_t i = 0; i < c->nseries; i++) {
        const struct pen paper = pen_grey(2.6, 1);

        if (c->series[i].panel != panel)
            continue;
        canvas_begin(f->canvas, "series", c->series[i].name);
        if (!cells)
            frame_error_bars(f, &c->series[i]);
        if (!cells || c->series[i].over)
            draw_marks(f, &c->series[i]);
        if (fit && cells)
            draw_fit(f, &fit[i], paper);
        if (fit)
            draw_fit(f, &fit[i], series_pen(f->canvas, c->series[i].look, 1.1));
        canvas_end(f->canvas);
    }
    frame_rule_texts(f, panel);
    frame_mark_points(f, panel);
    if (fit && write)
        write_fits(f, panel, fit);
    frame_panel_end(f);
}

static int over_entries(struct frame *f, struct err *err)
{
    for (size_t i = 0; i < f->chart->nseries; i++) {
        const struct series *s = &f->chart->series[i];

        if (s->over && legend_add_once(&f->legend, (struct legend_entry){ .text = s->name, .sample = SAMPLE_RING,
                                       .look = s->look }, err) < 0)
            return -1;
    }
    return 0;
}

/* The legend says names and, for one panel, fits. */
static int scatter_entries(struct frame *f, const struct fitted *fit, bool cells, struct err *err)
{
    const struct chart *c = f->chart;

    if (cells && !fit)                  /* where groups are counted together there are no colours of theirs */
        return over_entries(f, err);
    if (frame_default_entries(f, err) < 0)
        return -1;
    for (size_t i = 0; fit && c->npanel <= 1 && i < c->nseries; i++)
        if (legend_add(&f->legend, (struct legend_entry){ .text = fit[i].text, .markup = true,
                       .sample = SAMPLE_UNMARKED, .look = c->series[i].look }, err) < 0)
            return -1;
    return 0;
}

static int scatter_lay(struct frame *f, struct canvas *canvas, const struct chart *c, const struct fitted *fit,
                       bool cells, const char *aside, struct err *err)
{
    frame_begin(f, canvas, c);
    f->want.sample = cells ? SAMPLE_PLAIN : SAMPLE_MARK;
    f->want.rules = f->want.rule_texts = true;
    f->want.colour_bar = cells;
    f->aside = aside;
    if (scatter_entries(f, fit, cells, err) < 0)
        return -1;
    f->want.no_legend = true;           /* no other entries */
    return frame_lay(f, err);
}

/* ---- hexagons ----------------------------------------------------------------------------------------- */

static void draw_panels(struct frame *f, const struct fitted *fit, const struct hexagons *cells)
{
    frame_draw(f);
    for (size_t i = 0; i < f->npanel; i++)
        scatter_draw_panel(f, i, fit, f->npanel > 1, cells);
}

/* Counts need the places of points and the colour bar the counts: the page is laid out twice, at first with some room
 * for the bar. */
static int draw_cells(struct canvas *canvas, const struct chart *c, const struct fitted *fit, struct err *err)
{
    struct hexagons cells = { 0 };
    struct chart view = { 0 };
    struct frame first = { 0 }, f = { 0 };
    char note[120];
    int ret;

    frame_begin(&first, canvas, c);
    first.want = (struct frame_want){ .rules = true, .no_legend = true,
                                      .right = frame_bar_lies(&first) ? 0 : 60 * canvas->scale };
    ret = frame_lay(&first, err);
    if (ret == 0)
        ret = hexagons_count(&cells, &view, &first, err);
    snprintf(note, sizeof note, "%zu points%s, counted in hexagons.", cells.points,
             c->nseries > first.npanel ? " of all series" : "");
    if (ret == 0)
        ret = scatter_lay(&f, canvas, &view, fit, true, note, err);
    if (ret == 0)
        draw_panels(&f, fit, &cells);
    frame_release(&f);
    frame_release(&first);
    hexagons_release(&cells);
    hexagons_release_view(&view);
    return ret;
}

/* ---- residuals --------------------------------------------------------------------------------------- */

static int residuals_of(struct chart *to, const struct chart *from, const struct fitted *fit, struct err *err)
{
    for (size_t i = 0; i < from->nseries; i++) {
        const struct series *s = &from->series[i];
        int k = chart_series_like(to, s);

        if (k < 0)
            return err_memory(err);
        for (size_t p = 0; fit[i].there && p < s->n; p++) {
            double at = regress_at(&fit[i].fit, s->at[p].x), rest = s->at[p].y - at;

            if (from->fit->log_y)               /* such a fit is as near everywhere in proportion */
                rest = s->at[p].y > 0 ? 100 * rest / at : (double)NAN;
            if (chart_point(to, k, s->at[p].x, rest) < 0)
                return err_memory(err);
        }
    }
    return 0;
}

/* Makes an axis end where that scale does. */
static void take_ends(struct axis *a, const struct scale *s)
{
    bool log = s->kind == LOGARITHMIC;

    if (a->ncategory)
        return;
    a->scale = log ? SCALE_LOG : SCALE_LINEAR;
    a->from = log ? pow(s->base, s->lo) : s->lo;
    a->to = log ? pow(s->base, s->hi) : s->hi;
}

/* Below, labels, the name of the axis and the legend take what they need, and of the rest residuals have a third. */
static double upper_height(struct canvas *canvas, struct frame *lower, const struct fitted *fit, struct err *err)
{
    double need = text_height(canvas, SIZE_TICK) + text_height(canvas, SIZE_TITLE) + 30;

    if (scatter_entries(lower, fit, false, err) < 0)
        return -1;
    legend_size(&lower->legend, canvas, false);
    if (lower->legend.place == LEGEND_BELOW)
        need += lower->legend.h;
    return fmax(0.66 * (canvas->height - need) + 10, 40);
}

static int lay_pair(struct frame *upper, struct frame *lower, struct canvas *canvas, const struct chart *c,
                    struct chart *rest, const struct fitted *fit, double left, double right, struct err *err)
{
    frame_begin(upper, canvas, c);
    frame_begin(lower, canvas, rest);
    upper->want = (struct frame_want){ .sample = SAMPLE_MARK, .bare_x = true, .left = left, .right = right,
                                       .no_legend = true, .rules = true, .rule_texts = true };
    lower->want = (struct frame_want){ .sample = SAMPLE_MARK, .left = left, .right = right, .no_legend = true,
                                       .rules = true };
    upper->page.h = upper_height(canvas, lower, fit, err);
    lower->page.y = upper->page.h - 2 * upper->pad + 4;
    lower->page.h = canvas->height - lower->page.y;
    if (upper->page.h < 0 || frame_lay(upper, err) < 0)
        return -1;
    if (upper->drawn)
        take_ends(&rest->x, &upper->x);
    return frame_lay(lower, err);
}

/* Two frames in line: as wide margins as either needs, and then as both. */
static int draw_both(struct canvas *canvas, const struct chart *c, struct chart *rest, const struct fitted *fit,
                     struct err *err)
{
    struct frame upper, lower;
    double left, right;
    int ret = lay_pair(&upper, &lower, canvas, c, rest, fit, 0, 0, err);

    left = fmax(upper.margin_left, lower.margin_left);
    right = fmax(upper.margin_right, lower.margin_right);
    frame_release(&upper);
    frame_release(&lower);
    if (ret < 0)
        return -1;
    ret = lay_pair(&upper, &lower, canvas, c, rest, fit, left, right, err);
    if (ret == 0) {
        frame_draw(&upper);
        scatter_draw_panel(&upper, 0, fit, false, NULL);
        frame_draw(&lower);
        scatter_draw_panel(&lower, 0, NULL, false, NULL);
    }
    frame_release(&upper);
    frame_release(&lower);
    return ret;
}

static int draw_residuals(struct canvas *canvas, const struct chart *c, const struct fitted *fit, struct err *err)
{
    static char residual_title[] = "Residual", percent[] = "%";
    struct chart own, top = *c, rest = *c;
    int ret;

    top.note = NULL;            /* said once, at the foot */
    if (c->npanel > 1)
        return err_set(err, ERR_USAGE, "residuals are drawn below one panel, not %zu", c->npanel);
    chart_init(&own, c->kind);
    ret = residuals_of(&own, c, fit, err);
    if (ret == 0) {
        rest.series = own.series;
        rest.nseries = own.nseries;
        rest.title = NULL;
        rest.y = (struct axis){ .title = residual_title, .unit = c->fit->log_y ? percent : c->y.unit,
                                .scale = SCALE_LINEAR, .from = NAN, .to = NAN };
        ret = draw_both(canvas, &top, &rest, fit, err);
    }
    chart_release(&own);
    return ret;
}

static int scatter_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct fitted *fit = NULL;
    struct frame f = { 0 };
    int ret = fit_all(&fit, chart, err);

    if (ret == 0 && fit && chart->residuals) {
        ret = draw_residuals(canvas, chart, fit, err);
        free(fit);
        return ret;
    }
    if (ret == 0 && data_points(chart) > DOTS_MOST) {
        ret = draw_cells(canvas, chart, fit, err);
        free(fit);
        return ret;
    }
    if (ret == 0)
        ret = scatter_lay(&f, canvas, chart, fit, false, NULL, err);
    if (ret == 0)
        draw_panels(&f, fit, NULL);
    frame_release(&f);
    free(fit);
    return ret;
}

/* Room for two. */
static double scatter_height(const struct chart *chart, double width)
{
    return chart->residuals ? fmax(0.8 * width, 90) : 0;
}

const struct chart_kind chart_scatter = {
    .name = "scatter", .summary = "points; --fit draws a curve through them, --residuals the differences from it",
    .needs = ROLE_X | ROLE_Y, .rules = true, .draw = scatter_draw, .height = scatter_height };
