/* netplot_panel.c -- one network on the page (netplot_panel.h): what is drawn first lies below.
 * 1. links    sorted by their look, so that one path holds many, or each way half of one; those that failed; arrow
 *             heads; highlighted links
 * 2. nodes    discs and squares, with rings where they are highlighted
 * 3. labels   within nodes that have room, else beside them, else none; then how many cables a line stands for */
#include "render/drawing/netplot_panel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NODE_MOST 10.0          /* radius in points */
#define NODE_PART 0.30          /* radius, of the distance between nodes */
#define LABELS_MOST 2000        /* nodes: of more, nobody reads labels */
#define ARROWS_MOST 3000        /* links */
#define SHADES 48               /* colours told apart, so that links of one colour are one path */
#define WIDTHS 12
#define LABEL_LEAST 4.5         /* size of letters */
#define STROKE_LINKS 4          /* of many in one path: where they cross, the work of filling its outline grows with
                                 * their square */
#define MANY_LINKS 2000

struct panel {
    struct canvas *c;
    const struct netplot_look *look;
    const struct net_drawing *d;
    const struct sketch *s;
    struct rect at;
    double scale, dx, dy;       /* page = layout * scale + (dx, dy) */
    double radius, base;        /* of nodes; width of plain links */
};

double netplot_width(const struct netplot_look *look, double value)
{
    return look->widest_value > 0 ? 0.3 + (look->widest - 0.3) * fmin(fabs(value) / look->widest_value, 1) : 0.8;
}

static double px(const struct panel *p, double x)
{
    return x * p->scale + p->dx;
}

static double py(const struct panel *p, double y)
{
    return y * p->scale + p->dy;
}

/* Dots that stand for many nodes grow with their number. */
static double radius_of(const struct panel *p, size_t i)
{
    if (!p->s->coarse)
        return p->radius;
    return fmax(p->radius * sqrt((double)p->s->node[i].count / p->s->most), 0.5);
}

/* ---- links ------------------------------------------------------------------------------------------- */

enum part { WHOLE, FROM_A, FROM_B };

/* The path of a link from one node to another, or from one end to its middle, in points of the page. */
static void netplot_panel_trace(const struct panel *p, const struct sketch_node *a, const struct sketch_node *b,
                                double bend, enum part part)
{
    double x[LAYOUT_CURVE] = { a->x, b->x }, y[LAYOUT_CURVE] = { a->y, b->y };
    int n = layout_bow(x, y, bend);

    if (part == FROM_B) {
        netplot_panel_trace(p, b, a, -bend, FROM_A);
        return;
    }
    canvas_move(p->c, px(p, x[0]), py(p, y[0]));
    for (int k = 1; n > 2 && k + 2 < (part == FROM_A ? 4 : n); k += 3)
        canvas_curve(p->c, px(p, x[k]), py(p, y[k]), px(p, x[k + 1]), py(p, y[k + 1]), px(p, x[k + 2]),
                     py(p, y[k + 2]));
    if (part == FROM_A) {           /* the middle is straight */
        const int from = n == 2 ? 0 : 3, to = n == 2 ? 1 : 6;

        canvas_line(p->c, px(p, (x[from] + x[to]) / 2), py(p, (y[from] + y[to]) / 2));
    } else if (n == 2) {
        canvas_line(p->c, px(p, x[1]), py(p, y[1]));
    }
}

/* The head of a link from one node to another, whose tip touches the rim of that. */
static void arrow(const struct panel *p, const struct sketch_node *from, const struct sketch_node *to, double bend,
                  double size)
{
    double at_x[LAYOUT_CURVE] = { from->x, to->x }, at_y[LAYOUT_CURVE] = { from->y, to->y };
    const int n = layout_bow(at_x, at_y, bend);
    const double fx = px(p, at_x[n - 2]), fy = py(p, at_y[n - 2]);
    double x = px(p, at_x[n - 1]), y = py(p, at_y[n - 1]), d = hypot(x - fx, y - fy), ux, uy;

    if (d < 1e-9)
        return;
    ux = (x - fx) / d;
    uy = (y - fy) / d;
    x -= p->radius * ux;
    y -= p->radius * uy;
    canvas_move(p->c, x, y);
    canvas_line(p->c, x - size * ux - 0.4 * size * uy, y - size * uy + 0.4 * size * ux);
    canvas_line(p->c, x - size * ux + 0.4 * size * uy, y - size * uy - 0.4 * size * ux);
    canvas_close_path(p->c);
}

bool netplot_halves(const struct sketch_link *l)
{
    return (l->value[0] != l->value[1] && !(isnan(l->value[0]) && isnan(l->value[1]))) ||
        (l->width[0] != l->width[1] && !(isnan(l->width[0]) && isnan(l->width[1])));
}

static int shade_of(const struct panel *p, double value)
{
    double t;

    if (!p->look->link || isnan(value))
        return -1;
    t = p->look->link->scale.kind == LOGARITHMIC && value <= 0 ? 0 : scale_at(&p->look->link->scale, value);
    return (int)fmin(fmax(t * SHADES, 0), SHADES - 1);
}

static int width_of(const struct panel *p, const struct sketch_link *l, double width)
{
    if (p->look->by_width)
        return isnan(width) ? 0 : 1 + (int)(fmin(fabs(width) / p->look->widest_value, 1) * (WIDTHS - 2) + 0.5);
    return p->s->coarse ? 1 + (int)((WIDTHS - 2) * fmin(1, sqrt(l->count / (4.0 * sqrt(p->s->most))))) : l->count > 1;
}

static struct pen link_pen(const struct panel *p, int shade, int width)
{
    const double part = p->d->what.net->cables.parallel ? 0.08 : 0.12;  /* of the distance between nodes */
    struct pen pen = pen_grey(p->base, 0.62);

    if (shade >= 0)
        pen.colour = colour_bar_part(&p->look->link->scale, p->c, (shade + 0.5) / SHADES);
    if (p->look->by_width)
        pen.width = width == 0 ? 0.3 : netplot_width(p->look, p->look->widest_value * (width - 1) / (WIDTHS - 2));
    else if (p->s->coarse && width > 0)
        pen.width = 0.25 + 0.9 * (width - 1) / (WIDTHS - 2);
    else if (width > 0)
        pen.width *= 2;
    if (shade >= 0 && !p->look->by_width)
        pen.width = fmax(pen.width, fmin(1.8, part * p->s->spacing * p->scale));
    return pen;
}

struct order {
    int style;
    size_t link;
    enum part part;
};

static int by_style(const void *a, const void *b)
{
    const struct order *p = a, *q = b;

    return p->style != q->style ? p->style - q->style : (p->link > q->link) - (p->link < q->link);
}

/* Links of one style are one path, pale ones below. Without the memory to sort them they are drawn one by one. */
static void draw_links(const struct panel *p)
{
    const struct sketch *s = p->s;
    struct order *order = malloc((2 * s->nlink + 1) * sizeof *order);
    size_t n = 0;

    if (!order) {
        p->c->failed = true;
        return;
    }
    for (size_t i = 0; i < s->nlink; i++) {
        const struct sketch_link *l = &s->link[i];
        const bool halves = netplot_halves(l);

        for (int back = 0; back <= halves; back++)
            order[n++] = (struct order){ (shade_of(p, l->value[back]) + 1) * WIDTHS + width_of(p, l, l->width[back]), i,
                                         !halves ? WHOLE : back ? FROM_B : FROM_A };
    }
    qsort(order, n, sizeof *order, by_style);
    for (size_t i = 0; i < n; i++) {
        const struct sketch_link *l = &s->link[order[i].link];

        netplot_panel_trace(p, &s->node[l->a], &s->node[l->b], l->bend, order[i].part);
        if (i + 1 == n || (s->nlink > MANY_LINKS && i % STROKE_LINKS == 0) ||
            order[i + 1].style != order[i].style) {
            const struct pen pen = link_pen(p, order[i].style / WIDTHS - 1, order[i].style % WIDTHS);

            canvas_stroke(p->c, &pen);
        }
    }
    free(order);
}

/* Dashed, for they are none. */
static void draw_gone(const struct panel *p)
{
    const struct sketch *s = p->s;
    const struct pen pen = pen_failed(p->base);

    for (size_t i = 0; i < s->ngone; i++)
        netplot_panel_trace(p, &s->node[s->gone[i].a], &s->node[s->gone[i].b], s->gone[i].bend, WHOLE);
    if (s->ngone)
        canvas_stroke(p->c, &pen);
}

static void draw_heads(const struct panel *p)
{
    const struct sketch *s = p->s;
    double size = fmin(5, 0.16 * s->spacing * p->scale);

    if (!p->d->what.net->directed || s->coarse || s->nlink > ARROWS_MOST)
        return;
    for (size_t i = 0; i < s->nlink; i++)
        arrow(p, &s->node[s->link[i].a], &s->node[s->link[i].b], s->link[i].bend, size);
    canvas_fill(p->c, grey(0.45), 1);
}

/* Those of later highlights are narrower, so that all can be seen where they share a link. */
static void draw_highlight(const struct panel *p, size_t h)
{
    const struct highlight *hl = &p->d->highlight[h];
    const struct sketch *s = p->s;
    const double narrower = (double)(p->d->nhighlight - 1 - h);
    const double width = fmin(fmax(1.6 + 1.4 * narrower, 1.2), fmax(1, 1.6 * p->radius));
    struct pen pen = { .colour = series_colour(p->c, h), .width = width, .end = END_ROUND };
    bool any = false;

    for (size_t i = 0; i < hl->nlink; i++) {
        int a = s->of[hl->link[i][0]], b = s->of[hl->link[i][1]];

        if (a == b)
            continue;
        netplot_panel_trace(p, &s->node[a], &s->node[b], sketch_bend(s, hl->link[i]), WHOLE);
        any = true;
    }
    if (any)
        canvas_stroke(p->c, &pen);
    for (size_t i = 0; any && !s->coarse && i < hl->nlink; i++) {
        const int a = hl->link[i][0], b = hl->link[i][1];

        arrow(p, &s->node[a], &s->node[b], sketch_bend(s, hl->link[i]), fmin(4 + width, 0.3 * s->spacing * p->scale));
    }
    canvas_fill(p->c, pen.colour, 1);
}

/* ---- nodes ------------------------------------------------------------------------------------------- */

/* Which highlight fills each sketch node: the first that names it, + 1. */
static int *filled_by(const struct panel *p)
{
    int *by = calloc(p->s->n + 1, sizeof *by);

    for (size_t h = p->d->nhighlight; by && h > 0; h--)
        for (size_t i = 0; i < p->d->highlight[h - 1].nnode; i++)
            by[p->s->of[p->d->highlight[h - 1].node[i]]] = (int)h;
    return by;
}

static struct rgb colour_of(const struct panel *p, size_t i, const int *by)
{
    const struct sketch_node *n = &p->s->node[i];

    if (p->look->node)
        return isnan(n->value) ? grey(1) : colour_bar_at(p->look->node, p->c, n->value);
    if (by[i])
        return series_colour(p->c, (size_t)by[i] - 1);
    return p->s->coarse || p->radius < 2.5 ? grey(INK) : grey(n->terminal ? 1 : 0.86);
}

/* Hosts and nodes that are both are round, switches square. */
static void node_path(const struct panel *p, size_t i, double radius)
{
    const struct sketch_node *n = &p->s->node[i];
    const double x = px(p, n->x), y = py(p, n->y), side = 1.8 * radius;

    if (n->terminal || p->s->coarse)
        canvas_circle(p->c, x, y, radius);
    else
        canvas_rect(p->c, &(struct rect){ x - side / 2, y - side / 2, side, side });
}

/* Nodes of one colour are one path. */
static void draw_nodes(const struct panel *p, const int *by)
{
    const struct pen rim = pen_grey(p->radius < 2.5 ? 0.3 : 0.7, INK);
    struct order *order = malloc((p->s->n + 1) * sizeof *order);

    if (!order) {
        p->c->failed = true;
        return;
    }
    for (size_t i = 0; i < p->s->n; i++)
        order[i] = (struct order){ (int)rgb_hex(colour_of(p, i, by)), i, WHOLE };
    qsort(order, p->s->n, sizeof *order, by_style);
    for (size_t i = 0; i < p->s->n; i++) {
        if (!p->s->node[order[i].link].down)
            node_path(p, order[i].link, radius_of(p, order[i].link));
        if (i + 1 == p->s->n || order[i + 1].style != order[i].style)
            canvas_paint(p->c, rgb_of((unsigned)order[i].style), 1, p->radius < 1 ? NULL : &rim);
    }
    for (size_t i = 0; i < p->s->n; i++)
        if (p->s->node[i].down)
            canvas_crossed(p->c, px(p, p->s->node[i].x), py(p, p->s->node[i].y), p->radius);
    free(order);
}

/* Where values colour the nodes, a ring round them says what is highlighted. */
static void draw_rings(const struct panel *p, const int *by)
{
    for (size_t h = 0; p->look->node && h < p->d->nhighlight; h++) {
        struct pen pen = { .colour = series_colour(p->c, h), .width = fmin(2, 0.5 * p->radius + 0.3) };
        bool any = false;

        for (size_t i = 0; i < p->s->n; i++)
            if (by[i] == (int)h + 1) {
                node_path(p, i, radius_of(p, i) + pen.width);
                any = true;
            }
        if (any)
            canvas_stroke(p->c, &pen);
    }
}

/* ---- labels ------------------------------------------------------------------------------------------ */

static double widest_label(const struct panel *p, double size)
{
    double most = 0;

    for (size_t i = 0; i < p->s->n; i++) {
        char label[96];
        struct text t = { .text = net_label(p->d->what.net, p->s->node[i].node, label), .size = size };

        most = fmax(most, text_width(p->c, &t));
    }
    return most;
}

/* Beside its node, on whatever side no other text stands. */
static bool put_beside(const struct panel *p, size_t i, const struct text *t)
{
    static const double side[4][4] = { { 0, 1, 0.5, 0 }, { 0, -1, 0.5, 1 }, { 1, 0, 0, 0.5 }, { -1, 0, 1, 0.5 } };
    const double x = px(p, p->s->node[i].x), y = py(p, p->s->node[i].y), r = p->radius + 1;
    const struct rect page = { p->at.x - 5, p->at.y - 5, p->at.w + 10, p->at.h + 10 };

    for (int k = 0; k < 4; k++)
        if (text_try(p->c, t, x + r * side[k][0], y + r * side[k][1], side[k][2], side[k][3], 0, &page, 0.3))
            return true;
    return false;
}

static bool put_labels(const struct panel *p, const int *by, double size, bool inside)
{
    for (size_t i = 0; i < p->s->n; i++) {
        char label[96];
        struct text t = { .text = net_label(p->d->what.net, p->s->node[i].node, label), .size = size,
                          .halo = !inside || p->s->node[i].down };

        const struct rect page = { 0, 0, p->c->width, p->c->height };

        t.white = inside && rgb_luminance(colour_of(p, i, by)) < 0.3;
        if (!(inside ? text_try(p->c, &t, px(p, p->s->node[i].x), py(p, p->s->node[i].y), 0.5, 0.5, 0, &page, -0.02)
                     : put_beside(p, i, &t)))
            return false;
    }
    return true;
}

/* Labels beside nodes keep off other nodes. */
static void keep_off_nodes(const struct panel *p)
{
    const double r = 0.9 * p->radius;

    for (size_t i = 0; i < p->s->n; i++)
        text_keep_off(p->c, &(struct rect){ px(p, p->s->node[i].x) - r, py(p, p->s->node[i].y) - r, 2 * r, 2 * r });
}

/* All of them in the nodes, else all beside them, else none: some alone would say that they matter more. */
static void draw_labels(const struct panel *p, const int *by)
{
    const struct device *device = p->c->device;
    size_t nbox;
    const double room = p->s->spacing * p->scale;
    double size = SIZE_TICK, widest;
    bool inside, all;

    if (p->s->coarse || p->s->n > LABELS_MOST || p->radius * 2 < LABEL_LEAST)
        return;
    widest = fmax(widest_label(p, size), 1);
    inside = size * 1.7 * p->radius / widest >= LABEL_LEAST / p->c->scale;
    size = inside ? fmin(size, size * 1.7 * p->radius / widest) : fmin(SIZE_NOTE, fmax(size * room / widest, 5));
    size = fmin(size, 0.85 * room / text_height(p->c, 1));      /* half as wide: they miss each other at any angle */
    if (size * p->c->scale < LABEL_LEAST)
        return;
    if (!inside)
        keep_off_nodes(p);
    nbox = p->c->nbox;
    p->c->device = NULL;                /* a rehearsal */
    all = put_labels(p, by, size, inside);
    p->c->device = device;
    p->c->nbox = nbox;
    if (all)
        put_labels(p, by, size, inside);
}

/* How many cables a line stands for, on it where there is room. */
static void draw_counts(const struct panel *p)
{
    static const double along[] = { 0.5, 0.35, 0.65 };
    const double size = fmin(SIZE_NOTE, 0.3 * p->s->spacing * p->scale);
    const struct rect page = { 0, 0, p->c->width, p->c->height };

    if (p->s->coarse || size * p->c->scale < LABEL_LEAST)
        return;
    for (size_t i = 0; i < p->s->nlink; i++) {
        const struct sketch_link *l = &p->s->link[i];
        double x[LAYOUT_CURVE] = { p->s->node[l->a].x, p->s->node[l->b].x };
        double y[LAYOUT_CURVE] = { p->s->node[l->a].y, p->s->node[l->b].y };
        const int n = l->count > 1 ? layout_bow(x, y, l->bend) : 0, from = n == 2 ? 0 : 3, to = n == 2 ? 1 : 6;
        char count[16];
        const struct text t = { .text = count, .size = size, .halo = true };

        snprintf(count, sizeof count, "x%d", l->count);
        for (int k = 0; n && k < 3; k++)
            if (text_try(p->c, &t, px(p, x[from] + along[k] * (x[to] - x[from])),
                         py(p, y[from] + along[k] * (y[to] - y[from])), 0.5, 0.5, 0, &page, 0.3))
                break;
    }
}

void netplot_panel(struct canvas *c, const struct netplot_look *look, const struct net_drawing *d,
                   const struct sketch *s, const struct rect *at, double scale, bool labels)
{
    struct panel p = { .c = c, .look = look, .d = d, .s = s, .at = *at, .scale = scale };
    int *by = filled_by(&p);

    if (!by) {
        c->failed = true;
        return;
    }
    p.dx = at->x + at->w / 2 - scale * (s->x0 + s->x1) / 2;
    p.dy = at->y + at->h / 2 - scale * (s->y0 + s->y1) / 2;
    p.radius = fmin(NODE_PART * s->spacing * scale, NODE_MOST * fmax(1, c->scale));
    p.base = fmin(0.8, fmax(0.2, 0.09 * s->spacing * scale));
    if (s->coarse)
        p.radius = 0.26 * s->spacing * scale;
    else if (s->nlink > 6 * s->n)
        p.base = fmin(p.base, 0.35);
    canvas_begin(c, "links", NULL);
    draw_gone(&p);
    draw_links(&p);
    draw_heads(&p);
    canvas_end(c);
    for (size_t h = 0; h < d->nhighlight; h++) {
        canvas_begin(c, "highlight", d->highlight[h].name);
        draw_highlight(&p, h);
        canvas_end(c);
    }
    canvas_begin(c, "nodes", NULL);
    draw_nodes(&p, by);
    draw_rings(&p, by);
    if (labels)
        draw_labels(&p, by);
    draw_counts(&p);
    canvas_end(c);
    free(by);
}
