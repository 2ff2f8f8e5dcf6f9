/* chart_timeline.c -- a space-time diagram (Lamport, "Time, clocks, and the ordering of events in a distributed
 * system", CACM 21(7), 1978): processes are horizontal lifelines, time runs from left to right. A message is an arrow
 * from (sender, start) to (receiver, end), an activity on one lane is a bar, or a mark where it takes no time. The part
 * of the time that was spent waiting, at the beginning, is hollow.
 * 1. intervals   where they begin and end on the page
 * 2. drawing     lanes, bars, arrows, waits
 * 3. the whole   points paired up, legend, height */
#include "render/chart/chart.h"
#include "render/figure/frame.h"

#define HEADS_MOST 1500         /* arrows of a panel: of more, time alone says where they go */
#define FEW 12.0                /* lanes that each have a label */
#define LEAST_PANEL 64.0        /* of the height that a panel has with its strip: below that they stand side by side */

/* ---- intervals --------------------------------------------------------------------------------------- */

struct span {
    struct rect from, go, to;   /* where it starts, has waited, ends: x and y alone */
    bool bar;                   /* it stays on its lane */
};

/* Where from..to crosses x; beyond the panel, near it: far away there are no coordinates. */
static void cut(struct rect *end, const struct rect *other, double lo, double hi)
{
    const double x = fmin(fmax(end->x, lo), hi);

    if (x != end->x && other->x != end->x)
        end->y += (other->y - end->y) * ((x - end->x) / (other->x - end->x));
    end->x = x;
}

/* The i-th interval of a series; false: it has no place. */
static bool span_of(const struct frame *f, const struct series *s, size_t i, struct span *out)
{
    const struct datum *d = &s->at[2 * i], *end = d + 1;
    const double lo = f->data.x - 50, hi = f->data.x + f->data.w + 50, wait = d->z > 0 ? fmin(d->z, end->x - d->x) : 0;

    if (!frame_point(f, d->x, d->y, &out->from) || !frame_point(f, end->x, end->y, &out->to))
        return false;
    out->bar = d->y == end->y;
    out->go = out->from;
    if (wait > 0 && out->to.x > out->from.x) {
        out->go.x = fmin(frame_x(f, scale_at(&f->x, d->x + wait)), out->to.x);
        out->go.y += (out->to.y - out->from.y) * ((out->go.x - out->from.x) / (out->to.x - out->from.x));
    }
    if (!isfinite(out->from.x) || !isfinite(out->to.x) || fmax(out->from.x, out->to.x) < lo ||
        fmin(out->from.x, out->to.x) > hi)
        return false;
    cut(&out->go, &out->to, lo, hi);
    cut(&out->from, &out->to, lo, hi);
    cut(&out->to, &out->from, lo, hi);
    return true;
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

struct sizes {
    double lane, width, head;   /* from lane to lane; of a line; length of an arrow's head, 0: none */
};

static struct sizes sizes_of(const struct frame *f, size_t panel)
{
    const double lane = f->data.h / (double)f->chart->y.ncategory;
    size_t n = 0;

    for (size_t i = 0; i < f->chart->nseries; i++)
        n += f->chart->series[i].panel == panel ? f->chart->series[i].n / 2 : 0;
    return (struct sizes){ lane, n > HEADS_MOST ? 0.3 : fmin(fmax(0.1 * lane, 0.5), 1),
                           n > HEADS_MOST ? 0 : fmin(fmax(0.5 * lane, 2.4), 5.5) };
}

/* Lanes that have labels, all where there is room between them; and ticks of time. */
static void draw_lanes(const struct frame *f, const struct sizes *z)
{
    const bool all = z->lane >= 1.2;
    struct canvas *c = f->canvas;

    for (size_t i = 0; i < f->xtick.n; i++) {
        const double x = frame_x(f, f->xtick.major[i].at);

        if (x > f->data.x + 1)          /* the axis stands there */
            canvas_segment(c, x, f->data.y, x, f->data.y + f->data.h);
    }
    canvas_stroke_grey(c, 0.6, FAINT);
    for (size_t i = 0; i < (all ? f->chart->y.ncategory : f->up->nlabel); i++) {
        const double y = all ? frame_y(f, scale_at(&f->up->scale, (double)i)) :
            f->up->label[i].y - f->first.y + f->data.y;

        canvas_segment(c, f->data.x, y, f->data.x + f->data.w, y);
    }
    canvas_stroke_grey(c, fmin(0.6, 0.25 + 0.03 * z->lane), z->lane < 5 ? 0.75 : 0.65);
}

static void draw_bar(struct canvas *c, const struct span *s, size_t look, const struct sizes *z)
{
    const double high = fmin(fmax(0.55 * z->lane, 0.8), 8), least = 0.8, long_ = fabs(s->to.x - s->go.x);
    const struct pen rim = { .colour = series_colour(c, look), .width = fmin(0.8, 0.3 * high) };
    struct rect r = { s->from.x, s->from.y - high / 2, s->go.x - s->from.x, high };

    if (s->to.x == s->from.x) {
        series_mark(c, look, s->from.x, s->from.y, false);
        return;
    }
    if (r.w > 0) {
        canvas_rect(c, &r);
        canvas_paint(c, grey(1), 1, &rim);
    }
    r = (struct rect){ fmin(s->go.x, s->to.x), r.y, fmax(long_ - (long_ > 3 ? 0.7 : 0), least), high };     /* the next may follow at once */
    series_fill(c, look, &r);
}

/* Where it leaves, unless a wait is seen there. */
static void trace_dot(struct canvas *c, const struct span *s, const struct sizes *z)
{
    if (s->go.x == s->from.x)
        canvas_circle(c, s->from.x, s->from.y, 0.22 * z->head);
}

/* From where it has waited to its head. */
static void trace_line(struct canvas *c, const struct span *s, const struct sizes *z)
{
    const double dx = s->to.x - s->from.x, dy = s->to.y - s->from.y, long_ = hypot(dx, dy);
    const double back = fmin(fmin(0.8 * z->head, 0.6 * long_), hypot(s->to.x - s->go.x, s->to.y - s->go.y));

    canvas_segment(c, s->go.x, s->go.y, s->to.x - dx / long_ * back, s->to.y - dy / long_ * back);
}

static void trace_head(struct canvas *c, const struct span *s, const struct sizes *z)
{
    const double dx = s->to.x - s->from.x, dy = s->to.y - s->from.y, length = fmin(z->head, 0.75 * hypot(dx, dy));
    const double u = dx / hypot(dx, dy) * length, v = dy / hypot(dx, dy) * length;

    canvas_move(c, s->to.x, s->to.y);
    canvas_line(c, s->to.x - u - 0.36 * v, s->to.y - v + 0.36 * u);
    canvas_line(c, s->to.x - u + 0.36 * v, s->to.y - v - 0.36 * u);
    canvas_close_path(c);
}

/* As a bar along the arrow. */
static void trace_wait(struct canvas *c, const struct span *s, const struct sizes *z)
{
    const double dx = s->go.x - s->from.x, dy = s->go.y - s->from.y, half = 1.4 * z->width / hypot(dx, dy);

    canvas_move(c, s->from.x - half * dy, s->from.y + half * dx);
    canvas_line(c, s->go.x - half * dy, s->go.y + half * dx);
    canvas_line(c, s->go.x + half * dy, s->go.y - half * dx);
    canvas_line(c, s->from.x + half * dy, s->from.y - half * dx);
    canvas_close_path(c);
}

enum part { DOTS, LINES, WAITS, HEADS };
/* Adds that part of the arrows from..to to the path; false: there is none. */
static bool trace(const struct frame *f, const struct series *s, size_t from, size_t to, const struct sizes *z,
                  enum part part)
{
    static void (*const draw[])(struct canvas *c, const struct span *s, const struct sizes *z) = {
        [DOTS] = trace_dot, [LINES] = trace_line, [WAITS] = trace_wait, [HEADS] = trace_head };
    struct span a;
    bool any = false;

    for (size_t i = from; i < to; i++)
        if (span_of(f, s, i, &a) && !a.bar && (part != WAITS || a.go.x > a.from.x)) {
            draw[part](f->canvas, &a, z);
            any = true;
        }
    return any;
}

static void draw_spans(const struct frame *f, const struct series *s, size_t from, size_t to, const struct sizes *z)
{
    const struct pen pen = series_pen(f->canvas, s->look, z->width);
    const struct pen rim = { .colour = pen.colour, .width = 0.8 * z->width };
    struct span a;

    for (size_t i = from; i < to; i++)
        if (span_of(f, s, i, &a) && a.bar)
            draw_bar(f->canvas, &a, s->look, z);
    if (trace(f, s, from, to, z, LINES))
        canvas_stroke(f->canvas, &pen);
    if (trace(f, s, from, to, z, WAITS))
        canvas_paint(f->canvas, grey(1), 1, &rim);
    for (enum part part = DOTS; z->head > 0 && part <= HEADS; part += HEADS - DOTS)
        if (trace(f, s, from, to, z, part))
            canvas_fill(f->canvas, pen.colour, 1);
}

/* Together, unless each says its values. */
static void draw_series(const struct frame *f, const struct series *s, const struct sizes *z)
{
    if (!f->tips)
        draw_spans(f, s, 0, s->n / 2, z);
    for (size_t i = 0; f->tips && i < s->n / 2; i++) {
        if (!isfinite(s->at[2 * i].x))
            continue;
        frame_tip_begin(f, s, &s->at[2 * i], &s->at[2 * i + 1]);
        draw_spans(f, s, i, i + 1, z);
        frame_tip_end(f);
    }
}

static void timeline_draw_panel(const struct frame *f, size_t panel, const void *)
{
    struct sizes z;

    if (!f->drawn)
        return;
    z = sizes_of(f, panel);
    draw_lanes(f, &z);
    frame_rules(f, panel);
    for (size_t i = 0; i < f->chart->nseries; i++) {
        if (f->chart->series[i].panel != panel)
            continue;
        canvas_begin(f->canvas, "series", f->chart->series[i].name);
        draw_series(f, &f->chart->series[i], &z);
        canvas_end(f->canvas);
    }
    frame_rule_texts(f, panel);
}

/* ---- the whole --------------------------------------------------------------------------------------- */

/* An interval has both ends or none; a point that is left over is its own end. */
static int pair_up(struct chart *c)
{
    for (size_t i = 0; i < c->nseries; i++) {
        struct series *s = &c->series[i];

        if (s->n % 2 && chart_datum(c, (int)i, s->at[s->n - 1]) < 0)
            return -1;
        for (size_t p = 0; p < s->n; p += 2)
            if (!(isfinite(s->at[p].x) && isfinite(s->at[p].y)))
                s->at[p + 1].x = NAN;
            else if (!(isfinite(s->at[p + 1].x) && isfinite(s->at[p + 1].y)))
                s->at[p].x = NAN;
    }
    return 0;
}

/* A name has the sample of its first interval; then what waiting looks like. */
static int add_entries(struct legend *l, const struct chart *c, const char *waited, struct err *err)
{
    const struct legend_entry waiting = { .text = waited ? waited : "waiting", .sample = SAMPLE_HOLLOW };
    bool waits = false;
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < c->nseries; i++) {
        const struct series *s = &c->series[i];
        const bool bar = s->n && s->at[0].y == s->at[1].y, mark = bar && s->at[0].x == s->at[1].x;
        size_t k = 0;

        while (k < i && strcmp(c->series[k].name, s->name) != 0)
            k++;
        for (size_t p = 0; p < s->n; p += 2)
            waits = waits || s->at[p].z > 0;
        if (k == i && *s->name)
            ret = legend_add(l, (struct legend_entry){ .text = s->name, .look = s->look,
                             .sample = mark ? SAMPLE_MARK : bar ? SAMPLE_BAR : SAMPLE_PLAIN }, err);
    }
    return ret == 0 && waits ? legend_add(l, waiting, err) : ret;
}

static int timeline_draw(struct canvas *canvas, const struct chart *chart, struct err *err)
{
    struct chart own = { 0 }, view = *chart;
    struct frame f = { 0 };
    int ret = chart_on_categories(&own, chart, true) < 0 || pair_up(&own) < 0 ? err_memory(err) : 0;

    view.series = own.series;
    view.nseries = own.nseries;
    view.y.category = own.y.category;
    view.y.ncategory = own.y.ncategory;
    view.x.scale = chart->x.scale == SCALE_AUTO ? SCALE_LINEAR : chart->x.scale;
    if (!chart->columns)        /* below each other: patterns in time are compared */
        view.columns = (size_t)fmax(1, ceil((double)chart->npanel * LEAST_PANEL / fmax(canvas->height - 60, 1)));
    frame_begin(&f, canvas, &view);
    f.want.no_legend = true;    /* but its own */
    f.want.rules = f.want.rule_texts = true;
    f.want.lanes = f.want.filled = true;
    if (ret == 0)
        ret = add_entries(&f.legend, &own, chart->z.title, err);
    if (ret == 0)
        ret = frame_show(&f, timeline_draw_panel, NULL, err);
    frame_release(&f);
    chart_release(&own);
    return ret;
}

/* A label for each of a few lanes, the less room the more there are, and some lines of legend; up to a page. */
static double timeline_height(const struct chart *chart, double width)
{
    const double panels = (double)(chart->npanel ? chart->npanel : 1), names = (double)chart->nseries / panels;
    struct chart own = { 0 };
    const int got = chart_on_categories(&own, chart, true);
    double lanes = (double)own.y.ncategory;

    chart_release(&own);
    if (got < 0)
        return -1;
    if (lanes > FEW)
        lanes = FEW * pow(lanes / FEW, 0.65);
    return fmin(fmax(18 + 2 * fmin(names, 12) + panels * (4 + 4.2 * lanes), 0.4 * width), fmax(1.35 * width, 40));
}

const struct chart_kind chart_timeline = {
    .name = "timeline", .summary = "a space-time diagram: messages as arrows between lanes, what stays on one as bars",
    .needs = ROLE_X | ROLE_Y, .numbers_x = true, .rules = true, .intervals = true, .draw = timeline_draw,
    .height = timeline_height };
