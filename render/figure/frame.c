#include "render/figure/frame.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TITLE_GAP 5.0
#define LEGEND_GAP 12.0
#define LEAST_DATA 20.0         /* width and height left to a panel whatever else there is */

struct margins {
    double left, right, top, bottom, gap;       /* gap: between panels side by side */
};

/* ---- data -------------------------------------------------------------------------------------------- */

/* All coordinates of points that are there and finite; behind them the ends of their error bars. */
static int gather(struct frame *f, struct err *err)
{
    const bool z = f->want.colour_bar;
    size_t all = 0;

    for (size_t i = 0; i < f->chart->nseries; i++)
        all += f->chart->series[i].n;
    f->xs = malloc((3 * all + f->chart->nrule + 1) * sizeof *f->xs);
    f->ys = malloc((3 * all + 1) * sizeof *f->ys);
    f->zs = malloc((3 * all + 1) * sizeof *f->zs);
    if (!f->xs || !f->ys || !f->zs)
        return err_memory(err);
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
    for (size_t i = 0; i < f->chart->nseries; i++)
        for (size_t p = 0; p < f->chart->series[i].n; p++) {
            const struct datum *d = &f->chart->series[i].at[p];

            if (!isfinite(d->x) || !isfinite(d->y))
                continue;
            if (isfinite(d->lo))
                f->ys[f->drawn + f->nspread++] = d->lo;
            if (isfinite(d->hi))
                f->ys[f->drawn + f->nspread++] = d->hi;
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
    how->also = f->xs + f->drawn;
    for (size_t i = 0; f->want.rules && i < f->chart->nrule; i++)
        f->xs[f->drawn + how->nalso++] = f->chart->rule[i].x;
    scale_fit(&f->x, f->xs, f->drawn, how);
    for (size_t i = 0; f->want.rules && !f->want.bare_x && f->drawn && i < f->chart->nrule; i++)
        f->beyond += !frame_rule_inside(f, &f->chart->rule[i]);
}

/* Decides about logarithms, and keeps of the points what can be drawn: what has no place on one axis must not
 * stretch the other. */
static void fit_scales(struct frame *f)
{
    const struct axis *x = &f->chart->x, *y = &f->chart->y, *z = &f->chart->z;
    struct fit how_x = { .wanted = x->scale, .binary = true, .axis = x };
    struct fit how_z = { .wanted = z->scale, .exact = true, .axis = z };
    size_t kept = 0, all = f->drawn + f->nspread;
    bool xlog, ylog, zlog;

    f->how_y = (struct fit){ .wanted = y->scale, .bars = f->want.bars, .round = true, .binary = f->want.no_grid, .axis = y };
    xlog = !x->ncategory && scale_is_log(f->xs, f->drawn, &how_x);
    ylog = !y->ncategory && scale_is_log(f->ys, f->drawn, &f->how_y);
    zlog = f->want.colour_bar && scale_is_log(f->zs, f->drawn, &how_z);
    for (size_t i = 0; i < f->drawn; i++) {
        if ((xlog && f->xs[i] <= 0) || (ylog && f->ys[i] <= 0) || (zlog && f->zs[i] <= 0)) {
            f->negative++;
            continue;
        }
        if (outside_categories(x, f->xs[i]) || outside_categories(y, f->ys[i]))
            continue;
        f->xs[kept] = f->xs[i];
        f->zs[kept] = f->zs[i];
        f->ys[kept++] = f->ys[i];
    }
    memmove(f->ys + kept, f->ys + f->drawn, (all - f->drawn) * sizeof *f->ys);
    f->drawn = kept;
    how_x.wanted = xlog ? SCALE_LOG : SCALE_LINEAR;
    f->how_y.wanted = ylog ? SCALE_LOG : SCALE_LINEAR;
    how_z.wanted = zlog ? SCALE_LOG : SCALE_LINEAR;
    if (x->ncategory)
        scale_categories(&f->x, x->ncategory);
    else
        fit_x(f, &how_x);
    if (y->ncategory)
        scale_categories(&f->y, y->ncategory);
    f->bar.axis = z;
    scale_fit(&f->bar.scale, f->zs, kept, &how_z);
}

double frame_x(const struct frame *f, double part)
{
    return f->data.x + part * f->data.w;
}

double frame_y(const struct frame *f, double part)
{
    return f->data.y + (f->y.kind == CATEGORIES ? part : 1 - part) * f->data.h;
}

bool frame_point(const struct frame *f, double x, double y, struct rect *at)
{
    if (!isfinite(x) || !isfinite(y) || (f->x.kind == LOGARITHMIC && x <= 0) || (f->y.kind == LOGARITHMIC && y <= 0) ||
        outside_categories(&f->chart->x, x) || outside_categories(&f->chart->y, y))
        return false;
    at->x = frame_x(f, scale_at(&f->x, x));
    at->y = frame_y(f, scale_at(&f->y, y));
    return true;
}

bool frame_inside(const struct frame *f, const struct rect *at)
{
    const double eps = 1e-6;

    return at->x >= f->data.x - eps && at->x <= f->data.x + f->data.w + eps && at->y >= f->data.y - eps &&
           at->y <= f->data.y + f->data.h + eps;
}

/* ---- the page ---------------------------------------------------------------------------------------- */

/* What the foot of the page says: which points are not shown, and what the chart has to add. */
static struct text foot_text(const struct frame *f, char out[600])
{
    char infinite[40] = "", negative[80] = "", points[160] = "", rules[80] = "";

    if (f->infinite)
        snprintf(infinite, sizeof infinite, "%zu infinite", f->infinite);
    if (f->negative)
        snprintf(negative, sizeof negative, "%zu not positive, on a logarithmic axis", f->negative);
    if (f->infinite || f->negative)
        snprintf(points, sizeof points, "Points not shown: %s%s%s.%s", infinite, f->infinite && f->negative ? "; " : "",
                 negative, f->beyond || f->aside ? " " : "");
    if (f->beyond)
        snprintf(rules, sizeof rules, "Vertical lines not shown: %zu beyond the axis.%s", f->beyond, f->aside ? " " : "");
    snprintf(out, 600, "%s%s%s", points, rules, f->aside ? f->aside : "");
    return (struct text){ .text = out, .size = SIZE_NOTE, .grey = PALE, .width = f->page.w - 2 * FRAME_PAD, .lines = 3 };
}

static double foot_height(const struct frame *f)
{
    char text[600];
    const struct text note = foot_text(f, text);
    double w, h;

    if (!*text)
        return 0;
    text_measure(f->canvas, &note, &w, &h);
    return h + 2;
}

static double strip_height(const struct frame *f)
{
    return f->chart->npanel ? text_height(f->canvas, SIZE_TICK) + 3 : 0;
}

static double title_height(const struct frame *f)
{
    return f->title.h > 0 ? f->title.h + 6 : 0;
}

static bool has_bar(const struct frame *f)
{
    return f->want.colour_bar && f->drawn;
}

/* How far labels reach to each side of the panels, as laid out now. */
static void measure(const struct frame *f, struct margins *m)
{
    double left = 0, right = 0, below = 0, over_left = 0;
    const double name = TITLE_GAP + text_height(f->canvas, SIZE_TITLE);

    for (size_t i = 0; i < f->nylabel; i++)
        left = fmax(left, FRAME_TICK + FRAME_LABEL_GAP + f->ylabel[i].w);
    if (f->yname)
        left += name;
    for (size_t i = 0; i < f->nxlabel; i++) {
        const struct place *p = &f->xlabel[i];
        double c = cos(p->angle), s = sin(-p->angle);

        over_left = fmax(over_left, f->first.x - (p->x - p->along * p->w * c) + s * p->h / 2);
        right = fmax(right, p->x + (1 - p->along) * p->w * c + s * p->h / 2 - f->first.x - f->first.w);
        below = fmax(below, FRAME_TICK + FRAME_LABEL_GAP + (p->angle < 0 ? s * p->w + c * p->h : p->h));
    }
    m->gap = fmax(9, over_left + right + 6);
    m->left = fmax(FRAME_PAD + fmax(left, over_left), f->want.left);
    m->right = FRAME_PAD + fmax(right, 4);
    m->bottom = FRAME_PAD + (below > 0 ? below : FRAME_TICK) + (f->xname ? name : 0);
    m->top = FRAME_PAD + title_height(f) + fmax(text_height(f->canvas, SIZE_TICK) / 2, strip_height(f));
    if (f->legend.n && f->legend.right)
        m->right = fmax(m->right, FRAME_PAD + LEGEND_GAP + f->legend.w);
    else if (f->legend.n)
        m->bottom += f->legend.h + TITLE_GAP;
    if (has_bar(f))
        m->right = fmax(m->right, FRAME_PAD + LEGEND_GAP + f->bar.w + 1);
    m->right = fmax(m->right, f->want.right);
    m->bottom += foot_height(f);
}

static void put_title(struct frame *f)
{
    if (!f->chart->title || !*f->chart->title)
        return;
    f->title = (struct place){ .text = { .text = f->chart->title, .size = SIZE_HEAD, .bold = true,
                                         .width = f->page.w - 2 * FRAME_PAD, .lines = 2 },
                               .x = f->page.x + FRAME_PAD, .y = f->page.y + FRAME_PAD };
    frame_measure(f, &f->title);
}

static void cut(struct frame *f, const struct margins *m)
{
    const double gap_y = strip_height(f) + 9, columns = (double)f->columns, rows = (double)f->rows;

    f->first.x = f->page.x + m->left;
    f->first.y = f->page.y + m->top;
    f->first.w = fmax((f->page.w - m->left - m->right - (columns - 1) * m->gap) / columns, LEAST_DATA);
    f->first.h = fmax((f->page.h - m->top - m->bottom - (rows - 1) * gap_y) / rows, LEAST_DATA);
    f->step_x = f->first.w + m->gap;
    f->step_y = f->first.h + gap_y;
    f->margin_left = m->left;
    f->margin_right = m->right;
}

/* Right and bottom of all panels. */
static double panels_right(const struct frame *f)
{
    return f->first.x + (double)(f->columns - 1) * f->step_x + f->first.w;
}

static double panels_bottom(const struct frame *f)
{
    return f->first.y + (double)(f->rows - 1) * f->step_y + f->first.h;
}

/* Where the page begins below its title. */
static double head_of(const struct frame *f)
{
    return f->page.y + FRAME_PAD + (f->title.h > 0 ? f->title.h + 2 : 0);
}

static void relabel(struct frame *f)
{
    g_free(f->xname);
    g_free(f->yname);
    frame_label_y(f);
    frame_label_x(f);
    f->xname = f->want.bare_x ? NULL : axis_name(&f->chart->x, f->xtick.exponent);
    f->yname = axis_name(&f->chart->y, f->ytick.exponent);
    if (has_bar(f)) {
        f->bar.above = f->first.y - head_of(f);
        colour_bar_lay(&f->bar, f->canvas, panels_bottom(f) - f->first.y);
    }
}

static void release_points(struct frame *f)
{
    free(f->xs);
    free(f->ys);
    free(f->zs);
    f->xs = f->ys = f->zs = NULL;
}

static bool grow(double *margin, double need)
{
    bool more = need > *margin + 0.01;

    *margin = fmax(*margin, need);
    return more;
}

/* Labels need room, and how much room there is decides about the labels: margins only grow from pass to pass, until the
 * last one has room for what it chose. False: too little height is left for the data. */
static bool settle(struct frame *f)
{
    struct margins m = { 40, 15, 10, 40, 9 }, need;
    double rows = (double)f->rows;
    bool more = true;

    f->settled = false;
    for (int pass = 0; pass < 4 || (more && pass < 16); pass++) {
        cut(f, &m);
        relabel(f);
        measure(f, &need);
        if (pass == 0)
            m = need;
        more = grow(&m.left, need.left);
        more = grow(&m.right, need.right) || more;
        more = grow(&m.top, need.top) || more;
        more = grow(&m.bottom, need.bottom) || more;
        more = grow(&m.gap, need.gap) || more;
        f->settled = pass >= 2;
    }
    cut(f, &m);
    relabel(f);
    return f->page.h - m.top - m.bottom - (rows - 1) * (strip_height(f) + 9) >= rows * LEAST_DATA;
}

/* On a low page labels of categories are cut shorter, and fewer names stand in the legend. */
static void settle_squeezed(struct frame *f)
{
    put_title(f);
    f->squeeze = f->legend.squeeze = 1;
    legend_size(&f->legend, f->canvas, f->want.colour_bar);
    while (!settle(f) && f->squeeze > 0.2) {
        f->squeeze *= 0.8;
        f->legend.squeeze = f->squeeze;
        legend_size(&f->legend, f->canvas, f->want.colour_bar);
    }
}

/* Texts of rules that have no room make the legend longer, and what is left for the others smaller. */
static int settle_rules(struct frame *f, struct err *err)
{
    int told = 1;

    for (int pass = 0; told > 0; pass++) {
        settle_squeezed(f);
        told = frame_rules_tell(f, pass >= 3, err);
    }
    release_points(f);
    return told;
}

/* As many columns as make panels of a pleasant shape and leave few places empty. */
static void arrange(struct frame *f)
{
    double best = INFINITY;
    size_t n = f->chart->npanel;

    f->npanel = n ? n : 1;
    f->columns = f->chart->columns ? f->chart->columns : 1;
    if (f->columns > f->npanel)
        f->columns = f->npanel;
    for (size_t c = 1; !f->chart->columns && c <= f->npanel; c++) {
        size_t r = (f->npanel + c - 1) / c;
        double shape = (f->page.w - 60) / (double)c / ((f->page.h - 50) / (double)r);
        double cost = fabs(log(shape / 1.3)) + 0.5 * (double)(r * c - f->npanel) / (double)f->npanel;

        if (cost < best) {
            best = cost;
            f->columns = c;
        }
    }
    f->rows = (f->npanel + f->columns - 1) / f->columns;
}

/* ---- names and legend -------------------------------------------------------------------------------- */

/* Names of axes are centred on the data as far as the page lets them. */
static double centred(double middle, double length, double from, double to)
{
    return fmin(fmax(middle, from + length / 2), fmax(to - length / 2, from + length / 2));
}

static void put_xname(struct frame *f)
{
    const double left = f->page.x + FRAME_PAD, right = f->page.x + f->page.w - FRAME_PAD;
    double below = FRAME_TICK;

    if (!f->xname)
        return;
    for (size_t i = 0; i < f->nxlabel; i++) {
        const struct place *p = &f->xlabel[i];
        double end = p->angle < 0 ? sin(-p->angle) * p->w + cos(p->angle) * p->h / 2 : p->h;

        below = fmax(below, p->y + end - f->first.y - f->first.h);
    }
    f->xtitle = (struct place){ .text = { .text = f->xname, .size = SIZE_TITLE, .markup = true, .middle = true,
                                          .width = right - left }, .y = panels_bottom(f) + below + TITLE_GAP, .along = 0.5 };
    frame_measure(f, &f->xtitle);
    f->xtitle.x = centred((f->first.x + panels_right(f)) / 2, f->xtitle.w, left, right);
}

/* Along the height of the panels. */
static void put_yname(struct frame *f)
{
    const double from = head_of(f), to = panels_bottom(f);
    double left = f->first.x - FRAME_TICK;

    if (!f->yname)
        return;
    for (size_t i = 0; i < f->nylabel; i++)
        left = fmin(left, f->ylabel[i].x - f->ylabel[i].w);
    f->ytitle = (struct place){ .text = { .text = f->yname, .size = SIZE_TITLE, .markup = true, .middle = true,
                                          .width = to - from }, .x = left - TITLE_GAP, .along = 0.5, .across = 1,
                                .angle = -G_PI / 2 };
    frame_measure(f, &f->ytitle);
    f->ytitle.y = centred((f->first.y + to) / 2, f->ytitle.w, from, to);
}

static void put_legend(struct frame *f)
{
    struct legend *l = &f->legend;

    if (l->right) {
        l->x = f->page.x + f->page.w - FRAME_PAD - l->w;
        l->y = f->first.y;
        return;
    }
    l->x = fmax(f->page.x + FRAME_PAD, (f->first.x + panels_right(f) - l->w) / 2);
    l->x = fmin(l->x, fmax(f->page.x + FRAME_PAD, f->page.x + f->page.w - FRAME_PAD - l->w));
    l->y = f->page.y + f->page.h - FRAME_PAD - l->h - foot_height(f);
}

/* One for each name of a series, whatever panels it is in. */
int frame_default_entries(struct frame *f, struct err *err)
{
    const struct chart *c = f->chart;
    bool named = false, other = false;

    for (size_t i = 0; i < c->nseries; i++) {
        named = named || *c->series[i].name;
        other = other || strcmp(c->series[i].name, c->series[0].name) != 0;
    }
    for (size_t i = 0; (named || other) && i < c->nseries; i++) {
        const struct series *s = &c->series[i];

        if (legend_add_once(&f->legend, (struct legend_entry){ .text = s->name, .look = s->look,
                            .sample = s->over ? SAMPLE_RING : f->want.sample }, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

void frame_begin(struct frame *f, struct canvas *canvas, const struct chart *chart)
{
    *f = (struct frame){ .canvas = canvas, .chart = chart, .page = { 0, 0, canvas->width, canvas->height } };
}

int frame_lay(struct frame *f, struct err *err)
{
    const struct chart *chart = f->chart;

    f->xlabel = calloc(TICKS_MOST + chart->x.ncategory, sizeof *f->xlabel);
    f->ylabel = calloc(TICKS_MOST + chart->y.ncategory, sizeof *f->ylabel);
    if (!f->xlabel || !f->ylabel)
        return err_memory(err);
    if (gather(f, err) < 0 || (!f->want.no_legend && f->legend.n == 0 && frame_default_entries(f, err) < 0))
        return -1;
    arrange(f);
    fit_scales(f);
    if (settle_rules(f, err) < 0)
        return -1;
    if (f->npanel > 1 && (f->first.w <= LEAST_DATA || f->first.h <= LEAST_DATA))
        return err_set(err, ERR_DOMAIN, "%zu panels do not fit on %.0f x %.0f mm; choose fewer, or a larger --size",
                       f->npanel, f->canvas->width * 25.4 / 72, f->canvas->height * 25.4 / 72);
    put_xname(f);
    put_yname(f);
    put_legend(f);
    f->data = f->first;
    return 0;
}

void frame_release(struct frame *f)
{
    release_points(f);
    g_free(f->xname);
    g_free(f->yname);
    colour_bar_release(&f->bar);
    frame_rules_release(f);
    free(f->xlabel);
    free(f->ylabel);
    free(f->legend.entry);
    *f = (struct frame){ 0 };
}

static void enter(struct frame *f, size_t panel)
{
    f->data = f->first;
    f->data.x += (double)(panel % f->columns) * f->step_x;
    f->data.y += (double)(panel / f->columns) * f->step_y;
}

/* Where a range was asked for, what lies beyond is cut off; elsewhere marks may stand on the edge. */
void frame_panel(struct frame *f, size_t panel)
{
    const struct axis *x = &f->chart->x, *y = &f->chart->y;
    const double mx = isnan(x->from) && isnan(x->to) ? 5 : 0, my = isnan(y->from) && isnan(y->to) ? 5 : 0;

    enter(f, panel);
    canvas_clip(f->canvas, &(struct rect){ f->data.x - mx, f->data.y - my, f->data.w + 2 * mx, f->data.h + 2 * my });
}

void frame_panel_end(struct frame *f)
{
    canvas_unclip(f->canvas);
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

static void line(struct canvas *c, double x0, double y0, double x1, double y1)
{
    canvas_move(c, x0, y0);
    canvas_line(c, x1, y1);
}

static void stroke(struct canvas *c, double width, double level)
{
    const struct pen pen = pen_grey(width, level);

    canvas_stroke(c, &pen);
}

static void draw_grid(const struct frame *f)
{
    struct canvas *c = f->canvas;
    const double x0 = f->data.x, x1 = f->data.x + f->data.w;

    for (size_t i = 0; i < f->ytick.n; i++)
        line(c, x0, frame_y(f, f->ytick.major[i].at), x1, frame_y(f, f->ytick.major[i].at));
    stroke(c, 0.6, FAINT);
    if (f->y.kind == LINEAR && f->y.lo < 0 && f->y.hi > 0) {
        line(c, x0, frame_y(f, scale_at(&f->y, 0)), x1, frame_y(f, scale_at(&f->y, 0)));
        stroke(c, 0.6, PALE);
    }
}

static void draw_axes(const struct frame *f)
{
    struct canvas *c = f->canvas;
    const double x0 = f->data.x, y0 = f->data.y + f->data.h;
    const bool xnumbers = f->drawn && !f->chart->x.ncategory, ynumbers = f->drawn && !f->chart->y.ncategory;

    line(c, x0, f->data.y, x0, y0);
    line(c, x0, y0, x0 + f->data.w, y0);
    for (size_t i = 0; ynumbers && i < f->ytick.n; i++)
        line(c, x0 - FRAME_TICK, frame_y(f, f->ytick.major[i].at), x0, frame_y(f, f->ytick.major[i].at));
    for (size_t i = 0; xnumbers && i < f->xtick.n; i++)
        line(c, frame_x(f, f->xtick.major[i].at), y0, frame_x(f, f->xtick.major[i].at), y0 + FRAME_TICK);
    for (size_t i = 0; !f->want.bars && f->chart->x.ncategory && i < f->nxlabel; i++) {
        double x = f->xlabel[i].x - f->first.x + x0;

        line(c, x, y0, x, y0 + FRAME_TICK);
    }
    stroke(c, 0.8, INK);
    for (size_t i = 0; ynumbers && i < f->ytick.nminor; i++)
        line(c, x0 - FRAME_TICK / 2, frame_y(f, f->ytick.minor[i]), x0, frame_y(f, f->ytick.minor[i]));
    for (size_t i = 0; xnumbers && i < f->xtick.nminor; i++)
        line(c, frame_x(f, f->xtick.minor[i]), y0, frame_x(f, f->xtick.minor[i]), y0 + FRAME_TICK / 2);
    stroke(c, 0.6, INK);
}

static void draw_place(const struct frame *f, const struct place *p, double dx, double dy)
{
    if (p->text.text)
        text_put(f->canvas, &p->text, p->x + dx, p->y + dy, p->along, p->across, p->angle);
}

/* Labels stand left of the first panel of a row and below the last one of a column. */
static void draw_panel_labels(const struct frame *f, size_t panel)
{
    const double dx = f->data.x - f->first.x, dy = f->data.y - f->first.y;

    for (size_t i = 0; panel + f->columns >= f->npanel && i < f->nxlabel; i++)
        draw_place(f, &f->xlabel[i], dx, dy);
    for (size_t i = 0; panel % f->columns == 0 && i < f->nylabel; i++)
        draw_place(f, &f->ylabel[i], dx, dy);
    if (f->chart->npanel) {
        const struct text t = { .text = f->chart->panel[panel], .size = SIZE_TICK, .width = f->data.w, .middle = true,
                                .bold = true };

        text_put(f->canvas, &t, f->data.x + f->data.w / 2, f->data.y - 3, 0.5, 1, 0);
    }
}

static void draw_foot(const struct frame *f)
{
    char text[600];
    const struct text note = foot_text(f, text);

    if (*text)
        text_put(f->canvas, &note, f->page.x + FRAME_PAD, f->page.y + f->page.h - FRAME_PAD + 1, 0, 1, 0);
}

void frame_draw(struct frame *f)
{
    const struct text none = { .text = "no data", .size = SIZE_HEAD, .grey = PALE };

    canvas_begin(f->canvas, "axes", NULL);
    for (size_t i = 0; i < f->npanel; i++) {
        enter(f, i);
        if (f->drawn && !f->want.no_grid)
            draw_grid(f);
        draw_axes(f);
        draw_panel_labels(f, i);
        if (!f->drawn)
            text_put(f->canvas, &none, f->data.x + f->data.w / 2, f->data.y + f->data.h / 2, 0.5, 0.5, 0);
    }
    draw_place(f, &f->title, 0, 0);
    draw_place(f, &f->xtitle, 0, 0);
    draw_place(f, &f->ytitle, 0, 0);
    if (has_bar(f))
        colour_bar_draw(&f->bar, f->canvas, panels_right(f) + LEGEND_GAP, f->first.y);
    canvas_end(f->canvas);
    if (f->legend.n) {
        canvas_begin(f->canvas, "legend", NULL);
        legend_draw(&f->legend, f->canvas);
        canvas_end(f->canvas);
    }
    draw_foot(f);
    enter(f, 0);
}
