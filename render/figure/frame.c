/* frame.c -- the layout of a page round the panels of a chart (frame.h).
 * 1. the page           margins from the labels and labels from the margins, until both settle
 * 2. names and legend   where the page leaves room for them
 * 3. the whole          beginning, laying out, releasing
 * Beside it: frame_data.c has scales, points and y axes, frame_axis.c labels, frame_rule.c rules, frame_room.c names
 * among the data, frame_draw.c what is drawn. */
#include "render/figure/frame_parts.h"
#include "render/figure/panels.h"

#include <glib.h>

#define TITLE_GAP 5.0
#define SHARE 0.56              /* of a narrow page that panels are to have, where it may grow */
#define TALLEST 1.5             /* a page that grows, in widths */
#define LEAST_SHARE 0.4         /* of the page's width, beside a legend that was asked to stand there */
#define LEAST_DATA 20.0         /* width and height left to a panel whatever else there is */

struct margins {
    double left, right, top, bottom, gap;       /* gap: between panels side by side */
};

/* ---- the page ---------------------------------------------------------------------------------------- */

static double foot_height(const struct frame *f)
{
    char text[FOOT_ROOM];
    const struct text note = frame_foot(f, text);

    return *text ? text_high(f->canvas, &note) + 2 : 0;
}

static bool narrow(const struct frame *f)
{
    return f->canvas->width < PAGE_NARROW;
}

/* Between labels, names of axes and legend. */
static double name_gap(const struct frame *f)
{
    return narrow(f) ? 2 : TITLE_GAP;
}

static double strip_height(const struct frame *f)
{
    return f->chart->npanel ? f->strip + 3 : 0;
}

static double title_height(const struct frame *f)
{
    return f->title.h > 0 ? f->title.h + 6 : 0;
}

/* How far labels of y axes reach. */
static double measure_left(const struct frame *f)
{
    double left = f->tick;

    for (size_t k = 0; k < f->nside && !f->above; k++)
        for (size_t i = 0; i < f->side[k].nlabel; i++)
            left = fmax(left, f->tick + f->gap + f->side[k].label[i].w);
    return left;
}

/* How far labels reach to each side of the panels, as laid out now. */
static void measure(const struct frame *f, struct margins *m)
{
    double left = measure_left(f), right = 0, below = 0, over_left = 0, name_h = 0;

    for (size_t i = 0; i < f->nside; i++)
        name_h = fmax(name_h, f->side[i].name_h);
    left += name_h > 0 && !f->on_top ? name_gap(f) + name_h : 0;
    for (size_t i = 0; i < f->nxlabel; i++) {
        const struct place *p = &f->xlabel[i];
        double c = cos(p->angle), s = sin(-p->angle);

        over_left = fmax(over_left, f->first.x - (p->x - p->along * p->w * c) + s * p->h / 2);
        right = fmax(right, p->x + (1 - p->along) * p->w * c + s * p->h / 2 - f->first.x - f->first.w);
        below = fmax(below, f->tick + f->gap + (p->angle < 0 ? s * p->w + c * p->h : p->h));
    }
    m->gap = fmax(9, over_left + right + 6);
    m->left = fmax(f->pad + fmax(left, over_left), f->want.left);
    m->right = f->pad + fmax(right, narrow(f) ? 1 : 4);
    m->bottom = f->pad + (below > 0 ? below : f->tick) + (f->xname_h > 0 ? name_gap(f) + f->xname_h : 0);
    m->top = f->pad + title_height(f) + (f->on_top ? f->up->name_h : 0) +
        fmax(text_height(f->canvas, SIZE_TICK) / 2, strip_height(f));
    if (f->legend.place == LEGEND_RIGHT)
        m->right = fmax(m->right, f->pad + LEGEND_GAP + f->legend.w);
    else if (f->legend.place == LEGEND_BELOW && f->legend.nshown)
        m->bottom += f->legend.h + name_gap(f);
    if (f->beside)
        m->right = fmax(m->right, f->pad + frame_names_width(f));
    if (frame_has_bar(f) && f->bar_below) {
        m->right = fmax(m->right, f->bar.beyond);
        m->bottom += f->bar.w + name_gap(f);
    } else if (frame_has_bar(f)) {
        m->right = fmax(m->right, f->pad + LEGEND_GAP + f->bar.w + 1);
    }
    m->right = fmax(m->right, f->want.right);
    m->bottom += foot_height(f);
}

static void frame_put_title(struct frame *f)
{
    if (!f->chart->title || !*f->chart->title)
        return;
    f->title = (struct place){ .text = { .text = f->chart->title, .size = SIZE_HEAD, .bold = true,
                                         .width = f->page.w - 2 * f->pad, .lines = 2 },
                               .x = f->page.x + f->pad, .y = f->page.y + f->pad };
    frame_measure(f, &f->title);
}

static void frame_cut(struct frame *f, const struct margins *m)
{
    const double gap_y = strip_height(f) + 9, columns = (double)f->columns, rows = (double)f->rows;

    f->first.x = f->page.x + m->left;
    f->first.y = f->page.y + m->top;
    f->first.w = fmax((f->page.w - m->left - m->right - (columns - 1) * m->gap) / columns, LEAST_DATA);
    f->first.h = fmax((f->page.h - m->top - m->bottom - (rows - 1) * gap_y) / rows, LEAST_DATA);
    f->spare_w = f->want.square ? fmax(f->first.w - f->first.h, 0) : 0;
    f->spare_h = f->want.square ? fmax(f->first.h - f->first.w, 0) : 0;
    f->first.w -= f->spare_w;
    f->first.h -= f->spare_h;
    f->first.x += columns * f->spare_w / 2;
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
    return f->page.y + f->pad + (f->title.h > 0 ? f->title.h + 2 : 0);
}

static double word_width(const struct frame *f, const char *text, size_t len)
{
    char *word = g_strndup(text, len);
    const struct text t = { .text = word, .size = SIZE_TITLE };
    const double w = text_width(f->canvas, &t);

    g_free(word);
    return w;
}

/* Do the words of an axis' name have room in two lines of that width? */
static bool two_lines_do(const struct frame *f, const struct axis *a, double width)
{
    const char *part[] = { a->title, a->unit };
    const double space = word_width(f, "[", 1);
    double at = 0;
    int lines = 1;

    for (int k = 0; k < 2; k++)
        for (const char *w = part[k]; w && *w;) {
            const size_t len = strcspn(w, " ");
            const double wide = word_width(f, w, len) + (k ? space : 0);

            if (wide > width || (at > 0 && at + space + wide > width && ++lines > 2))
                return false;
            at = at > 0 && at + space + wide <= width ? at + space + wide : wide;
            w += len + strspn(w + len, " ");
        }
    return true;
}

/* The name of an axis, which takes a second line rather than be cut. */
static struct text axis_text(const char *name, double width)
{
    return (struct text){ .text = name, .size = SIZE_TITLE, .markup = true, .width = fmax(width, LEAST_DATA),
                          .lines = 2 };
}

static double axis_text_height(const struct frame *f, const char *name, double width)
{
    const struct text t = axis_text(name, width);

    return name ? text_high(f->canvas, &t) : 0;
}

/* The y axis of all panels, or of the one that is present. */
static void relabel_y(struct frame *f, size_t panel)
{
    const struct axis *a = frame_own_axis(f, panel);
    const double high = f->own ? f->first.h : panels_bottom(f) - head_of(f);

    g_free(f->up->name);
    frame_label_y(f);
    f->up->name = axis_name(f->canvas, a, f->up->tick.exponent);
    if (narrow(f) && !f->own && !f->on_top && f->up->name)
        f->on_top = !two_lines_do(f, a, high) &&
            text_width(f->canvas, &(struct text){ .text = f->up->name, .size = SIZE_TITLE, .markup = true }) > high;
    f->up->name_h = axis_text_height(f, f->up->name, f->on_top ? f->page.w - 2 * f->pad : high);
}

static void relabel(struct frame *f)
{
    g_free(f->xname);
    f->shortened = 0;
    for (size_t p = 0; p < f->nside; p++) {
        f->up = &f->side[p];
        relabel_y(f, p);
    }
    frame_label_x(f);
    f->xname = f->want.bare_x ? NULL : axis_name(f->canvas, &f->chart->x, f->xtick.exponent);
    f->strip = 0;
    for (size_t i = 0; i < f->chart->npanel; i++) {
        const struct text t = frame_panel_title(f, i);

        f->strip = fmax(f->strip, text_high(f->canvas, &t));
    }
    f->xname_h = axis_text_height(f, f->xname, f->page.w - 2 * f->pad);
    if (frame_has_bar(f) && f->bar_below) {
        colour_bar_lay(&f->bar, f->canvas, frame_right(f) - f->first.x, true);
    } else if (frame_has_bar(f)) {
        f->bar.above = f->first.y - head_of(f);
        colour_bar_lay(&f->bar, f->canvas, panels_bottom(f) - f->first.y, false);
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
    struct margins m = { 40, 15, 10, 40, 9 }, need;      /* to begin with */
    double rows = (double)f->rows;
    bool more = true;

    f->settled = f->on_top = false;
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
    f->terse = false;
    while (!frame_settle(f) && f->squeeze > 0.2) {
        f->squeeze *= 0.8;
        f->terse = f->squeeze < 0.5;
        f->legend.squeeze = f->squeeze;
        legend_size(&f->legend, f->canvas, f->want.colour_bar);
    }
}

/* Texts of rules that have no room make the legend longer, and what is left for the others smaller. 1: done; 0: names
 * have no place where they were to stand. */
static int settle_rules(struct frame *f, struct err *err)
{
    int told = 1;

    for (int pass = 0; told > 0; pass++) {
        settle_squeezed(f);
        if (!frame_names_place(f) || (f->legend.place == LEGEND_INSIDE && !frame_legend_inside(f)))
            return 0;
        if (f->canvas->page && f->canvas->page->legend == LEGEND_NONE)
            return 1;
        told = frame_rules_tell(f, pass >= 3, err);
    }
    return told < 0 ? -1 : 1;
}

/* Of the page's width, what the panels have. */
static double width_share(const struct frame *f)
{
    return (double)f->columns * f->first.w / f->page.w;
}

/* Ways to name series: names beside lines (among them, or at their ends in the margin), a legend in a free place,
 * right of the data, below them. */
struct way {
    bool direct, beside;
    int place;
};
static const struct way ways[] = { { true, false, LEGEND_INSIDE }, { true, true, LEGEND_INSIDE },
                                   { false, false, LEGEND_INSIDE }, { true, false, LEGEND_BELOW },
                                   { true, true, LEGEND_BELOW }, { false, false, LEGEND_RIGHT },
                                   { false, false, LEGEND_AUTO } };
#define WAYS (sizeof ways / sizeof *ways)

/* Lays out that way. 1: it works; 0: it does not, or is not what was asked for. */
static int try_way(struct frame *f, size_t i, struct err *err)
{
    const int asked = f->canvas->page ? f->canvas->page->legend : LEGEND_AUTO;
    const bool direct = asked == LEGEND_DIRECT || (asked == LEGEND_AUTO && narrow(f)), last = i + 1 == WAYS,
        inside = direct || asked == LEGEND_INSIDE;
    const struct way *w = &ways[i];
    int ret;

    if ((w->direct && !direct) || (w->place == LEGEND_INSIDE && (!inside || f->want.filled)) ||
        (w->place == LEGEND_RIGHT && (asked != LEGEND_AUTO || !narrow(f) || frame_fitted(f))))
        return 0;
    frame_rules_forget(f);
    f->beside = w->beside;
    if (frame_names_tell(f, w->direct) == 0 && w->direct)
        return 0;
    f->legend.wanted = !last ? w->place : f->right_fails ? LEGEND_BELOW :
        asked == LEGEND_RIGHT || asked == LEGEND_BELOW ? asked : LEGEND_AUTO;
    ret = settle_rules(f, err);
    return ret > 0 && !last && f->legend.nshown < legend_names(&f->legend) ? 0 : ret;
}

/* Says so where the layout could not put the names where they were asked for. */
static int tell_place(struct frame *f, size_t way, struct err *err)
{
    static const char *const word[] = { "auto", "right", "below", "inside", "direct" },
        *const where[] = { "", "right of the data", "below the data", "among the data", "", "nowhere" };
    const int asked = f->canvas->page ? f->canvas->page->legend : LEGEND_AUTO;
    int ret = 0;
    bool there = asked == LEGEND_AUTO || asked == LEGEND_NONE || f->legend.n == 0 || f->legend.place == asked ||
        (asked == LEGEND_DIRECT && f->nname > 0);

    if (asked == LEGEND_RIGHT && there && f->legend.n && width_share(f) < LEAST_SHARE) {
        f->right_fails = true;
        there = false;
        ret = try_way(f, way, err);
    }
    if (ret >= 0 && !there)
        canvas_tell(f->canvas, "--legend %s has no room: names stand %s.", word[asked], where[f->legend.place]);
    return ret < 0 ? -1 : 0;
}

/* The first that works; on a narrow page of given height, the one that leaves the panels most. */
static int settle_names(struct frame *f, struct err *err)
{
    const bool most = narrow(f) && !frame_fitted(f);
    size_t best = WAYS - 1;
    double area = 0;

    for (size_t k = 0; k < WAYS; k++) {
        const size_t i = k < 2 && !narrow(f) ? 1 - k : k;   /* a wide page has a margin to spare */
        const int ret = try_way(f, i, err);

        if (ret < 0)
            return -1;
        if (ret == 0 || (f->beside && narrow(f) && !most && width_share(f) < 0.66))
            continue;
        if (!most)
            return tell_place(f, i, err);
        if (f->first.w * f->first.h > 1.1 * area) {
            best = i;
            area = f->first.w * f->first.h;
        }
    }
    return try_way(f, best, err) < 0 ? -1 : tell_place(f, best, err);
}

/* The height at which the panels have their share of the page, and a pleasant shape; never lower than it is. */
static void want_height(const struct frame *f)
{
    const double w = (double)f->columns * f->first.w, page = f->page.w, rows = (double)f->rows;
    const double rest = f->page.h - rows * (f->first.h + f->spare_h), share = w - SHARE * page;
    const double most = TALLEST * page;
    const double lines = f->chart->y.ncategory ? fmin((double)f->chart->y.ncategory, 40) : 0;
    double h = fmax(0.5 * rows * f->first.w, (f->above ? 1.5 + f->above : 1.3) * rows * lines * text_height(f->canvas, SIZE_TICK));

    if (f->want.square)
        h = rows * (f->first.w + f->spare_w);
    else if (share > 0)
        h = fmax(h, SHARE * page * rest / share);
    else
        h = fmax(h, most);
    f->canvas->wanted = fmax(f->canvas->wanted, fmin(h + rest, most));
}

bool frame_bar_lies(const struct frame *f)
{
    return narrow(f) && frame_fitted(f);
}

static void frame_arrange(struct frame *f)
{
    struct chart view = *f->chart;
    double widest = 50;

    f->npanel = f->chart->npanel ? f->chart->npanel : 1;
    if (f->own)
        view.columns = 1;
    for (size_t i = 0; i < f->chart->npanel; i++) {
        const struct text t = { .text = f->chart->panel[i], .size = SIZE_TICK, .bold = true };

        widest = fmax(widest, text_width(f->canvas, &t));
    }
    if (frame_fitted(f) && narrow(f) && !view.columns)      /* as many as leave room for their titles */
        view.columns = (size_t)fmax(fmin(2, floor((f->page.w - 60) / 50)), floor((f->page.w - 60) / widest));
    panels_arrange(&f->columns, &f->rows, &view, f->page.w - 60, f->page.h - 50, 1.3);
    if (!f->chart->columns)
        f->columns = (f->npanel + f->rows - 1) / f->rows;
}

/* ---- names and legend -------------------------------------------------------------------------------- */

/* Names of axes are centred on the data as far as the page lets them. */
static double centred(double middle, double length, double from, double to)
{
    return fmin(fmax(middle, from + length / 2), fmax(to - length / 2, from + length / 2));
}

static void put_xname(struct frame *f)
{
    const double left = f->page.x + f->pad, right = f->page.x + f->page.w - f->pad;
    double below = f->tick;

    if (!f->xname)
        return;
    for (size_t i = 0; i < f->nxlabel; i++) {
        const struct place *p = &f->xlabel[i];
        double end = p->angle < 0 ? sin(-p->angle) * p->w + cos(p->angle) * p->h / 2 : p->h;

        below = fmax(below, p->y + end - f->first.y - f->first.h);
    }
    f->xtitle = (struct place){ .text = axis_text(f->xname, right - left),
                                .y = panels_bottom(f) + below + name_gap(f), .along = 0.5 };
    frame_measure(f, &f->xtitle);
    f->xtitle.x = centred((f->first.x + frame_right(f)) / 2, f->xtitle.w, left, right);
}

/* Along the height of the panels, or of a panel's own. */
static void put_yname(struct frame *f, size_t panel)
{
    const double down = f->own ? (double)panel * f->step_y : 0;
    const double from = f->own ? f->first.y + down : head_of(f), to = f->own ? from + f->first.h : panels_bottom(f);
    const double left = f->first.x - measure_left(f);

    if (!f->up->name)
        return;
    if (f->on_top) {
        f->up->title = (struct place){ .text = axis_text(f->up->name, f->page.w - 2 * f->pad), .x = f->page.x + f->pad,
                                    .y = f->page.y + f->pad + title_height(f) };
        frame_measure(f, &f->up->title);
        return;
    }
    f->up->title = (struct place){ .text = axis_text(f->up->name, to - from), .x = left - name_gap(f), .along = 0.5,
                                .across = 1, .angle = -M_PI / 2 };
    frame_measure(f, &f->up->title);
    f->up->title.y = centred((f->first.y + down + to) / 2, f->up->title.w, from, to);
}

static void frame_put_legend(struct frame *f)
{
    struct legend *l = &f->legend;
    const bool below = l->place == LEGEND_BELOW && l->nshown;

    f->bar_y = f->page.y + f->page.h - f->pad - foot_height(f) - (below ? l->h + name_gap(f) : 0) - f->bar.w;
    if (l->place == LEGEND_INSIDE)
        return;
    if (l->place == LEGEND_RIGHT) {
        l->x = f->page.x + f->page.w - f->pad - l->w;
        l->y = fmin(f->first.y, f->page.y + f->page.h - f->pad - l->h);
        return;
    }
    l->x = fmax(f->page.x + f->pad, (f->first.x + frame_right(f) - l->w) / 2);
    l->x = fmin(l->x, fmax(f->page.x + f->pad, f->page.x + f->page.w - f->pad - l->w));
    l->y = f->page.y + f->page.h - f->pad - l->h - foot_height(f);
}

int frame_default_entries(struct frame *f, struct err *err)
{
    const struct chart *c = f->chart;
    bool other = c->joined;

    for (size_t i = 0; i < c->nseries; i++)
        other = other || strcmp(c->series[i].name, c->series[0].name) != 0;
    for (size_t i = 0; other && i < c->nseries; i++) {
        const struct series *s = &c->series[i];

        if (legend_add_once(&f->legend, (struct legend_entry){ .text = s->name, .look = s->level ? RULE_GREY : s->look,
                            .sample = s->level ? SAMPLE_LEVEL : s->over ? SAMPLE_RING : f->want.sample }, err) < 0)
            return -1;
    }
    return 0;
}

/* ---- the whole --------------------------------------------------------------------------------------- */

void frame_begin(struct frame *f, struct canvas *canvas, const struct chart *chart)
{
    *f = (struct frame){ .canvas = canvas, .chart = chart, .page = { 0, 0, canvas->width, canvas->height },
                         .tips = canvas->device && canvas->device->begin && chart_points(chart) <= FRAME_TIPS };
    f->pad = narrow(f) ? 4 : FRAME_PAD;
    f->tick = narrow(f) ? 2.5 : FRAME_TICK;
    f->gap = narrow(f) ? fmax(text_height(canvas, SIZE_TICK) / 2 - f->tick + 0.3, 2) : FRAME_LABEL_GAP;
}

int frame_lay(struct frame *f, struct err *err)
{
    const struct chart *chart = f->chart;

    if (TAKE("the figure", err, ZEROS(f->xlabel, TICKS_MOST + chart->x.ncategory)) < 0 || frame_own_open(f, err) < 0 ||
        frame_gather(f, err) < 0 || (!f->want.no_legend && f->legend.n == 0 && frame_default_entries(f, err) < 0))
        return -1;
    frame_arrange(f);
    frame_fit(f);
    frame_own_fit(f);
    if (f->zeros && legend_add(&f->legend, (struct legend_entry){ .text = f->below ? "0 or less" : "0",
                               .sample = SAMPLE_CELL, .colour = colour_bar_zero(&f->bar) }, err) < 0)
        return -1;
    f->bar_below = frame_bar_lies(f);
    if (f->canvas->page && f->canvas->page->legend == LEGEND_NONE)
        f->legend.n = 0;
    if (settle_names(f, err) < 0)
        return -1;
    release_points(f);
    canvas_data(f->canvas, width_share(f) * f->canvas->width,
                (double)f->rows * f->first.h / f->page.h * f->canvas->height);
    if (frame_fitted(f) && narrow(f))
        want_height(f);
    if (f->npanel > 1 && !(frame_fitted(f) && f->canvas->wanted > f->canvas->height) &&     /* it will be higher */
        (f->first.w <= LEAST_DATA || f->first.h <= LEAST_DATA))
        return panels_refuse(f->npanel, f->canvas, err);
    put_xname(f);
    for (size_t p = 0; p < f->nside; p++) {
        f->up = &f->side[p];
        put_yname(f, p);
    }
    frame_enter(f, 0);
    frame_put_legend(f);
    return 0;
}

void frame_release(struct frame *f)
{
    release_points(f);
    frame_own_release(f);
    g_free(f->xname);
    colour_bar_release(&f->bar);
    frame_rules_forget(f);
    FREE(f->xlabel, f->legend.entry, f->name);
    *f = (struct frame){ 0 };
}
