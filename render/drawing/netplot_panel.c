/* netplot_panel.c -- one network on the page (netplot_panel.h): what is drawn first lies below.
 * 1. links    sorted by their look, so that one path holds many, or each way half of one; those that failed; arrow
 *             heads; highlighted links
 * 2. nodes    discs and squares, with rings where they are highlighted
 * 3. all      in their order; netplot_names.c has the names */
#include "graph/base/order.h"
#include "render/drawing/netplot_parts.h"
#include "render/page/palette.h"

#define TITLES 2500             /* links and nodes that have titles, together at most */
#define NODE_MOST 10.0          /* radius in points */
#define NODE_PART 0.30          /* radius, of the distance between nodes */
#define ARROWS_MOST 3000        /* links */
#define SHADES 48               /* colours told apart, so that links of one colour are one path */
#define WIDTHS 12
#define STROKE_LINKS 4          /* of many in one path: where they cross, the work of filling its outline grows with
                                 * their square */
#define MANY_LINKS 2000

double netplot_width(const struct netplot_look *look, double value)
{
    return look->widest_value > 0 ? 0.3 + (look->widest - 0.3) * fmin(fabs(value) / look->widest_value, 1) : 0.8;
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

/* The arrow head of a link: its tip touches the rim of the node that the link leads to. */
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

struct rgb netplot_ramp(const struct canvas *c, double t)
{
    return rgb_mix(grey(0.85), ramp_colour(c, 0.2 + 0.8 * fmin(fmax(t, 0), 1)), fmin(fmax(t, 0) / 0.45, 1));
}

/* Colour and, unless that means something else, width rise together, from a thin light grey line. */
static struct pen link_pen(const struct panel *p, int shade, int width)
{
    const double part = p->d->what.net->cables.parallel ? 0.08 : 0.12;  /* of the distance between nodes */
    struct pen pen = pen_grey(p->base, 0.62);

    if (shade >= 0)
        pen.colour = colour_bar_colour(p->look->link, p->c, (shade + 0.5) / SHADES);
    if (p->look->by_width)
        pen.width = width == 0 ? 0.3 : netplot_width(p->look, p->look->widest_value * (width - 1) / (WIDTHS - 2));
    else if (p->s->coarse && width > 0)
        pen.width = 0.25 + 0.9 * (width - 1) / (WIDTHS - 2);
    else if (width > 0)
        pen.width *= 2;
    if (shade >= 0 && !p->look->by_width)
        pen.width = fmax(pen.width, fmin(2.4, part * p->s->spacing * p->scale) * shade / (SHADES - 1));
    return pen;
}

struct order {
    int style;
    size_t link;
    enum part part;
};

ORDER(by_style, struct order, UP(style) UP(link))

/* What a viewer says of a link (b -1: of a node) under the cursor: "0.3>0.4: 0.157 of capacity". */
static void title_begin(const struct panel *p, int a, int b, const char *between, int count, double value,
                        const struct colour_bar *bar)
{
    const char *what = bar && bar->axis->title ? bar->axis->title : "", *unit = bar ? bar->axis->unit : NULL;
    char room[2][NET_LABEL], text[2 * NET_LABEL + 200];
    const char *from, *to;
    int n;

    if (!p->titled)
        return;
    from = netplot_label(p->d->what.net, a, room[0]);
    to = b >= 0 ? netplot_label(p->d->what.net, b, room[1]) : "";
    n = snprintf(text, sizeof text, "%.*s%s%.*s", NET_LABEL, from, between, NET_LABEL, to);
    if (count > 1)
        n += snprintf(text + n, sizeof text - (size_t)n, " and %d more", count - 1);
    if (bar && isfinite(value))
        snprintf(text + n, sizeof text - (size_t)n, ": %.60s%s%.4g%s%.60s", unit ? "" : what, unit ? "" : " ", value,
                 unit ? " " : "", unit ? unit : "");
    canvas_begin(p->c, b < 0 ? "node" : "link", text);
}

static void title_end(const struct panel *p)
{
    if (p->titled)
        canvas_end(p->c);
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
        const bool back = order[i].part == FROM_B;

        title_begin(p, s->node[back ? l->b : l->a].node, s->node[back ? l->a : l->b].node,
                    order[i].part == WHOLE ? "-" : ">", l->count, l->value[back], p->look->link);
        netplot_panel_trace(p, &s->node[l->a], &s->node[l->b], l->bend, order[i].part);
        if (p->titled || i + 1 == n || (s->nlink > MANY_LINKS && i % STROKE_LINKS == 0) ||
            order[i + 1].style != order[i].style) {
            const struct pen pen = link_pen(p, order[i].style / WIDTHS - 1, order[i].style % WIDTHS);

            canvas_stroke(p->c, &pen);
        }
        title_end(p);
    }
    free(order);
}

/* Dashed, for they are none, with a cross in the middle. */
static void draw_gone(const struct panel *p)
{
    const struct sketch *s = p->s;
    const struct pen pen = pen_failed(p->c, p->base);
    const double arm = fmin(2.5, 0.12 * s->spacing * p->scale);

    for (size_t i = 0; i < s->ngone; i++)
        netplot_panel_trace(p, &s->node[s->gone[i].a], &s->node[s->gone[i].b], s->gone[i].bend, WHOLE);
    if (s->ngone)
        canvas_stroke(p->c, &pen);
    for (size_t i = 0; i < s->ngone; i++) {
        const struct sketch_node *a = &s->node[s->gone[i].a], *b = &s->node[s->gone[i].b];
        double x[LAYOUT_CURVE] = { a->x, b->x }, y[LAYOUT_CURVE] = { a->y, b->y };
        const int n = layout_bow(x, y, s->gone[i].bend), from = n == 2 ? 0 : 3, to = n == 2 ? 1 : 6;

        canvas_cross(p->c, px(p, (x[from] + x[to]) / 2), py(p, (y[from] + y[to]) / 2), arm, 1.5 * p->base);
    }
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

/* The colours of series, then paler ones; of a grey palette, its ramp. */
struct rgb netplot_category(const struct canvas *c, size_t k, size_t n)
{
    if (c->palette->grey)
        return ramp_colour(c, (double)k / (double)(n > 1 ? n - 1 : 1));
    return rgb_mix(series_colour(c, k), grey(1), 0.2 + 0.45 * (double)(k / LOOK_COLOURS % 2));
}

/* Do highlights need rings, because fillings mean something else? */
static bool fillings_taken(const struct panel *p)
{
    return p->look->node || p->look->ncategory;
}

/* The first node of a way is filled, the last one hollow with a ring, those between are pale. */
static struct rgb node_fill(const struct panel *p, size_t i)
{
    const struct sketch_node *n = &p->s->node[i];
    const int h = p->by[i] - 1;

    if (p->look->node)
        return isnan(n->value) ? grey(1) : colour_bar_at(p->look->node, p->c, n->value);
    if (p->look->ncategory)
        return isnan(n->value) ? grey(1) : netplot_category(p->c, (size_t)n->value, p->look->ncategory);
    if (h >= 0) {
        const struct highlight *hl = &p->d->highlight[h];
        const bool way = hl->way && !p->s->coarse && n->node != hl->from;

        return rgb_mix(series_colour(p->c, (size_t)h), grey(1), !way ? 0 : n->node == hl->to ? 1 : 0.6);
    }
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
static void draw_nodes(const struct panel *p)
{
    const struct pen rim = pen_grey(p->radius < 2.5 ? 0.3 : 0.7, INK);
    struct order *order = malloc((p->s->n + 1) * sizeof *order);

    if (!order) {
        p->c->failed = true;
        return;
    }
    for (size_t i = 0; i < p->s->n; i++)
        order[i] = (struct order){ (int)rgb_hex(p->fill[i]), i, WHOLE };
    qsort(order, p->s->n, sizeof *order, by_style);
    for (size_t i = 0; i < p->s->n; i++) {
        const struct sketch_node *node = &p->s->node[order[i].link];

        title_begin(p, node->node, -1, "", node->count, node->value, p->look->ncategory ? NULL : p->look->node);
        if (!node->down)
            node_path(p, order[i].link, radius_of(p, order[i].link));
        if (p->titled || i + 1 == p->s->n || order[i + 1].style != order[i].style)
            canvas_paint(p->c, rgb_of((unsigned)order[i].style), 1, p->radius < 1 ? NULL : &rim);
        title_end(p);
    }
    for (size_t i = 0; i < p->s->n; i++)
        if (p->s->node[i].down)
            canvas_crossed(p->c, px(p, p->s->node[i].x), py(p, p->s->node[i].y), p->radius);
    free(order);
}

/* A ring marks highlighted nodes where values colour the nodes, and the last node of a way. */
static void draw_rings(const struct panel *p)
{
    for (size_t h = 0; h < p->d->nhighlight; h++) {
        const struct highlight *hl = &p->d->highlight[h];
        struct pen pen = { .colour = series_colour(p->c, h), .width = fmin(2, 0.5 * p->radius + 0.3) };
        bool any = false;

        for (size_t i = 0; i < p->s->n; i++)
            if (fillings_taken(p) && p->by[i] == (int)h + 1) {
                node_path(p, i, radius_of(p, i) + pen.width);
                any = true;
            }
        if (hl->way && !p->s->coarse) {
            node_path(p, (size_t)p->s->of[hl->to], p->radius - (fillings_taken(p) ? -2 : 0.5) * pen.width);
            any = true;
        }
        if (any)
            canvas_stroke(p->c, &pen);
    }
}

/* ---- all --------------------------------------------------------------------------------------------- */

#define BOX 0.4                 /* of the unit, around nodes */

/* A pod, with its nodes inside. */
static struct rect box_of(const struct panel *p, size_t i)
{
    const struct layout_box *b = &p->s->layout.box[i];
    const double x = px(p, b->x0 - BOX), high = fmax(BOX * p->scale, 1.3 * p->radius), y = py(p, b->y0) - high;

    return (struct rect){ x, y, px(p, b->x1 + BOX) - x, py(p, b->y1) + high - y };
}

/* Pods and racks, behind everything. */
static void draw_boxes(const struct panel *p)
{
    const struct pen rim = pen_grey(0.5, 0.75);
    const struct layout *l = &p->s->layout;

    for (size_t i = 0; !p->s->coarse && i < l->nbox; i++) {
        const struct rect box = box_of(p, i);

        canvas_rect(p->c, &box);
    }
    if (!p->s->coarse && l->nbox)
        canvas_paint(p->c, grey(0.965), 1, &rim);
}

/* Pods by number, over the corner, where there is room for all numbers: first a rehearsal. */
static void name_boxes(const struct panel *p)
{
    const struct layout *l = &p->s->layout;
    const struct rect page = { 0, 0, p->c->width, p->c->height };
    const struct device *device = p->c->device;
    const size_t nbox = p->c->nbox;
    char name[32];
    const struct text t = { .text = name, .size = 6.5, .grey = PALE, .halo = true };
    bool room = l->pods && !p->s->coarse;

    for (int pass = 0; pass < 2 && room; pass++) {
        p->c->device = pass ? device : NULL;
        for (size_t i = 0; room && i < l->nbox; i++) {
            snprintf(name, sizeof name, "pod %zu", i);
            room = text_try(p->c, &t, box_of(p, i).x, box_of(p, i).y, 0, 1, 0, &page, 0.3);
        }
        p->c->nbox = room && pass ? p->c->nbox : nbox;
    }
    p->c->device = device;
}

struct panel netplot_panel_open(struct canvas *c, const struct netplot_look *look, const struct net_drawing *d,
                                const struct sketch *s, const struct rect *at, double scale)
{
    struct panel p = { .c = c, .look = look, .d = d, .s = s, .at = *at, .scale = scale };

    p.dx = at->x + at->w / 2 - scale * (s->x0 + s->x1) / 2;
    p.dy = at->y + at->h / 2 - scale * (s->y0 + s->y1) / 2;
    p.radius = fmin(NODE_PART * s->spacing * scale, NODE_MOST * fmax(1, c->scale));
    p.base = fmin(0.8, fmax(0.2, 0.09 * s->spacing * scale));
    p.titled = !s->coarse && s->n + s->nlink <= TITLES && c->device && c->device->begin;
    if (s->coarse)
        p.radius = 0.26 * s->spacing * scale;
    else if (s->nlink > 6 * s->n)
        p.base = fmin(p.base, 0.35);
    return p;
}

void netplot_panel(struct canvas *c, const struct netplot_look *look, const struct net_drawing *d,
                   const struct sketch *s, const struct rect *at, double scale, const struct netplot_names *names)
{
    struct panel p = netplot_panel_open(c, look, d, s, at, scale);
    int *by = filled_by(&p);
    struct rgb *fill = malloc((s->n + 1) * sizeof *fill);

    if (!by || !fill) {
        c->failed = true;
        goto done;
    }
    p.by = by;
    if (names->radius > 0)
        p.radius = fmin(p.radius, names->radius);
    draw_boxes(&p);
    for (size_t i = 0; i < s->n; i++)
        fill[i] = node_fill(&p, i);
    p.fill = fill;
    canvas_begin(c, "links", NULL);
    draw_links(&p);
    draw_gone(&p);
    draw_heads(&p);
    canvas_end(c);
    for (size_t h = 0; h < d->nhighlight; h++) {
        canvas_begin(c, "highlight", d->highlight[h].name);
        draw_highlight(&p, h);
        canvas_end(c);
    }
    canvas_begin(c, "nodes", NULL);
    draw_nodes(&p);
    draw_rings(&p);
    netplot_names_draw(&p, names);
    netplot_names_counts(&p, names);
    if (names->how != NAMES_NONE)
        name_boxes(&p);
    canvas_end(c);
done:
    free(by);
    free(fill);
}
