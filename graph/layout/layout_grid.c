/* One dimension is a row, two are rows and columns, three are planes one behind the other, drawn obliquely. Of more,
 * the last two make a block of rows and columns, the next two arrange blocks across and down, and so on. */
#include <igraph.h>

#include "graph/layout/layout.h"
#include "texts/layout.h"

#define WRAP 0.32               /* bend of a link that closes a ring: between one row and the next */

#define JOINED 0.16             /* from the first to the last of the links of a line, where two share the room */

struct axis {
    double dx, dy;              /* from one node to the next */
    double step, wrap;          /* bend of links to the next node, and of those that close the ring; positive to the
                                 * left of the way from lower to higher coordinates */
    double lane;                /* what is added to these from the first to the last of the links side by side */
    bool all;                   /* nodes of a line are all joined: wrap is the bend of those two apart */
    int stride;                 /* of node numbers */
};

static bool layout_grid_accepts(const struct net *net)
{
    return net->ndim > 0;
}

/* ---- three dimensions ---- */

struct oblique {
    int planes;
    double dx, dy;              /* from one plane to the next; dy is negative: up */
};

/* How well planes shifted by `o` can be told apart: the least distance of two nodes, or twice that of a node to a link
 * of others, as if rows and columns had no end. */
static double legible(const struct oblique *o)
{
    const double x[3][2] = { { 0, 1 }, { 0, 0 }, { 0, o->dx } }, y[3][2] = { { 0, 0 }, { 0, 1 }, { 0, o->dy } };
    double least = hypot(o->dx, o->dy);

    for (int p = 1; p < o->planes && p < 64; p++) {

        for (int corner = 0; corner < 4; corner++) {
            const double px = p * o->dx - floor(p * o->dx) - corner % 2;
            const double py = p * o->dy - floor(p * o->dy) - corner / 2;

            least = fmin(least, hypot(px, py));
            for (int way = 0; way < (p > 1 ? 3 : 2); way++)     /* p = 1: the plane that the third leads to */
                least = fmin(least, 2 * layout_distance(px, py, x[way], y[way]));
        }
    }
    return least;
}

/* The most legible shift, near to what such drawings usually have. */
static struct oblique choose_shift(int planes)
{
    struct oblique best = { planes, 0, 0 };
    double most = -INFINITY;

    for (int i = 20; i <= 80; i++)
        for (int j = 10; j <= i && j <= 60; j++) {
            const struct oblique o = { planes, i / 100.0, -j / 100.0 };
            const double merit = legible(&o) - 0.5 * hypot(o.dx - 0.42, o.dy + 0.34);

            if (merit > most) {
                most = merit;
                best = o;
            }
        }
    return best;
}

/* Least distance of a bent link from (0, 0) to (x, y) to nodes that are neither end, those of `o` with planes
 * first..last relative to its own, rows and columns without end. */
static double clearance(const struct oblique *o, double x, double y, double bend, int first, int last)
{
    double cx[LAYOUT_CURVE] = { 0, x }, cy[LAYOUT_CURVE] = { 0, y }, tx[LAYOUT_TRACE], ty[LAYOUT_TRACE];
    const int corners = layout_trace(tx, ty, cx, cy, layout_bow(cx, cy, bend));
    double least = INFINITY;

    for (int i = 0; i + 1 < corners; i++)
        for (int p = first; p <= last; p++) {
            /* The nodes of the plane nearest to this piece. */
            const double nx = round(tx[i] - p * o->dx) + p * o->dx, ny = round(ty[i] - p * o->dy) + p * o->dy;

            if (hypot(nx, ny) > 1e-6 && hypot(nx - x, ny - y) > 1e-6)
                least = fmin(least, layout_distance(nx, ny, tx + i, ty + i));
        }
    return least;
}

/* The bend that leads a link clear of other nodes; small ones, and those to the left, are preferred. */
static double choose_bend(const struct oblique *o, double x, double y, int first, int last)
{
    double best = 0, most = -INFINITY;

    for (int i = 5; i <= 55; i++)
        for (int side = 1; side >= -1; side -= 2) {
            const double bend = side * i / 100.0;
            const double clear = fmin(0.3, clearance(o, x, y, bend, first, last));
            const double merit = clear - 0.1 * fabs(bend) - 0.01 * (side < 0);

            if (merit > most + 1e-9) {
                most = merit;
                best = bend;
            }
        }
    return best;
}

static void three(struct axis *axis, const int *size)
{
    const struct oblique o = choose_shift(size[0]);
    const int planes = size[0] < 32 ? size[0] : 32, rows = size[1] < 12 ? size[1] : 12;     /* longer: no other bends */
    const int columns = size[2] < 12 ? size[2] : 12;

    axis[0] = (struct axis){ .dx = o.dx, .dy = o.dy };
    axis[1] = (struct axis){ .dy = 1 };
    axis[2] = (struct axis){ .dx = 1 };
    axis[0].wrap = choose_bend(&o, (planes - 1) * o.dx, (planes - 1) * o.dy, 0, planes - 1);
    axis[1].wrap = choose_bend(&o, 0, rows - 1, 1 - planes, planes - 1);
    axis[2].wrap = choose_bend(&o, columns - 1, 0, 1 - planes, planes - 1);
}

/* ---- any number of dimensions ---- */

/* Blocks within blocks. Links of outer dimensions run beside the rows or columns of the inner ones, on the other side
 * than the links that close inner rings. */
static void nested(struct axis *axis, const int *size, int ndim)
{
    double extent[2] = { 0, 0 };

    for (int d = ndim - 1; d >= 0; d--) {
        const int way = (ndim - 1 - d) % 2, level = (ndim - 1 - d) / 2;
        const double length = level == 0 ? 1 : extent[way] + 1 + 0.6 * level;

        axis[d] = (struct axis){ .wrap = WRAP };
        if (level > 0) {
            axis[d].step = -0.18;
            axis[d].wrap = 0.36;
            axis[d].lane = 0.24;
        }
        *(way ? &axis[d].dy : &axis[d].dx) = length;
        extent[way] += (size[d] - 1) * length;
    }
}

/* Lines of which all nodes are joined: inner ones take the near half of the room to the next row, outer ones the other. */
static void join_lines(struct axis *axis, int ndim)
{
    for (int d = 0; d < ndim; d++) {
        const bool inner = axis[d].step == 0;

        axis[d].all = true;
        axis[d].wrap = inner ? WRAP : -WRAP;
        axis[d].lane = !inner ? -JOINED : ndim > 2 ? JOINED : 2 * JOINED;
    }
}

/* 0..1: the place of node v among those of its row (or column) of a block, which dimension d repeats. */
static double lane(const struct net *net, const struct axis *axis, int d, int v)
{
    double at = 0, count = 1;

    for (int inner = net->ndim - 1 - (net->ndim - 1 - d) % 2; inner > d; inner -= 2) {
        at += count * (v / axis[inner].stride % net->size[inner]);
        count *= net->size[inner];
    }
    return (at + 0.5) / count;
}

/* 0..1: where the link between two nodes of a line of k runs, `from` and `apart` >= 2 given, so that no two lie on each
 * other: those of one length, as many as overlap, then the next longer ones. */
static double lane_of(int k, int from, int apart)
{
    int at = 0, count = 0;

    for (int i = 2; i < k; i++) {
        const int lanes = i < k - i ? i : k - i;

        at += i < apart ? lanes : i == apart ? from % lanes : 0;
        count += lanes;
    }
    return count > 1 ? (double)at / (count - 1) : 0;
}

/* The bend of the link between u and v > u, seen from u. */
static double bend(const struct net *net, const struct axis *axis, int u, int v)
{
    double b, more;
    int d = 0;

    while (axis[d].stride > v - u)
        d++;
    if (axis[d].all) {
        const int apart = (v - u) / axis[d].stride, from = u / axis[d].stride % net->size[d];
        const double part = apart > 1 ? lane_of(net->size[d], from, apart) : 0;

        if (apart == 1 && axis[d].step == 0)
            return 0;
        return axis[d].wrap + axis[d].lane * (axis[d].step == 0 ? part : (part + lane(net, axis, d, u)) / 2);
    }
    b = v - u == axis[d].stride ? axis[d].step : axis[d].wrap;
    more = axis[d].lane > 0 ? axis[d].lane * lane(net, axis, d, u) : 0;
    return b < 0 ? b - more : b + more / 2;
}

static int grid_place(struct layout *l, struct net *net, uint64_t, struct err *err)
{
    struct axis axis[32];
    const igraph_t *graph;
    int stride = net->n;

    if (net->ndim == 3 && net->lines == LINES_GRID)
        three(axis, net->size);
    else
        nested(axis, net->size, net->ndim);
    if (net->lines == LINES_SETS)
        join_lines(axis, net->ndim);
    for (int d = 0; d < net->ndim; d++)
        axis[d].stride = stride /= net->size[d];
    for (int v = 0; v < l->n; v++)
        for (int d = 0; d < net->ndim; d++) {
            const int c = v / axis[d].stride % net->size[d];

            l->x[v] += c * axis[d].dx;
            l->y[v] += c * axis[d].dy;
        }
    if (net_graph(net, &graph, err) < 0 || layout_bends(l, graph, err) < 0)
        return -1;
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int from = (int)IGRAPH_FROM(graph, e), to = (int)IGRAPH_TO(graph, e);

        l->bend[e] = from < to ? bend(net, axis, from, to) : -bend(net, axis, to, from);
    }
    return 0;
}

const struct layout_kind layout_grid = {
    LAYOUT_GRID_ENTRY,
    .rows = true,
    .accepts = layout_grid_accepts,
    .place = grid_place
};
