/* scene_axes.c -- the three axes round a box seen from above (scene_axes.h).
 * 1. edges               of the box at which the axes stand in this view
 * 2. labels              as many as do not touch along the slope of their edge; names beyond them
 * 3. the room it takes   the rectangle round box and labels
 * 4. drawing             planes, grid lines, ticks, then texts */
#include "render/map/scene_axes.h"

#include <math.h>
#include <stdlib.h>

#include "graph/base/mem.h"

#define TICK 3.0
#define GAP 2.5                 /* between a tick and its label */
#define NAME_GAP 2.5
#define EDGE 0.78               /* grey level of the edges of the back planes */

int scene_axes_begin(struct scene_axes *a, struct canvas *canvas, const struct chart *chart, struct err *err)
{
    const struct axis *const axis[3] = { &chart->x, &chart->y, &chart->z };

    *a = (struct scene_axes){ .canvas = canvas };
    for (int k = 0; k < 3; k++) {
        a->axis[k].axis = axis[k];
        if (TAKE("the surface", err, ZEROS(a->axis[k].mark, TICKS_MOST + axis[k]->ncategory)) < 0)
            return -1;
    }
    return 0;
}

void scene_axes_release(struct scene_axes *a)
{
    for (int k = 0; k < 3; k++) {
        free(a->axis[k].mark);
        g_free(a->axis[k].name);
    }
    *a = (struct scene_axes){ 0 };
}

/* ---- edges ------------------------------------------------------------------------------------------- */

/* An axis on the page: from 0 to 1; ticks and labels lie outwards. */
struct edge {
    struct xy from, to, tick, normal;   /* tick, normal: of length 1 */
    double angle, length;               /* of a name along it; on the page */
    double along;                       /* of labels: 1 left of the box, 0 right of it */
};

static struct xy direction(struct xy a, struct xy b)
{
    const double length = fmax(hypot(b.x - a.x, b.y - a.y), 1e-9);

    return (struct xy){ (b.x - a.x) / length, (b.y - a.y) / length };
}

static struct xy along(const struct edge *e, double at)
{
    return (struct xy){ e->from.x + at * (e->to.x - e->from.x), e->from.y + at * (e->to.y - e->from.y) };
}

static struct edge edge_up(const struct scene *s)
{
    struct spot corner[4], foot, head;
    struct edge e = { .tick = { -1, 0 }, .normal = { -1, 0 }, .angle = -G_PI / 2, .along = 1 };

    scene_corners(s, corner);
    foot = head = corner[0];
    foot.at[2] = 0;
    head.at[2] = 1;
    e.from = scene_at(s, foot);
    e.to = scene_at(s, head);
    e.length = e.from.y - e.to.y;
    return e;
}

/* Axis k of the floor runs between the nearest corner and the left or the right one. */
static struct edge edge_of(const struct scene *s, int k)
{
    struct spot corner[4];
    struct xy page[4], left, right;
    struct edge e;
    bool is_left;

    if (k == 2)
        return edge_up(s);
    scene_corners(s, corner);
    for (int i = 0; i < 4; i++)
        page[i] = scene_at(s, corner[i]);
    is_left = corner[0].at[k] != corner[1].at[k];
    left = page[is_left ? 0 : 1];
    right = page[is_left ? 1 : 2];
    e.from = corner[is_left ? 0 : 1].at[k] == 0 ? left : right;
    e.to = corner[is_left ? 0 : 1].at[k] == 0 ? right : left;
    e.tick = is_left ? direction(page[2], page[1]) : direction(page[0], page[1]);
    e.angle = atan2(right.y - left.y, right.x - left.x);
    e.normal = (struct xy){ -sin(e.angle), cos(e.angle) };
    e.length = hypot(right.x - left.x, right.y - left.y);
    e.along = is_left ? 1 : 0;
    return e;
}

/* ---- labels ------------------------------------------------------------------------------------------ */

/* Labels on a slope are apart when they are so across or upwards: what counts is how far along the edge that takes. */
struct slope {
    struct canvas *canvas;
    double angle;
};

static double extent_on(const struct slope *s, double w, double h)
{
    return fmin(w / fmax(fabs(cos(s->angle)), 1e-6), h / fmax(fabs(sin(s->angle)), 1e-6));
}

static double extent_of(void *slope, const char *markup)
{
    struct text t = { .text = markup, .size = SIZE_TICK, .markup = true };
    const struct slope *s = slope;

    return extent_on(s, text_width(s->canvas, &t), text_height(s->canvas, SIZE_TICK));
}

static void add_mark(struct scene_axes *a, struct scene_axis *x, const struct edge *e, double at, const char *label,
                     bool markup, double width)
{
    const double out = TICK + GAP, low = e->normal.x == -1 ? 0 : 0.28 * SIZE_TICK * a->canvas->scale;
    const struct xy foot = along(e, at);
    struct mark *m = &x->mark[x->nmark++];

    *m = (struct mark){ .at = at };
    if (!*label)
        return;
    m->place = (struct place){ .text = { .text = label, .size = SIZE_TICK, .markup = markup, .width = width,
                                         .middle = true }, .x = foot.x + out * e->tick.x,
                               .y = foot.y + out * e->tick.y + low, .along = e->along, .across = 0.5 };
    text_measure(a->canvas, &m->place.text, &m->place.w, &m->place.h);
}

static void lay_numbers(struct scene_axes *a, struct scene_axis *x, const struct edge *e, bool up)
{
    struct slope slope = { a->canvas, e->angle };
    struct ruler r = { e->length, up ? 2 : 5, (up ? 14 : 19) * a->canvas->scale, extent_of, &slope };

    if (a->empty)
        return;
    if (x->whole && x->scale.kind == LINEAR)        /* no ticks between whole numbers */
        r.spacing = fmax(r.spacing, r.length / fmax(x->scale.hi - x->scale.lo, 1));
    ticks_choose(&x->ticks, &x->scale, &r);
    for (size_t i = 0; i < x->ticks.n; i++)
        add_mark(a, x, e, x->ticks.major[i].at, x->ticks.major[i].label, true, 0);
}

/* Every so many-th, so that labels do not touch; long names are cut. */
static void lay_categories(struct scene_axes *a, struct scene_axis *x, const struct edge *e, double width)
{
    const struct axis *axis = x->axis;
    const struct slope slope = { a->canvas, e->angle };
    const double each = e->length / fmax(x->scale.hi - x->scale.lo, 1);
    double most = 0;
    size_t stride;

    for (size_t i = 0; i < axis->ncategory; i++) {
        struct text t = { .text = axis->category[i], .size = SIZE_TICK, .width = width, .middle = true };

        most = fmax(most, extent_on(&slope, text_width(a->canvas, &t) + 4, text_height(a->canvas, SIZE_TICK) + 1));
    }
    stride = (size_t)fmax(1, ceil(most / fmax(each, 1e-6) - 1e-9));
    for (size_t i = 0; i < axis->ncategory; i += stride)
        add_mark(a, x, e, scale_at(&x->scale, (double)i), axis->category[i], false, width);
}

/* How far labels reach outwards from an edge. */
static double scene_axes_reach(const struct scene_axis *x, const struct edge *e)
{
    double most = TICK;

    for (size_t i = 0; i < x->nmark; i++) {
        const struct place *p = &x->mark[i].place;

        for (int k = 0; p->text.text && k < 4; k++) {
            double px = p->x + ((k & 1) - p->along) * p->w, py = p->y + ((k >> 1) - 0.5) * p->h;

            most = fmax(most, (px - e->from.x) * e->normal.x + (py - e->from.y) * e->normal.y);
        }
    }
    return most;
}

/* Parallel to the edge and no longer than it: two names then lie in strips that part at the nearest corner. The one of
 * the axis upwards may take the height of the cell above the labels of the floor. */
static void lay_name(struct scene_axes *a, struct scene_axis *x, const struct edge *e, const struct scene *s,
                     const struct rect *cell)
{
    const bool up = x == &a->axis[2];
    struct xy middle = along(e, 0.5);
    double length = e->length, from = 0, to = 0, out;

    x->title = (struct place){ 0 };
    if (!x->name)
        return;
    if (up) {
        struct spot corner[4];

        scene_corners(s, corner);
        from = cell->y;
        to = scene_at(s, corner[0]).y;
        length = fmax(to - from, 1);
    }
    out = scene_axes_reach(x, e) + NAME_GAP;
    x->title = (struct place){ .text = { .text = x->name, .size = SIZE_TITLE, .markup = true, .width = fmax(length, 1),
                                         .middle = true }, .along = 0.5, .across = up ? 1 : 0, .angle = e->angle };
    text_measure(a->canvas, &x->title.text, &x->title.w, &x->title.h);
    if (up)
        middle.y = fmin(fmax(middle.y, from + x->title.w / 2), to - x->title.w / 2);
    x->title.x = middle.x + out * e->normal.x;
    x->title.y = middle.y + out * e->normal.y;
}

void scene_axes_lay(struct scene_axes *a, const struct scene *s, const struct rect *cell)
{
    for (int k = 0; k < 3; k++) {
        struct scene_axis *x = &a->axis[k];
        const struct edge e = edge_of(s, k);

        x->nmark = 0;
        x->ticks.n = x->ticks.nminor = 0;
        x->ticks.exponent = 0;
        if (k < 2 && x->axis->ncategory)
            lay_categories(a, x, &e, fmax(0.2 * cell->w, 12));
        else
            lay_numbers(a, x, &e, k == 2);
        g_free(x->name);
        x->name = axis_name(a->canvas, x->axis, x->ticks.exponent);
        lay_name(a, x, &e, s, cell);
    }
}

/* ---- the room it takes ------------------------------------------------------------------------------- */

static void scene_axes_cover(double hull[4], const struct place *p)
{
    const double c = cos(p->angle), s = sin(p->angle);

    for (int k = 0; p->text.text && k < 4; k++) {
        double u = ((k & 1) - p->along) * p->w, v = ((k >> 1) - p->across) * p->h, x = p->x + c * u - s * v;
        double y = p->y + s * u + c * v;

        hull[0] = fmin(hull[0], x);
        hull[1] = fmin(hull[1], y);
        hull[2] = fmax(hull[2], x);
        hull[3] = fmax(hull[3], y);
    }
}

struct rect scene_axes_hull(const struct scene_axes *a, const struct scene *s)
{
    const struct rect b = scene_bounds(s);
    double hull[4] = { b.x - TICK, b.y, b.x + b.w + TICK, b.y + b.h + TICK };

    for (int k = 0; k < 3; k++) {
        scene_axes_cover(hull, &a->axis[k].title);
        for (size_t i = 0; i < a->axis[k].nmark; i++)
            scene_axes_cover(hull, &a->axis[k].mark[i].place);
    }
    return (struct rect){ hull[0], hull[1], hull[2] - hull[0], hull[3] - hull[1] };
}

/* ---- drawing ----------------------------------------------------------------------------------------- */

static void line_in(struct canvas *c, const struct scene *s, struct spot a, struct spot b)
{
    const struct xy from = scene_at(s, a), to = scene_at(s, b);

    canvas_segment(c, from.x, from.y, to.x, to.y);
}

/* Along the floor at `at` of axis k, and up the wall behind. */
static void draw_grid_line(const struct scene_axes *a, const struct scene *s, int k, double at)
{
    const double far = s->eye[1 - k] > 0 ? 0 : 1;
    struct spot p = { { 0, 0, s->floor } }, q, head;

    p.at[k] = at;
    p.at[1 - k] = 1 - far;
    q = p;
    q.at[1 - k] = far;
    head = q;
    head.at[2] = 1;
    line_in(a->canvas, s, p, q);
    canvas_line(a->canvas, scene_at(s, head).x, scene_at(s, head).y);
}

/* Around both walls at that height. */
static void draw_level(const struct scene_axes *a, const struct scene *s, double w)
{
    struct spot corner[4];

    scene_corners(s, corner);
    corner[0].at[2] = corner[2].at[2] = corner[3].at[2] = w;
    line_in(a->canvas, s, corner[0], corner[3]);
    canvas_line(a->canvas, scene_at(s, corner[2]).x, scene_at(s, corner[2]).y);
}

static void draw_planes(const struct scene_axes *a, const struct scene *s)
{
    struct canvas *c = a->canvas;
    struct spot corner[4];

    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < a->axis[k].nmark; i++)
            draw_grid_line(a, s, k, a->axis[k].mark[i].at);
    for (size_t i = 0; i < a->axis[2].nmark; i++)
        draw_level(a, s, a->axis[2].mark[i].at);
    canvas_stroke_grey(c, 0.5, FAINT);
    scene_corners(s, corner);
    draw_level(a, s, s->floor);
    draw_level(a, s, 1);
    for (int i = 0; i < 4; i++) {
        struct spot head = corner[i];

        head.at[2] = 1;
        if (i != 1)
            line_in(c, s, corner[i], head);
    }
    canvas_stroke_grey(c, 0.5, EDGE);
}

static void draw_ticks(const struct scene_axes *a, const struct scene *s)
{
    for (int k = 0; k < 3; k++) {
        const struct scene_axis *x = &a->axis[k];
        const struct edge e = edge_of(s, k);

        for (size_t i = 0; i < x->nmark; i++) {
            struct xy p = along(&e, x->mark[i].at);

            canvas_segment(a->canvas, p.x, p.y, p.x + TICK * e.tick.x, p.y + TICK * e.tick.y);
        }
        for (size_t i = 0; i < x->ticks.nminor; i++) {
            struct xy p = along(&e, x->ticks.minor[i]);

            canvas_segment(a->canvas, p.x, p.y, p.x + TICK / 2 * e.tick.x, p.y + TICK / 2 * e.tick.y);
        }
    }
    canvas_stroke_grey(a->canvas, 0.6, INK);
}

void scene_axes_draw(const struct scene_axes *a, const struct scene *s)
{
    struct spot corner[4];
    struct edge up = edge_of(s, 2);

    draw_planes(a, s);
    scene_corners(s, corner);
    line_in(a->canvas, s, corner[0], corner[1]);
    canvas_line(a->canvas, scene_at(s, corner[2]).x, scene_at(s, corner[2]).y);
    canvas_segment(a->canvas, up.from.x, up.from.y, up.to.x, up.to.y);
    canvas_stroke_grey(a->canvas, 0.8, INK);
    draw_ticks(a, s);
}

static void scene_axes_put(const struct scene_axes *a, const struct place *p, double dx, double dy)
{
    const struct rect page = { 0, 0, a->canvas->width, a->canvas->height };

    if (p->text.text)
        text_try(a->canvas, &p->text, p->x + dx, p->y + dy, p->along, p->across, p->angle, &page, 0);
}

void scene_axes_label(const struct scene_axes *a, double dx, double dy)
{
    for (int k = 0; k < 3; k++)
        scene_axes_put(a, &a->axis[k].title, dx, dy);
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < a->axis[k].nmark; i++)
            scene_axes_put(a, &a->axis[k].mark[i].place, dx, dy);
}
