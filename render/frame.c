#include "render/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PAD 7.0                 /* around the page */
#define TICK 3.5
#define LABEL_GAP 3.0           /* between a tick and its label */
#define TITLE_GAP 5.0
#define LEGEND_GAP 12.0
#define NOTE_ROW 10.0
#define LEAST_DATA 20.0         /* width and height left to the data whatever else there is */

struct margins {
    double left, right, top, bottom;
};

/* ---- data -------------------------------------------------------------------------------------------- */

/* All coordinates of points that are there and finite. */
static int gather(struct frame *f, struct err *err)
{
    size_t all = 0;

    for (size_t i = 0; i < f->chart->nseries; i++)
        all += f->chart->series[i].n;
    f->xs = malloc((all + 1) * sizeof *f->xs);
    f->ys = malloc((all + 1) * sizeof *f->ys);
    if (!f->xs || !f->ys)
        return err_memory(err);
    for (size_t i = 0; i < f->chart->nseries; i++) {
        const struct series *s = &f->chart->series[i];

        for (size_t p = 0; p < s->n; p++) {
            if (isnan(s->x[p]) || isnan(s->y[p]))
                continue;
            if (isinf(s->x[p]) || isinf(s->y[p])) {
                f->infinite++;
                continue;
            }
            f->xs[f->drawn] = s->x[p];
            f->ys[f->drawn++] = s->y[p];
        }
    }
    return 0;
}

/* Decides about logarithms, and keeps of the points what can be drawn: what has no place on one axis must not
 * stretch the other. */
static void fit_scales(struct frame *f)
{
    const struct axis *x = &f->chart->x;
    struct fit how_x = { .wanted = x->scale, .binary = true };
    size_t kept = 0;
    bool xlog, ylog;

    f->how_y = (struct fit){ .wanted = f->chart->y.scale, .bars = f->bars, .round = true };
    xlog = !x->ncategory && scale_is_log(f->xs, f->drawn, &how_x);
    ylog = scale_is_log(f->ys, f->drawn, &f->how_y);
    for (size_t i = 0; i < f->drawn; i++) {
        if ((xlog && f->xs[i] <= 0) || (ylog && f->ys[i] <= 0)) {
            f->negative++;
            continue;
        }
        if (x->ncategory && !(f->xs[i] > -0.5 && f->xs[i] < (double)x->ncategory - 0.5))
            continue;
        f->xs[kept] = f->xs[i];
        f->ys[kept++] = f->ys[i];
    }
    f->drawn = kept;
    how_x.wanted = xlog ? SCALE_LOG : SCALE_LINEAR;
    f->how_y.wanted = ylog ? SCALE_LOG : SCALE_LINEAR;
    if (x->ncategory)
        scale_categories(&f->x, x->ncategory);
    else
        scale_fit(&f->x, f->xs, kept, &how_x);
}

bool frame_point(const struct frame *f, double x, double y, struct rect *at)
{
    double px, py;

    if (!isfinite(x) || !isfinite(y) || (f->x.kind == LOGARITHMIC && x <= 0) || (f->y.kind == LOGARITHMIC && y <= 0))
        return false;
    px = scale_at(&f->x, x);
    py = scale_at(&f->y, y);
    if (px < -1e-9 || px > 1 + 1e-9 || py < -1e-9 || py > 1 + 1e-9)
        return false;
    at->x = f->data.x + px * f->data.w;
    at->y = f->data.y + (1 - py) * f->data.h;
    return true;
}

/* ---- labels ------------------------------------------------------------------------------------------ */

static double label_width(void *canvas, const char *markup)
{
    struct text t = { .text = markup, .size = SIZE_TICK, .markup = true };
    double w, h;

    text_measure(canvas, &t, &w, &h);
    return w;
}

static double label_height(void *canvas, const char *markup)
{
    (void)canvas;
    (void)markup;
    return text_height(SIZE_TICK);
}

static void place(struct frame *f, struct place *p)
{
    text_measure(f->canvas, &p->text, &p->w, &p->h);
}

static struct ruler y_ruler(const struct frame *f, double length)
{
    return (struct ruler){ length, 5, 26, label_height, f->canvas };
}

static void label_y(struct frame *f)
{
    struct ruler r = y_ruler(f, f->data.h);

    f->nylabel = 0;
    if (f->xs) {                        /* the height, and with it the step of the ticks, is not settled yet */
        f->how_y.most = ticks_wanted(&r);
        scale_fit(&f->y, f->ys, f->drawn, &f->how_y);
    }
    if (!f->drawn)
        return;
    ticks_choose(&f->ytick, &f->y, &r);
    for (size_t i = 0; i < f->ytick.n; i++) {
        struct place *p = &f->ylabel[f->nylabel];

        if (!f->ytick.major[i].label[0])
            continue;
        *p = (struct place){ .text = { .text = f->ytick.major[i].label, .size = SIZE_TICK, .markup = true },
                             .x = f->data.x - TICK - LABEL_GAP,
                             .y = f->data.y + (1 - f->ytick.major[i].at) * f->data.h, .along = 1, .across = 0.5 };
        place(f, p);
        f->nylabel++;
    }
}

static void label_x_numbers(struct frame *f)
{
    struct ruler r = { f->data.w, 7, 36, label_width, f->canvas };

    ticks_choose(&f->xtick, &f->x, &r);
    for (size_t i = 0; i < f->xtick.n; i++) {
        struct place *p = &f->xlabel[f->nxlabel];

        if (!f->xtick.major[i].label[0])
            continue;
        *p = (struct place){ .text = { .text = f->xtick.major[i].label, .size = SIZE_TICK, .markup = true },
                             .x = f->data.x + f->xtick.major[i].at * f->data.w,
                             .y = f->data.y + f->data.h + TICK + LABEL_GAP, .along = 0.5, .across = 0 };
        place(f, p);
        f->nxlabel++;
    }
}

/* Do names begin with digits? Then those between can be told from their neighbours, and are better left out than
 * turned. */
static bool are_numbers(const struct axis *a)
{
    for (size_t i = 0; i < a->ncategory; i++) {
        char *end;

        strtod(a->category[i], &end);
        if (end == a->category[i])
            return false;
    }
    return true;
}

/* Every `stride`-th category, turned by `angle`. */
static void put_categories(struct frame *f, size_t stride, double angle, double width)
{
    double each = f->data.w / (double)f->chart->x.ncategory;

    f->nxlabel = 0;
    for (size_t i = 0; i < f->chart->x.ncategory; i += stride) {
        struct place *p = &f->xlabel[f->nxlabel++];

        *p = (struct place){ .text = { .text = f->chart->x.category[i], .size = SIZE_TICK, .width = width,
                                       .middle = true },         /* long names often differ at the end */
                             .x = f->data.x + ((double)i + 0.5) * each,
                             .y = f->data.y + f->data.h + TICK + LABEL_GAP, .angle = angle };
        p->along = angle < 0 ? 1 : 0.5;         /* turned ones end at their tick */
        p->across = angle < 0 ? 0.5 : 0;
        if (angle < 0)
            p->y += 0.35 * SIZE_TICK * sin(G_PI / 2 + angle);
        place(f, p);
    }
}

static double widest_category(struct frame *f, size_t stride)
{
    double most = 0;

    for (size_t i = 0; i < f->chart->x.ncategory; i += stride) {
        struct text t = { .text = f->chart->x.category[i], .size = SIZE_TICK };
        double w, h;

        text_measure(f->canvas, &t, &w, &h);
        most = fmax(most, w);
    }
    return most;
}

/* Level where there is room; else numbers thinned out, and names turned: by half a right angle, by a whole one,
 * and then thinned out too. */
static void label_x_categories(struct frame *f)
{
    double each = f->data.w / (double)f->chart->x.ncategory, high = text_height(SIZE_TICK);
    double most = 0.30 * f->canvas->height;
    size_t stride = 1;

    if (are_numbers(&f->chart->x))
        while (widest_category(f, stride) + 5 > each * (double)stride && stride < f->chart->x.ncategory)
            stride++;
    if (widest_category(f, stride) + 5 <= each * (double)stride || f->chart->x.ncategory == 1) {
        put_categories(f, stride, 0, f->chart->x.ncategory == 1 ? f->data.w : 0);
    } else if (each * sin(G_PI / 4) >= high + 1) {
        put_categories(f, 1, -G_PI / 4, fmin(most / sin(G_PI / 4), widest_category(f, 1) + 1));
    } else {
        stride = (size_t)fmax(1, ceil((high + 1) / each));
        put_categories(f, stride, -G_PI / 2, fmin(most, widest_category(f, stride) + 1));
    }
}

static void label_x(struct frame *f)
{
    f->nxlabel = 0;
    if (f->chart->x.ncategory)
        label_x_categories(f);
    else if (f->drawn)
        label_x_numbers(f);
}

/* "Mean length [10^3 hops]" as markup. */
static char *axis_title(const struct axis *a, int exponent)
{
    char *title = a->title && *a->title ? markup_of(a->title) : NULL;
    char *unit = a->unit && *a->unit ? markup_of(a->unit) : NULL;
    char *factor = NULL, *all = NULL;

    if (exponent)
        factor = g_strdup_printf("10<span size=\"70%%\" rise=\"3300\">%s%d</span>", exponent < 0 ? "\xe2\x88\x92" : "",
                                 abs(exponent));
    if (unit || factor)
        all = g_strdup_printf("%s%s[%s%s%s]", title ? title : "", title ? " " : "", factor ? factor : "",
                              unit && factor ? " " : "", unit ? unit : "");
    else if (title)
        all = g_strdup(title);
    g_free(title);
    g_free(unit);
    g_free(factor);
    return all;
}

/* ---- the page ---------------------------------------------------------------------------------------- */

static bool has_note(const struct frame *f)
{
    return f->infinite || f->negative;
}

/* How far labels reach to each side of the data, as laid out now. */
static void measure(const struct frame *f, struct margins *m)
{
    double left = 0, right = 0, below = 0;

    for (size_t i = 0; i < f->nylabel; i++)
        left = fmax(left, TICK + LABEL_GAP + f->ylabel[i].w);
    if (f->yname)
        left += TITLE_GAP + text_height(SIZE_TITLE);
    for (size_t i = 0; i < f->nxlabel; i++) {
        const struct place *p = &f->xlabel[i];
        double c = cos(p->angle), s = sin(-p->angle);

        left = fmax(left, f->data.x - (p->x - p->along * p->w * c));
        right = fmax(right, p->x + (1 - p->along) * p->w * c - f->data.x - f->data.w);
        below = fmax(below, TICK + LABEL_GAP + (p->angle < 0 ? s * p->w + c * p->h : p->h));
    }
    if (below == 0)
        below = TICK;
    m->left = PAD + left;
    m->right = PAD + fmax(right, 4);
    m->bottom = PAD + below + (f->xname ? TITLE_GAP + text_height(SIZE_TITLE) : 0);
    m->top = PAD + text_height(SIZE_TICK) / 2;
    if (f->legend.shown && f->legend.right)
        m->right = fmax(m->right, PAD + LEGEND_GAP + f->legend.w);
    else if (f->legend.shown)
        m->bottom += f->legend.h + TITLE_GAP;
    if (has_note(f))
        m->bottom += NOTE_ROW;
}

static void put_title(struct frame *f)
{
    if (!f->chart->title || !*f->chart->title)
        return;
    f->title = (struct place){ .text = { .text = f->chart->title, .size = SIZE_HEAD, .bold = true,
                                         .width = f->canvas->width - 2 * PAD, .lines = 2 }, .x = PAD, .y = PAD };
    place(f, &f->title);
}

static void cut(struct frame *f, const struct margins *m)
{
    f->data.x = m->left;
    f->data.y = m->top;
    f->data.w = fmax(f->canvas->width - m->left - m->right, LEAST_DATA);
    f->data.h = fmax(f->canvas->height - m->top - m->bottom, LEAST_DATA);
}

static void relabel(struct frame *f)
{
    g_free(f->xname);
    g_free(f->yname);
    label_y(f);
    label_x(f);
    f->xname = axis_title(&f->chart->x, f->xtick.exponent);
    f->yname = axis_title(&f->chart->y, f->ytick.exponent);
}

static void release_points(struct frame *f)
{
    free(f->xs);
    free(f->ys);
    f->xs = f->ys = NULL;
}

/* Labels need room, and how much room there is decides about the labels: margins only grow from pass to pass, so
 * that the last one has room for what it chose. */
static void settle(struct frame *f)
{
    struct margins m = { 40, 15, 10, 40 }, need;
    double title;

    put_title(f);
    title = f->title.h > 0 ? f->title.h + 6 : 0;
    for (int pass = 0; pass < 4; pass++) {
        cut(f, &m);
        relabel(f);
        measure(f, &need);
        need.top += title;
        if (pass == 0)
            m = need;
        m.left = fmax(m.left, need.left);
        m.right = fmax(m.right, need.right);
        m.top = fmax(m.top, need.top);
        m.bottom = fmax(m.bottom, need.bottom);
        if (pass == 2)
            release_points(f);
    }
    cut(f, &m);
    relabel(f);
}

/* Names of axes are centred on the data as far as the page lets them. */
static double centred(double middle, double length, double from, double to)
{
    return fmin(fmax(middle, from + length / 2), fmax(to - length / 2, from + length / 2));
}

static void put_xtitle(struct frame *f)
{
    double below = f->data.y + f->data.h + TICK;

    if (!f->xname)
        return;
    for (size_t i = 0; i < f->nxlabel; i++) {
        const struct place *p = &f->xlabel[i];
        double end = p->angle < 0 ? sin(-p->angle) * p->w + cos(p->angle) * p->h / 2 : p->h;

        below = fmax(below, p->y + end);
    }
    f->xtitle = (struct place){ .text = { .text = f->xname, .size = SIZE_TITLE, .markup = true, .middle = true,
                                          .width = f->canvas->width - 2 * PAD }, .y = below + TITLE_GAP, .along = 0.5 };
    place(f, &f->xtitle);
    f->xtitle.x = centred(f->data.x + f->data.w / 2, f->xtitle.w, PAD, f->canvas->width - PAD);
}

static void put_ytitle(struct frame *f)
{
    double from = PAD + (f->title.h > 0 ? f->title.h + 2 : 0), to = f->data.y + f->data.h, beside = f->data.x - TICK;

    if (!f->yname)
        return;
    for (size_t i = 0; i < f->nylabel; i++)
        beside = fmin(beside, f->ylabel[i].x - f->ylabel[i].w);
    f->ytitle = (struct place){ .text = { .text = f->yname, .size = SIZE_TITLE, .markup = true, .middle = true,
                                          .width = to - from }, .x = beside - TITLE_GAP, .along = 0.5, .across = 1,
                                .angle = -G_PI / 2 };
    place(f, &f->ytitle);
    f->ytitle.y = centred(f->data.y + f->data.h / 2, f->ytitle.w, from, to);
}

static void put_legend(struct frame *f)
{
    struct legend *l = &f->legend;

    if (l->right) {
        l->x = f->canvas->width - PAD - l->w;
        l->y = f->data.y;
        return;
    }
    l->x = fmax(PAD, f->data.x + (f->data.w - l->w) / 2);
    l->x = fmin(l->x, fmax(PAD, f->canvas->width - PAD - l->w));
    l->y = f->canvas->height - PAD - l->h - (has_note(f) ? NOTE_ROW : 0);
}

int frame_lay(struct frame *f, struct canvas *canvas, const struct chart *chart, bool bars, struct err *err)
{
    *f = (struct frame){ .canvas = canvas, .chart = chart, .bars = bars };
    f->xlabel = calloc(TICKS_MOST + chart->x.ncategory, sizeof *f->xlabel);
    f->ylabel = calloc(TICKS_MOST, sizeof *f->ylabel);
    if (!f->xlabel || !f->ylabel)
        return err_memory(err);
    if (gather(f, err) < 0)
        return -1;
    legend_size(&f->legend, canvas, chart, bars ? SWATCH_BAR : SWATCH_LINE);
    fit_scales(f);
    settle(f);
    put_xtitle(f);
    put_ytitle(f);
    put_legend(f);
    return 0;
}

void frame_release(struct frame *f)
{
    release_points(f);
    g_free(f->xname);
    g_free(f->yname);
    free(f->xlabel);
    free(f->ylabel);
    *f = (struct frame){ 0 };
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

static void line(cairo_t *cr, double x0, double y0, double x1, double y1)
{
    cairo_move_to(cr, x0, y0);
    cairo_line_to(cr, x1, y1);
}

static void stroke(cairo_t *cr, double width, double grey)
{
    cairo_set_line_width(cr, width);
    cairo_set_source_rgb(cr, grey, grey, grey);
    cairo_stroke(cr);
}

static void draw_grid(const struct frame *f)
{
    cairo_t *cr = f->canvas->cr;

    for (size_t i = 0; f->drawn && i < f->ytick.n; i++) {
        double y = f->data.y + (1 - f->ytick.major[i].at) * f->data.h;

        line(cr, f->data.x, y, f->data.x + f->data.w, y);
    }
    stroke(cr, 0.6, FAINT);
    if (f->drawn && f->y.kind == LINEAR && f->y.lo < 0 && f->y.hi > 0) {
        double y = f->data.y + (1 - scale_at(&f->y, 0)) * f->data.h;

        line(cr, f->data.x, y, f->data.x + f->data.w, y);
        stroke(cr, 0.6, PALE);
    }
}

static void draw_axes(const struct frame *f)
{
    cairo_t *cr = f->canvas->cr;
    double x0 = f->data.x, y0 = f->data.y + f->data.h;

    line(cr, x0, f->data.y, x0, y0);
    line(cr, x0, y0, x0 + f->data.w, y0);
    for (size_t i = 0; f->drawn && i < f->ytick.n; i++)
        line(cr, x0 - TICK, y0 - f->ytick.major[i].at * f->data.h, x0, y0 - f->ytick.major[i].at * f->data.h);
    for (size_t i = 0; f->drawn && !f->chart->x.ncategory && i < f->xtick.n; i++)
        line(cr, x0 + f->xtick.major[i].at * f->data.w, y0, x0 + f->xtick.major[i].at * f->data.w, y0 + TICK);
    for (size_t i = 0; !f->bars && f->chart->x.ncategory && i < f->nxlabel; i++)
        line(cr, f->xlabel[i].x, y0, f->xlabel[i].x, y0 + TICK);
    stroke(cr, 0.8, INK);
    for (size_t i = 0; f->drawn && i < f->ytick.nminor; i++)
        line(cr, x0 - TICK / 2, y0 - f->ytick.minor[i] * f->data.h, x0, y0 - f->ytick.minor[i] * f->data.h);
    for (size_t i = 0; f->drawn && !f->chart->x.ncategory && i < f->xtick.nminor; i++)
        line(cr, x0 + f->xtick.minor[i] * f->data.w, y0, x0 + f->xtick.minor[i] * f->data.w, y0 + TICK / 2);
    stroke(cr, 0.6, INK);
}

static void draw_place(const struct frame *f, const struct place *p)
{
    if (p->text.text)
        text_put(f->canvas, &p->text, p->x, p->y, p->along, p->across, p->angle);
}

static void draw_labels(const struct frame *f)
{
    for (size_t i = 0; i < f->nxlabel; i++)
        draw_place(f, &f->xlabel[i]);
    for (size_t i = 0; i < f->nylabel; i++)
        draw_place(f, &f->ylabel[i]);
    draw_place(f, &f->title);
    draw_place(f, &f->xtitle);
    draw_place(f, &f->ytitle);
}

static void draw_notes(const struct frame *f)
{
    struct text none = { .text = "no data", .size = SIZE_HEAD, .grey = PALE };
    struct text note = { .size = SIZE_NOTE, .grey = PALE };
    char text[200], infinite[40] = "", negative[80] = "";

    if (!f->drawn)
        text_put(f->canvas, &none, f->data.x + f->data.w / 2, f->data.y + f->data.h / 2, 0.5, 0.5, 0);
    if (!has_note(f))
        return;
    if (f->infinite)
        snprintf(infinite, sizeof infinite, "%zu infinite", f->infinite);
    if (f->negative)
        snprintf(negative, sizeof negative, "%zu not positive, on a logarithmic axis", f->negative);
    snprintf(text, sizeof text, "Points not shown: %s%s%s.", infinite, f->infinite && f->negative ? "; " : "",
             negative);
    note.text = text;
    note.width = f->canvas->width - 2 * PAD;
    text_put(f->canvas, &note, PAD, f->canvas->height - PAD + 1, 0, 1, 0);
}

void frame_draw(struct frame *f, void (*swatch)(struct canvas *, size_t look, const struct rect *))
{
    draw_grid(f);
    draw_axes(f);
    draw_labels(f);
    draw_notes(f);
    legend_draw(&f->legend, f->canvas, f->chart, swatch);
}
