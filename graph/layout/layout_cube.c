/* Bits 0, 1 and 2 of a node's number say where it stands in a cube: across, down, behind. The others choose the cube,
 * bit 3 the left or the right one, bit 4 the upper or the lower one, bit 5 the left or the right half of what there is
 * so far, and so on, further and further apart. */
#include <igraph.h>

#include "graph/layout/layout.h"
#include "texts/layout.h"

#define SLANTED 6               /* most dimensions whose links can all be straight and clear of other nodes */
#define RIGHT 0.38              /* of the back face */
#define UP 0.42

struct step {                   /* what one bit does */
    double dx, dy;
    int inner;                  /* bits below that go the same way: a link passes over the nodes they tell apart */
    int bit[32];                /* those, lowest first */
};

/* Searched for: of all steps about as long, those that leave a node furthest from the links of others: 0.22 of the
 * unit in five dimensions, 0.1 in six. */
static const struct step slanted[SLANTED] = {
    { .dx = 1 }, { .dy = 1 }, { .dx = RIGHT, .dy = -UP }, { .dx = 2.06, .dy = 0.5 }, { .dx = 0.56, .dy = 2.38 },
    { .dx = 4.5, .dy = 0.58 }
};

static bool layout_cube_accepts(const struct net *net)
{
    for (int d = 0; d < net->ndim; d++)
        if (net->size[d] != 2)
            return false;
    return net->ndim > 0;
}

/* Straight across and straight down. */
static void make_steps(struct step *step, int bits)
{
    double extent[2] = { 1 + RIGHT, 1 + UP };      /* of what the bits so far make, across and down */
    int below[2][32] = { { 0 }, { 1 } }, nbelow[2] = { 1, 1 };

    for (int b = 0; b < 3; b++)
        step[b] = slanted[b];
    for (int b = 3; b < bits; b++) {
        const int way = (b - 3) % 2;
        const double length = extent[way] + 0.9 + 0.5 * ((b - 3) / 2);

        step[b] = (struct step){ .inner = nbelow[way] };
        for (int i = 0; i < nbelow[way]; i++)
            step[b].bit[i] = below[way][i];
        *(way ? &step[b].dy : &step[b].dx) = length;
        extent[way] += length;
        below[way][nbelow[way]++] = b;
    }
}

/* A link from node v up bit b, over others of its row or column: those of the near half pass on one side, those of
 * the far half on the other, each at a distance of its own. */
static double aside(const struct step *step, int b, int v)
{
    const int row = 1 << step[b].inner;
    int at = 0;
    bool near;

    if (step[b].inner == 0)
        return 0;
    for (int i = 0; i < step[b].inner; i++)
        at |= (v >> step[b].bit[i] & 1) << i;
    near = at < row / 2;
    if (!near)
        at = row - 1 - at;
    return (near ? 1 : -1) * (0.14 + 0.05 * 2 * at / row);
}

static int cube_place(struct layout *l, struct net *net, uint64_t, struct err *err)
{
    struct step own[32];
    const struct step *step = net->ndim <= SLANTED ? slanted : own;
    const igraph_t *graph;

    if (net->ndim > SLANTED)
        make_steps(own, net->ndim);
    for (int v = 0; v < l->n; v++)
        for (int b = 0; b < net->ndim; b++)
            if (v >> b & 1) {
                l->x[v] += step[b].dx;
                l->y[v] += step[b].dy;
            }
    if (net->ndim <= SLANTED)
        return 0;
    if (net_graph(net, &graph, err) < 0 || layout_bends(l, graph, err) < 0)
        return -1;
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int from = (int)IGRAPH_FROM(graph, e), to = (int)IGRAPH_TO(graph, e), low = from < to ? from : to;

        l->bend[e] = (from < to ? 1 : -1) * aside(step, __builtin_ctz((unsigned)(from ^ to)), low);
    }
    return 0;
}

const struct layout_kind layout_cube = {
    LAYOUT_CUBE_ENTRY,
    .accepts = layout_cube_accepts,
    .place = cube_place
};
