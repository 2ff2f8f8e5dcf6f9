/* Node 0 at the top, the others clockwise, neighbours one unit apart. A node that is joined to all others, as no other
 * is, stands in the middle: stars and wheels. */
#include <igraph.h>

#include "graph/distance/distances.h"
#include "graph/layout/layout.h"
#include "texts/layout.h"

#define CLEAR 0.3               /* links keep this far from the nodes between their ends */
#define DEEPER 0.35             /* a chord's middle for each step it leads over */

/* The only node joined to all others; -1: there is none, or several are. */
static int find_hub(int *hub, const struct net *net, const igraph_t *graph, struct err *err)
{
    int *degree = calloc((size_t)net->n, sizeof *degree), hubs = 0;
    struct csr c;

    if (!degree || csr_init(&c, graph, false, err) < 0) {
        free(degree);
        return degree ? -1 : err_memory(err);
    }
    *hub = -1;
    for (int v = 0; v < c.n; v++)
        for (size_t e = c.first[v]; e < c.first[v + 1]; e++) {
            degree[v]++;
            degree[c.to[e]] += net->directed;
        }
    csr_release(&c);
    for (int v = 0; v < net->n; v++)
        if (degree[v] == (net->n - 1) * (net->directed ? 2 : 1)) {
            *hub = v;
            hubs++;
        }
    free(degree);
    if (hubs != 1 || net->n < 3)
        *hub = -1;
    return 0;
}

/* How far a chord over `over` steps of a circle bends inwards. The nodes it passes stand outside of it, those next to
 * its ends nearest. In large circles chords lie close under the rim: there the longer ones are made to reach deeper. */
static double inwards(int over, int n, double radius)
{
    const double outside = radius * (cos((over - 2) * M_PI / n) - cos(over * M_PI / n));
    const double deep = radius * (1 - cos(over * M_PI / n));
    const double clear = CLEAR + 0.05 * fmin(over - 2, 6);      /* not one upon the other */

    return over < 2 ? 0 : fmax(0, fmax(clear - outside, DEEPER * (over - 2) - deep));
}

static int circle_place(struct layout *l, struct net *net, uint64_t, struct err *err)
{
    const igraph_t *graph;
    int hub = -1, round;
    double radius;

    if (net_graph(net, &graph, err) < 0 || find_hub(&hub, net, graph, err) < 0 || layout_bends(l, graph, err) < 0)
        return -1;
    round = l->n - (hub >= 0);
    radius = round > 1 ? 0.5 / sin(M_PI / round) : 0;
    if (hub >= 0)
        radius = fmax(radius, 1);
    for (int v = 0, i = 0; v < l->n; v++)
        if (v != hub) {
            l->x[v] = radius * sin(2 * M_PI * i / round);
            l->y[v] = -radius * cos(2 * M_PI * i / round);
            i++;
        }
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int from = (int)IGRAPH_FROM(graph, e), to = (int)IGRAPH_TO(graph, e);
        int steps;

        if (from == hub || to == hub)
            continue;
        steps = (to - (hub >= 0 && to > hub)) - (from - (hub >= 0 && from > hub));
        steps += steps < 0 ? round : 0;                         /* clockwise, with the middle to the right */
        l->bend[e] = steps <= round / 2 ? -inwards(steps, round, radius) : inwards(round - steps, round, radius);
        if (hub >= 0 && radius * fabs(cos(M_PI * steps / round)) < CLEAR)      /* past the hub */
            l->bend[e] = 2 * CLEAR;
    }
    return 0;
}

const struct layout_kind layout_circle = {
    LAYOUT_CIRCLE_ENTRY,
    .place = circle_place
};
