/* Link use on grids that are not translation-invariant: dimension order, last dimension first, the positive way where
 * half a ring ties. A path leaves its source in the highest dimension that differs and arrives in the lowest. */
#include "analysis/metapath/metapath_any.h"
#include "analysis/metapath/metapath_links.h"
#include "graph/base/clones.h"

/* Where coordinate differs from c, mask becomes the bit of the way from c to it (out: towards it). */
SIMD_CLONES static void direct(uint8_t *mask, const int *coordinate, int c, int k, bool wrap, bool reached, int bit)
{
    int half = wrap ? k / 2 : k, positive = reached ? 1 << bit : 0, negative = reached ? 2 << bit : 0;

    for (int b = 0; b < DIST_BLOCK; b++) {
        int delta = coordinate[b] - c, way;

        way = wrap ? (delta < 0 ? delta + k : delta) <= half : delta > 0;
        mask[b] = (uint8_t)(delta == 0 ? mask[b] : way ? positive : negative);
    }
}

void any_directions(const struct any *a, const struct any_thread *w, int node, int plane, bool first, uint8_t *mask)
{
    const struct net *net = a->net;
    int c[32];

    memset(mask, 0, DIST_BLOCK);
    net_coordinates(net, node, c);
    for (int i = 0; i < net->ndim; i++) {       /* the dimension that decides comes last and overwrites */
        int d = first ? i : net->ndim - 1 - i;

        direct(mask, w->coordinate + (size_t)d * DIST_BLOCK, c[d], net->size[d], net->wrap[d], d / 4 == plane,
               2 * (d % 4));
    }
}

void any_last_links(const struct any *a, struct any_thread *w)
{
    for (int b = 0; b < DIST_BLOCK; b++) {
        int c[32] = { 0 };

        if (b < w->ntarget)
            net_coordinates(a->net, w->target[b], c);
        for (int d = 0; d < a->net->ndim; d++)
            w->coordinate[(size_t)d * DIST_BLOCK + (size_t)b] = c[d];
    }
    for (int plane = 0; plane < a->nplane; plane++)
        for (int v = 0; v < a->net->n; v++)
            any_directions(a, w, v, plane, false,
                           w->last + ((size_t)plane * (size_t)a->net->n + (size_t)v) * DIST_BLOCK);
}

/* First links towards the members of the box at s. */
static void fixed_links(const struct any *a, size_t i, int s)
{
    const struct any_sets *set = &a->set[i];
    const struct net *net = a->net;
    uint8_t *fixed = a->fixed[i] + (size_t)s * (size_t)a->nplane;
    int from[32], to[32];

    net_coordinates(net, s, from);
    for (size_t k = set->first[s], end = k + (size_t)set->many[s]; k < end; k++) {
        int d = net->ndim - 1;

        net_coordinates(net, set->member[k], to);
        while (d >= 0 && from[d] == to[d])
            d--;
        if (d >= 0) {
            int delta = to[d] - from[d], size = net->size[d];
            bool way = net->wrap[d] ? (delta < 0 ? delta + size : delta) <= size / 2 : delta > 0;

            fixed[d / 4] |= (uint8_t)((way ? 1 : 2) << 2 * (d % 4));
        }
    }
}

int any_links_open(struct any *a, struct err *err)
{
    const struct net *net = a->net;

    if (TAKE("metapaths", err, ZEROS(a->fixed, a->n)) < 0)
        return -1;
    if (net->lines != LINES_GRID || net->directed)
        return 0;
    a->nplane = (net->ndim + 3) / 4;
    if (TAKE("metapaths", err, ARRAY(a->degree, net->n)) < 0)
        return -1;
    for (int v = 0; v < net->n; v++)
        a->degree[v] = (int)(a->forward.first[v + 1] - a->forward.first[v]);
    for (size_t i = 0; i < a->n; i++) {
        if (!any_listed(&a->sn[i]) || a->sn[i].shape == SHAPE_BALL)
            continue;
        a->fixed[i] = calloc((size_t)net->n, (size_t)a->nplane);
        if (!a->fixed[i])
            return err_memory(err);
        for (int s = 0; s < net->n; s++)
            fixed_links(a, i, s);
    }
    return 0;
}

void any_plain_links(const struct any *a, size_t i, struct metapath_stats *s)
{
    struct link_sum sum = { s->pairs, s->pairs, s->pairs };

    if (a->sn[i].shape == SHAPE_POINT) {        /* one of deg(s): the mean of 1/deg over sources, and targets */
        double nodes[ANY_DEGREES + 1] = { 0 };

        for (int v = 0; v < a->net->n; v++)
            nodes[a->degree[v]]++;
        sum.there = INFINITY;
        sum.share = 0;
        for (int d = 1; d <= ANY_DEGREES; d++)
            sum.share += nodes[d] / d;
        sum.share *= s->pairs / a->net->n;
    }
    link_use_finish(s, sum, sum);
    if (a->sn[i].shape != SHAPE_POINT && s->pairs > 0 && a->net->n > 2)     /* two nodes: all is one link */
        s->use = LINKS_HIGH;
}
