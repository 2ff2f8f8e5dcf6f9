/* frame.c -- the layout of a page round the panels of a chart (frame.h).
 * 1. the page           margins from the labels and labels from the margins, until both settle
 * 2. names and legend   where the page leaves room for them
 * 3. the whole          beginning, laying out, releasing
 * Beside it: frame_data.c has scales and points, frame_axis.c labels, frame_rule.c rules, frame_draw.c what is
 * drawn. */
#include "render/figure/frame_parts.h"
#include "render/figure/panels.h"

#include <math.h>
#include <string.h>

#include "graph/base/mem.h"

#define TITLE_GAP 5.0
#define LEAST_DATA 20.0         /* width and height left to a panel whatever else there is */

struct margins {
    double left, right, top, bottom, gap;       /* gap: between panels side by side */
};

/* ---- the page ---------------------------------------------------------------------------------------- */

static double foot_height(const struct frame *f)
{
    char text[600];
    const struct text note = frame_foot(f, text);
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
    if (frame_has_bar(f))
        m->right = fmax(m->right, FRAME_PAD + LEGEND_GAP + f->bar.w + 1);
    m->right = fmax(m->right, f->want.right);
    m->bottom += foot_height(f);
}

static void frame_put_title(struct frame *f)
{
    if (!f->chart->title || !*f->chart->title)
        return;
    f->title = (struct place){ .text = { .text = f->chart->title, .size = SIZE_HEAD, .bold = true,
                                         .width = f->page.w - 2 * FRAME_PAD, .lines = 2 },
                               .x = f->page.x + FRAME_PAD, .y = f->page.y + FRAME_PAD };
    frame_measure(f, &f->title);
}

static void frame_cut(struct frame *f, const struct margins *m)
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
    f->xname = f->want.bare_x ? NULL : axis_name(f->canvas, &f->chart->x, f->xtick.exponent);
    f->yname = axis_name(f->canvas, &f->chart->y, f->ytick.exponent);
    if (frame_has_bar(f)) {
        f->bar.above = f->first.y - head_of(f);
        colour_bar_lay(&f->bar, f->canvas, panels_bottom(f) - f->first.y);
    }
}

static void release_points(struct frame *f)
{
    FREE(f->xs, f->ys, f->zs);
    f->xs = f->ys = f->zs = NULL;
}

static bool frame_grow(double *margin, double need)
{
    bool more = need > *margin + 0.01;

    *margin = fmax(*margin, need);
    return more;
}

/* Labels need room, and how much room there is decides about the labels: margins only grow from pass to pass, until the
 * last one has room for what it chose. False: too little height is left for the data. */
static bool frame_settle(struct frame *f)
{
    struct margins m = { 40, 15, 10, 40, 9 }, need;
    double rows = (double)f->rows;
    bool more = true;

    f->settled = false;
    for (int pass = 0; pass < 4 || (more && pass < 16); pass++) {
        frame_cut(f, &m);
        relabel(f);
        measure(f, &need);
        if (pass == 0)
            m = need;
        more = frame_grow(&m.left, need.left);
        more = frame_grow(&m.right, need.right) || more;
        more = frame_grow(&m.top, need.top) || more;
        more = frame_grow(&m.bottom, need.bottom) || more;
        more = frame_grow(&m.gap, need.gap) || more;
        f->settled = pass >= 2;
    }
    frame_cut(f, &m);
    relabel(f);
    return f->page.h - m.top - m.bottom - (rows - 1) * (strip_height(f) + 9) >= rows * LEAST_DATA;
}

/* On a low page labels of categories are cut shorter, and fewer names stand in the legend. */
static void settle_squeezed(struct frame *f)
{
    frame_put_title(f);
    f->squeeze = f->legend.squeeze = 1;
    legend_size(&f->legend, f->canvas, f->want.colour_bar);
    while (!frame_settle(f) && f->squeeze > 0.2) {
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

static void frame_arrange(struct frame *f)
{
    f->npanel = f->chart->npanel ? f->chart->npanel : 1;
    panels_arrange(&f->columns, &f->rows, f->chart, f->page.w - 60, f->page.h - 50, 1.3);
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
                                          .width = right - left }, .y = panels_bottom(f) + below + TITLE_GAP,
                                          .along = 0.5 };
    frame_measure(f, &f->xtitle);
    f->xtitle.x = centred((f->first.x + frame_right(f)) / 2, f->xtitle.w, left, right);
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

static void frame_put_legend(struct frame *f)
{
    struct legend *l = &f->legend;

    if (l->right) {
        l->x = f->page.x + f->page.w - FRAME_PAD - l->w;
        l->y = f->first.y;
        return;
    }
    l->x = fmax(f->page.x + FRAME_PAD, (f->first.x + frame_right(f) - l->w) / 2);
    l->x = fmin(l->x, fmax(f->page.x + FRAME_PAD, f->page.x + f->page.w - FRAME_PAD - l->w));
    l->y = f->page.y + f->page.h - FRAME_PAD - l->h - foot_height(f);
}

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
    *f = (struct frame){ .canvas = canvas, .chart = chart, .page = { 0, 0, canvas->width, canvas->height },
                         .tips = canvas->device && canvas->device->begin && chart_points(chart) <= FRAME_TIPS };
}

int frame_lay(struct frame *f, struct err *err)
{
    const struct chart *chart = f->chart;

    if (TAKE("the figure", err, ZEROS(f->xlabel, TICKS_MOST + chart->x.ncategory),
             ZEROS(f->ylabel, TICKS_MOST + chart->y.ncategory)) < 0)
        return -1;
    if (frame_gather(f, err) < 0 || (!f->want.no_legend && f->legend.n == 0 && frame_default_entries(f, err) < 0))
        return -1;
    frame_arrange(f);
    frame_fit(f);
    if (settle_rules(f, err) < 0)
        return -1;
    if (f->npanel > 1 && (f->first.w <= LEAST_DATA || f->first.h <= LEAST_DATA))
        return panels_refuse(f->npanel, f->canvas, err);
    put_xname(f);
    put_yname(f);
    frame_put_legend(f);
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
    FREE(f->xlabel, f->ylabel, f->legend.entry);
    *f = (struct frame){ 0 };
}
