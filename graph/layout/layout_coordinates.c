/* Positions from the file. Nodes without one stand beside their neighbours; nodes nearer to each other than a quarter
 * of the median link are moved apart. */
#include <igraph.h>

#include "graph/layout/layout.h"
#include "texts/layout.h"

#define APART 0.25              /* nodes of one place are moved to that distance */
#define ROUNDS 60
#define PAIRWISE 1500           /* nodes of which all pairs are looked at */
#define TURN 2.39996322972865332        /* the golden angle, in radians: no two directions coincide */

static bool layout_coordinates_accepts(const struct net *net)
{
    return net->at != NULL;
}

static bool known(const double *at, int v)
{
    return !isnan(at[2 * v]);
}

/* Whether the file says it of all nodes. */
static int coordinates_suit(struct net *net, struct err *)
{
    bool all = net->at != NULL;

    for (int v = 0; all && v < net->n; v++)
        all = known(net->at, v);
    return all;
}

/* The unit is the median length of the links between nodes with known positions. */
static int find_unit(double *unit, const double *at, const igraph_t *graph, struct err *err)
{
    const igraph_integer_t edges = igraph_ecount(graph);
    double *length;
    size_t n = 0;

    *unit = 1;
    if (TAKE("the layout", err, ARRAY(length, (size_t)edges + 1)) < 0)
        return -1;
    for (igraph_integer_t e = 0; e < edges; e++) {
        const int a = (int)IGRAPH_FROM(graph, e), b = (int)IGRAPH_TO(graph, e);
        const double d = hypot(at[2 * a] - at[2 * b], at[2 * a + 1] - at[2 * b + 1]);

        if (d > 0)              /* NaN is not */
            length[n++] = d;
    }
    qsort(length, n, sizeof *length, num_ascending_reals);
    if (n)
        *unit = length[n / 2];
    free(length);
    return 0;
}

/* Places the nodes without positions: in rounds those beside placed neighbours, at last the isolated ones, in a row
 * below. `near`: 3 a node, the sums of the neighbours' positions, and their number. */
static void place_others(struct layout *l, const igraph_t *graph, double *near, bool *placed)
{
    double bottom = -INFINITY;
    int column = 0;

    for (bool more = true; more;) {
        more = false;
        for (int i = 0; i < 3 * l->n; i++)
            near[i] = 0;
        for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++)
            for (int back = 0; back < 2; back++) {
                const int v = (int)(back ? IGRAPH_FROM(graph, e) : IGRAPH_TO(graph, e));
                const int u = (int)(back ? IGRAPH_TO(graph, e) : IGRAPH_FROM(graph, e));

                if (placed[u] && !placed[v]) {
                    near[3 * v] += l->x[u];
                    near[3 * v + 1] += l->y[u];
                    near[3 * v + 2]++;
                }
            }
        for (int v = 0; v < l->n; v++)
            if (near[3 * v + 2] > 0) {
                const double away = near[3 * v + 2] > 1 ? 0.1 : 0.7;

                l->x[v] = near[3 * v] / near[3 * v + 2] + away * cos(TURN * v);
                l->y[v] = near[3 * v + 1] / near[3 * v + 2] + away * sin(TURN * v);
                placed[v] = more = true;
            }
    }
    for (int v = 0; v < l->n; v++)
        bottom = placed[v] ? fmax(bottom, l->y[v]) : bottom;
    for (int v = 0; v < l->n; v++)
        if (!placed[v]) {
            l->x[v] = column++;
            l->y[v] = isfinite(bottom) ? bottom + 1 : 0;
        }
}

static void move_apart(struct layout *l)
{
    bool moved = true;

    for (int v = 0; l->n > PAIRWISE && v < l->n; v++) {         /* by less than anyone sees */
        l->x[v] += 1e-4 * cos(TURN * v) * v / l->n;
        l->y[v] += 1e-4 * sin(TURN * v) * v / l->n;
    }
    for (int round = 0; round < ROUNDS && moved && l->n <= PAIRWISE; round++) {
        moved = false;
        for (int v = 0; v < l->n; v++)
            for (int u = 0; u < v; u++) {
                double dx = l->x[v] - l->x[u], dy = l->y[v] - l->y[u], d = hypot(dx, dy), by;

                if (d >= 0.99 * APART)
                    continue;
                dx = d > 1e-6 ? dx / d : cos(TURN * (v + u));
                dy = d > 1e-6 ? dy / d : sin(TURN * (v + u));
                by = (APART - d) / 2;
                l->x[v] += by * dx;
                l->y[v] += by * dy;
                l->x[u] -= by * dx;
                l->y[u] -= by * dy;
                moved = true;
            }
    }
}

static int coordinates_place(struct layout *l, struct net *net, uint64_t, struct err *err)
{
    const size_t n = (size_t)l->n;
    const igraph_t *graph;
    double *near = NULL, unit;
    bool *placed = NULL;

    if (net_graph(net, &graph, err) < 0 || find_unit(&unit, net->at, graph, err) < 0 ||
        TAKE("the layout", err, ARRAY(near, 3 * n), ARRAY(placed, n)) < 0)
        return -1;
    for (int v = 0; v < l->n; v++) {
        placed[v] = known(net->at, v);
        l->x[v] = placed[v] ? net->at[2 * v] / unit : 0;
        l->y[v] = placed[v] ? net->at[2 * v + 1] / unit : 0;
    }
    place_others(l, graph, near, placed);
    move_apart(l);
    FREE(near, placed);
    return 0;
}

const struct layout_kind layout_coordinates = {
    LAYOUT_COORDINATES_ENTRY,
    .accepts = layout_coordinates_accepts,
    .suits = coordinates_suit,
    .bends = true,
    .place = coordinates_place
};
