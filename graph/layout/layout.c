/* layout.c -- opening a layout, and links that keep clear of nodes (layout.h).
 * 1. the closest two nodes   distances of nearest neighbours, which say how large nodes may be drawn
 * 2. opening                 the kind, natural or asked for; networks with failures stand as the whole one
 * 3. links                   curves of bent links
 * 4. clear of nodes          the smallest bend that keeps clear */
#include "graph/layout/layout.h"

#include <igraph.h>

#include "graph/base/order.h"
#include "graph/topology/topo.h"

#include "registry/layout.inc"

#define CLEAR 0.36              /* clearance of links from nodes, in l->near: nodes are drawn with a radius of 0.3 */
#define PAIRS 5e6               /* pairs of a link and a node looked at; beyond, links are straight; drawings so dense
                                 * that no link can be followed get fewer */
#define PAIRS_DENSE 1e6
#define BENDS 12                /* to each side */
#define REACH 0.45              /* of bent links beyond nodes */

KIND(layout, layout, struct layout_kind, .name = "layout", .rank = 4)

const struct layout_kind *layout_natural(struct net *net, struct err *err)
{
    for (size_t i = 0; !net->topo->layout && layout_all[i]; i++) {
        int suits = layout_all[i]->suits ? layout_all[i]->suits(net, err) : 0;

        if (suits != 0)
            return suits < 0 ? NULL : layout_all[i];
    }
    return layout_find(net->topo->layout ? net->topo->layout : "force", err);
}

/* ---- the closest two nodes: divide and conquer (Shamos and Hoey 1975) ---- */

struct point {
    double x, y;
};

ORDER(layout_by_x, struct point, UP(x) UP(y))

static void merge_by_y(struct point *p, size_t half, size_t n, struct point *spare)
{
    size_t i = 0, j = half;

    for (size_t k = 0; k < n; k++)
        spare[k] = j == n || (i < half && p[i].y <= p[j].y) ? p[i++] : p[j++];
    memcpy(p, spare, n * sizeof *p);
}

/* Square of the least distance, or `best` where that is less. Expects points in the order of x, leaves them in that of
 * y. */
static double closest(struct point *p, size_t n, struct point *spare, double best)
{
    const size_t half = n / 2;
    double middle;
    size_t near = 0;

    if (n < 2)
        return best;
    middle = p[half].x;
    best = closest(p, half, spare, best);
    best = closest(p + half, n - half, spare, best);
    merge_by_y(p, half, n, spare);
    for (size_t i = 0; i < n; i++) {
        if ((p[i].x - middle) * (p[i].x - middle) >= best)
            continue;
        for (size_t j = near; j-- > 0; ) {
            const double dx = p[i].x - spare[j].x, dy = p[i].y - spare[j].y;

            if (dy * dy >= best)
                break;
            best = fmin(best, dx * dx + dy * dy);
        }
        spare[near++] = p[i];
    }
    return best;
}

static int measure_spacing(struct layout *l, struct err *err)
{
    const size_t n = (size_t)l->n;
    struct point *p;

    l->spacing = 1;
    if (n < 2)
        return 0;
    if (TAKE("the layout", err, ARRAY(p, n * 2)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        p[i] = (struct point){ l->x[i], l->y[i] };
    qsort(p, n, sizeof *p, layout_by_x);
    l->spacing = sqrt(closest(p, n, p + n, INFINITY));
    free(p);
    return 0;
}

/* A few close pairs in a force-directed drawing should not make all nodes small. */
static int measure_near(struct layout *l, struct err *err)
{
    const size_t n = l->spacing > 0.9 ? 0 : (size_t)l->n;      /* rows and columns are even */
    struct point *p;
    double *near;

    l->near = l->spacing;
    if (TAKE("the layout", err, ARRAY(p, n + 1), ARRAY(near, n + 1)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        p[i] = (struct point){ l->x[i], l->y[i] };
        near[i] = INFINITY;
    }
    qsort(p, n, sizeof *p, layout_by_x);
    for (size_t i = 0; i < n; i++)
        for (size_t k = i + 1; k < n && p[k].x - p[i].x < fmin(near[i], 1); k++) {
            const double d = hypot(p[k].x - p[i].x, p[k].y - p[i].y);

            near[i] = fmin(near[i], d);
            near[k] = fmin(near[k], d);
        }
    qsort(near, n, sizeof *near, num_ascending_reals);
    if (n > 1 && isfinite(near[n / 10]))
        l->near = fmax(near[n / 10], l->spacing);
    FREE(p, near);
    return 0;
}

int layout_measure(struct layout *l, struct err *err)
{
    return measure_spacing(l, err) < 0 ? -1 : measure_near(l, err);
}

/* ---- opening ---- */

/* Moves v so that its least is 0; its largest then. */
static double to_zero(double *v, int n)
{
    double least = v[0], most = v[0];

    for (int i = 1; i < n; i++) {
        least = fmin(least, v[i]);
        most = fmax(most, v[i]);
    }
    for (int i = 0; i < n; i++)
        v[i] -= least;
    return most - least;
}

/* The bends of the whole network's edges, which are those of this one's and its failed cables, both in that order. */
static int layout_deal(struct layout *l, struct net *net, const struct net *whole, struct err *err)
{
    const struct cables *c = &net->cables;
    const igraph_t *graph;
    double *all = l->bend;
    size_t kept = 0, gone = 0;

    l->bend = NULL;
    l->gone_bend = calloc(c->ngone + 1, sizeof *l->gone_bend);
    if (!l->gone_bend || net_graph(net, &graph, err) < 0 || (all && layout_bends(l, graph, err) < 0)) {
        free(all);
        return l->gone_bend ? -1 : err_memory(err);
    }
    for (igraph_integer_t e = 0; all && e < igraph_ecount(&whole->graph); e++)
        if (gone < c->ngone && c->gone[gone][2] == e)
            l->gone_bend[gone++] = all[e];
        else
            l->bend[kept++] = all[e];
    free(all);
    return 0;
}

/* A network with failures stands as it would without them, which its spec says last. */
static int layout_failed(struct layout *out, struct net *net, const char *name, uint64_t seed, struct err *err)
{
    static const char fail[] = ",fail=";
    char *spec = strdup(net->spec), *at = spec ? strstr(spec, fail) : NULL;
    struct layout l = { 0 };
    struct net *whole = NULL;
    int ret = -1;

    for (char *next = at; next; next = strstr(next + 1, fail))
        at = next;
    if (at)
        *at = '\0';
    if (!spec)
        err_memory(err);
    else if (net_open(&whole, spec, err) == 0 && layout_open(&l, whole, name, seed, err) == 0)
        ret = layout_deal(&l, net, whole, err);
    if (ret == 0)
        *out = l;
    else
        layout_release(&l);
    net_close(whole);
    free(spec);
    return ret;
}

int layout_open(struct layout *out, struct net *net, const char *name, uint64_t seed, struct err *err)
{
    const struct layout_kind *kind = name ? layout_find(name, err) : layout_natural(net, err);
    struct layout l = { .kind = kind, .n = net->n };
    const igraph_t *graph;
    double x, y;

    if (!kind)
        return -1;
    if (net->cables.failed)
        return layout_failed(out, net, name, seed, err);
    if (kind->accepts && !kind->accepts(net)) {
        const struct layout_kind *natural = layout_natural(net, err);

        return !natural ? -1 : err_set(err, ERR_USAGE, "the layout '%s' is for %s; for %.80s take '%s'", kind->name,
                                       kind->takes, net->spec, natural->name);
    }
    if (TAKE("the layout", err, ZEROS(l.x, net->n), ZEROS(l.y, net->n)) < 0)
        goto failed;
    if (kind->place(&l, net, seed, err) < 0)
        goto failed;
    x = l.x[0];
    y = l.y[0];
    l.width = to_zero(l.x, l.n);
    l.height = to_zero(l.y, l.n);
    for (size_t i = 0; i < l.nbox; i++)
        l.box[i] = (struct layout_box){ l.box[i].x0 + l.x[0] - x, l.box[i].y0 + l.y[0] - y, l.box[i].x1 + l.x[0] - x,
                                        l.box[i].y1 + l.y[0] - y };
    if (layout_measure(&l, err) < 0)
        goto failed;
    if (kind->bends && (net_graph(net, &graph, err) < 0 ||
                        ((double)igraph_ecount(graph) * l.n < PAIRS_DENSE &&
                         layout_clear(&l, graph, CLEAR * l.near, err) < 0)))
        goto failed;
    *out = l;
    return 0;
failed:
    layout_release(&l);
    return -1;
}

void layout_release(struct layout *l)
{
    FREE(l->x, l->y, l->bend, l->gone_bend, l->box);
    *l = (struct layout){ 0 };
}

int layout_bends(struct layout *l, const igraph_t *graph, struct err *err)
{
    const size_t edges = (size_t)igraph_ecount(graph);

    return TAKE("the layout", err, ZEROS(l->bend, edges));
}

/* ---- links ---- */

/* Part of its length over which a bent link leaves the straight line. */
static double ramp(double bend, double length)
{
    return fmin(length / 2, fmax(0.6, 2.2 * fabs(bend)));
}

int layout_bow(double x[LAYOUT_CURVE], double y[LAYOUT_CURVE], double bend)
{
    const double from[2] = { x[0], y[0] }, along[2] = { x[1] - x[0], y[1] - y[0] };
    const double length = hypot(along[0], along[1]), r = ramp(bend, length);
    /* Places along and aside of the line, the latter as a part of the bend. */
    const double place[LAYOUT_CURVE][2] = {
        { 0, 0 }, { 0.3 * r, 0.85 }, { 0.55 * r, 1 }, { r, 1 },
        { r + (length - 2 * r) / 3, 1 }, { length - r - (length - 2 * r) / 3, 1 },
        { length - r, 1 }, { length - 0.55 * r, 1 }, { length - 0.3 * r, 0.85 }, { length, 0 }
    };

    if (bend == 0 || length == 0)
        return 2;
    for (int i = 0; i < LAYOUT_CURVE; i++) {
        const double s = place[i][0] / length, aside = place[i][1] * bend / length;

        x[i] = from[0] + s * along[0] + aside * along[1];
        y[i] = from[1] + s * along[1] - aside * along[0];
    }
    return LAYOUT_CURVE;
}

int layout_curve(double x[LAYOUT_CURVE], double y[LAYOUT_CURVE], const struct layout *l, const igraph_t *graph,
                 igraph_integer_t edge)
{
    x[0] = l->x[IGRAPH_FROM(graph, edge)];
    y[0] = l->y[IGRAPH_FROM(graph, edge)];
    x[1] = l->x[IGRAPH_TO(graph, edge)];
    y[1] = l->y[IGRAPH_TO(graph, edge)];
    return layout_bow(x, y, l->bend ? l->bend[edge] : 0);
}

int layout_trace(double tx[LAYOUT_TRACE], double ty[LAYOUT_TRACE], const double *x, const double *y, int n)
{
    int corners = 0;

    for (int p = 0; p + 3 < n; p += 3)
        for (int i = 0; i < 10; i++) {
            const double t = i / 10.0, s = 1 - t;
            const double w[4] = { s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t };

            tx[corners] = w[0] * x[p] + w[1] * x[p + 1] + w[2] * x[p + 2] + w[3] * x[p + 3];
            ty[corners++] = w[0] * y[p] + w[1] * y[p + 1] + w[2] * y[p + 2] + w[3] * y[p + 3];
        }
    if (n == 2) {
        tx[corners] = x[0];
        ty[corners++] = y[0];
    }
    tx[corners] = x[n - 1];
    ty[corners++] = y[n - 1];
    return corners;
}

double layout_distance(double px, double py, const double *x, const double *y)
{
    const double dx = x[1] - x[0], dy = y[1] - y[0], length = dx * dx + dy * dy;
    const double t = length > 0 ? fmin(1, fmax(0, ((px - x[0]) * dx + (py - y[0]) * dy) / length)) : 0;

    return hypot(px - x[0] - t * dx, py - y[0] - t * dy);
}

/* ---- clear of nodes ---- */

/* Least distance of a node, the ends excepted, to a link; `clear` when it is more; negative where it leaves the page.
 * Anything up to `enough` where it is no more than that. */
static double clearance(const struct layout *l, const igraph_t *graph, igraph_integer_t e, double clear, double enough)
{
    const int from = (int)IGRAPH_FROM(graph, e), to = (int)IGRAPH_TO(graph, e);
    const double sx[] = { l->x[from], l->x[to] }, sy[] = { l->y[from], l->y[to] }, reach = fabs(l->bend[e]);
    double x[LAYOUT_CURVE], y[LAYOUT_CURVE], tx[LAYOUT_TRACE], ty[LAYOUT_TRACE], least = clear;
    const int corners = layout_trace(tx, ty, x, y, layout_curve(x, y, l, graph, e));

    for (int i = 0; l->width + l->height > 0 && i < corners; i++)
        if (fmin(tx[i], ty[i]) < -REACH || tx[i] > l->width + REACH || ty[i] > l->height + REACH)
            return -1;
    for (int v = 0; v < l->n && least > enough; v++) {
        if (v == from || v == to || layout_distance(l->x[v], l->y[v], sx, sy) >= least + reach)
            continue;
        for (int i = 0; i + 1 < corners; i++)
            least = fmin(least, layout_distance(l->x[v], l->y[v], tx + i, ty + i));
    }
    return least;
}

int layout_clear(struct layout *l, const igraph_t *graph, double clear, struct err *err)
{
    if ((double)igraph_ecount(graph) * l->n >= PAIRS)
        return 0;
    if (!l->bend && layout_bends(l, graph, err) < 0)
        return -1;
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int turn = IGRAPH_FROM(graph, e) < IGRAPH_TO(graph, e) ? 1 : -1;
        double best = 0, most = -INFINITY;

        for (int i = 0; i <= BENDS && most < clear; i++)
            for (int side = 1; side >= -1 && most < clear; side -= 2) {
                double c;

                l->bend[e] = turn * side * 0.1 * i;
                c = clearance(l, graph, e, clear, most);
                if (c > most) {
                    most = c;
                    best = l->bend[e];
                }
            }
        l->bend[e] = best;
    }
    return 0;
}
