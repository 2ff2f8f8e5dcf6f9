/* Terminals at the bottom, above them the switches one hop from a terminal, then those at two hops, and so on.
 * 1. layers   nodes by hops from the nearest terminal; terminals in an order that keeps subtrees together
 * 2. places   every node centred over its neighbours in the layer below, as near as its own neighbours allow
 * 3. boxes    what is connected without the top layer: pods
 * 4. layout   bends within a layer, sizes, what it takes */
#include <igraph.h>

#include "graph/base/order.h"
#include "graph/distance/distances.h"
#include "graph/layout/layout.h"
#include "texts/layout.h"

#define BOW 0.35                /* bend of links within a layer, upwards; of terminals downwards */
#define SHAPE 0.5               /* height at least, of the width */
#define GAP 0.2                 /* between sets, in the unit, and of the mean width of a set */
#define GAP_PART 0.1
#define SLOPE 0.3               /* height of a layer above the one below, in the mean, as a part of the longest way
                                 * across between them: */
#define STEEP 0.45              /* where hosts have cables to several planes, which pass over other hosts */

/* Sorted by value, then number. */
struct key {
    double value;
    int node;
};
struct layers {
    struct csr c;               /* directions passed over: every link both ways */
    int n, nlayer;
    int *hops;                  /* layer of a node */
    int *node;                  /* layer by layer; within one from left to right */
    int *first;                 /* nlayer + 1 (at most n + 1): where a layer begins in `node` */
    int *head;                  /* of a set of nodes that belong together: the least terminal in it */
    int nplane, *plane;         /* by head, from left to right */
    int *size;                  /* of a set, where its head is: its terminals */
    double gap;                 /* between the terminals of neighbouring sets, beyond the usual distance */
    double *x, *wish;
    struct block *block;
    struct key *key;
};
/* Neighbours in a layer that stand as close as they may. */
struct block {
    double sum;                 /* of the positions wanted for the first of them */
    int n;
};

static bool layout_layers_accepts(const struct net *net)
{
    return net->terminal != NULL && net->nterminal > 0;
}

ORDER(by_value, struct key, UP(value) UP(node))

/* ---- layers ---- */

/* Computes hops, and node and first from them. Nodes that no terminal reaches make a layer of their own on top. */
static void find_layers(struct layers *s, const struct net *net)
{
    int head = 0, tail = 0;

    memset(s->hops, 0xff, (size_t)s->n * sizeof *s->hops);
    for (int k = 0; k < net->nterminal; k++) {
        s->hops[net->terminal[k]] = 0;
        s->node[tail++] = net->terminal[k];
    }
    for (; head < tail; head++)
        for (size_t e = s->c.first[s->node[head]]; e < s->c.first[s->node[head] + 1]; e++)
            if (s->hops[s->c.to[e]] < 0) {
                s->hops[s->c.to[e]] = s->hops[s->node[head]] + 1;
                s->node[tail++] = s->c.to[e];
            }
    s->nlayer = s->hops[s->node[tail - 1]] + 1;
    for (int v = 0; tail < s->n; v++)
        if (s->hops[v] < 0) {
            s->hops[v] = s->nlayer;
            s->node[tail++] = v;
        }
    s->nlayer = s->hops[s->node[s->n - 1]] + 1;
    for (int i = 0; i < s->n; i++)
        s->first[s->hops[s->node[i]] + 1] = i + 1;
}

static int head_of(const struct layers *s, int v)
{
    while (s->head[v] != v)
        v = s->head[v] = s->head[s->head[v]];
    return v;
}

/* Unites every node of a layer with its neighbours beside and below. */
static void layers_join(const struct layers *s, int layer)
{
    for (int i = s->first[layer]; i < s->first[layer + 1]; i++) {
        const int v = s->node[i];

        for (size_t e = s->c.first[v]; e < s->c.first[v + 1]; e++)
            if (s->hops[s->c.to[e]] <= layer) {
                const int a = head_of(s, v), b = head_of(s, s->c.to[e]);

                if (a != b && (s->hops[a] > s->hops[b] || (s->hops[a] == s->hops[b] && a > b)))
                    s->head[a] = b;
                else
                    s->head[b] = a;
            }
    }
}

static void sets_begin(const struct layers *s)
{
    for (int v = 0; v < s->n; v++)
        s->head[v] = v;
}

/* Orders the terminals by the sets that the highest layers separate: pods, then switches, then what is joined without
 * any, which stands apart. */
static void order_terminals(const struct layers *s)
{
    struct key *key = s->key;
    const int n = s->first[1];

    sets_begin(s);
    for (int i = 0; i < n; i++)
        key[i] = (struct key){ 0, s->node[i] };
    qsort(key, (size_t)n, sizeof *key, by_value);
    for (int layer = 0; layer < s->nlayer; layer++) {   /* stable: what lower layers joined stays together */
        layers_join(s, layer);
        for (int i = 0; i < n; i++)
            s->node[i] = key[i].node;
        for (int i = 0; i < n; i++)
            key[i] = (struct key){ (double)head_of(s, s->node[i]) * n + i, s->node[i] };
        qsort(key, (size_t)n, sizeof *key, by_value);
    }
    for (int i = 0; i < n; i++)
        s->node[i] = key[i].node;
}

/* Planes: parts of the network without terminals that begin with several switches each, and share terminals. */
static void find_planes(struct layers *s)
{
    bool shared = false;

    sets_begin(s);
    for (int layer = 2; layer < s->nlayer; layer++)
        layers_join(s, layer);
    for (int v = 0; v < s->n; v++)
        if (s->hops[v] == 1 && head_of(s, v) == v)
            s->plane[v] = s->nplane++;
        else if (s->hops[v] == 0)
            for (size_t e = s->c.first[v], switches = s->c.first[v + 1]; e < s->c.first[v + 1]; e++)
                if (s->hops[s->c.to[e]] == 1) {
                    shared = shared || (switches < e && head_of(s, s->c.to[e]) != head_of(s, s->c.to[switches]));
                    switches = e;
                }
    if (!shared || s->nlayer < 3 || 2 * s->nplane > s->first[2] - s->first[1])
        s->nplane = 0;
}

/* ---- places ---- */

/* Terminals side by side, those that are joined apart from others; returns how wide they stand. */
static double place_terminals(const struct layers *s)
{
    const int n = s->first[1];
    bool joined = false;
    double x = 0;

    order_terminals(s);
    sets_begin(s);
    layers_join(s, 0);
    for (int i = 0; i < n; i++)
        joined = joined || head_of(s, s->node[i]) != s->node[i];
    for (int i = 0; i < n; i++) {
        if (i > 0)
            x += joined && head_of(s, s->node[i]) != head_of(s, s->node[i - 1]) ? 2 : 1;
        s->x[s->node[i]] = x;
    }
    return x;
}

/* The positions nearest to those wanted that keep `gap` between neighbours: least squares, by pooling adjacent
 * violators (Ayer et al. 1955). wish ascends. */
static void spread(const struct layers *s, int begin, int end, double gap)
{
    struct block *b = s->block;
    int nblock = 0, i = begin;

    for (int k = begin; k < end; k++) {
        b[nblock++] = (struct block){ s->wish[k] - (k - begin) * gap, 1 };
        while (nblock > 1 && b[nblock - 2].sum / b[nblock - 2].n >= b[nblock - 1].sum / b[nblock - 1].n) {
            b[nblock - 2].sum += b[nblock - 1].sum;
            b[nblock - 2].n += b[nblock - 1].n;
            nblock--;
        }
    }
    for (int k = 0; k < nblock; k++)
        for (int j = 0; j < b[k].n; j++, i++)
            s->x[s->node[i]] = b[k].sum / b[k].n + (i - begin) * gap;
}

/* Moves what hangs together without the top layer apart, pods or racks; returns how much wider all becomes. */
static double part_sets(struct layers *s)
{
    double shift = 0;
    int sets = 0;

    sets_begin(s);
    for (int layer = 1; layer + 1 < s->nlayer; layer++)
        layers_join(s, layer);
    for (int i = 0; i < s->first[1]; i++)
        sets += s->size[head_of(s, s->node[i])]++ == 0;
    s->gap = sets > 1 && sets < s->first[1] ? GAP + GAP_PART * s->first[1] / sets : 0;
    for (int i = 1; i < s->first[1]; i++) {
        if (head_of(s, s->node[i]) != head_of(s, s->node[i - 1]))
            shift += s->gap;
        s->x[s->node[i]] += shift;
    }
    return shift;
}

/* Where the nodes of a layer that belong to one set end. */
static int set_end(const struct layers *s, int begin, int end)
{
    int i = begin + 1;

    while (i < end && head_of(s, s->node[i]) == head_of(s, s->node[begin]))
        i++;
    return i;
}

/* Each set by itself, where all have room for theirs; else the layer as a whole. */
static void spread_sets(const struct layers *s, int begin, int end, double gap)
{
    bool room = s->gap > 0;

    for (int i = begin, next; i < end; i = next) {
        next = set_end(s, i, end);
        room = room && next - i <= s->size[head_of(s, s->node[i])];
    }
    for (int i = begin, next; i < end; i = next) {
        next = room ? set_end(s, i, end) : end;
        spread(s, i, next, room ? fmax(1, (double)s->size[head_of(s, s->node[i])] / (next - i)) : gap);
    }
}

/* Places a layer over the one below; returns the longest way across between the two. */
static double place_layer(const struct layers *s, int layer, double width)
{
    struct key *key = s->key;
    const int begin = s->first[layer], end = s->first[layer + 1], planes = layer == 1 ? s->nplane : 0;
    const double gap = fmax(1, (width + 1) / (end - begin + planes)), slot = gap * (end - begin + planes) / planes;
    double across = 0;

    for (int i = begin; i < end; i++) {
        const int v = s->node[i];
        double sum = 0, below = 0;

        for (size_t e = s->c.first[v]; e < s->c.first[v + 1]; e++)
            if (s->hops[s->c.to[e]] < layer) {
                sum += s->x[s->c.to[e]];
                below++;
            }
        /* Means that are equal but for rounding leave the order to the numbers. */
        key[i - begin] = (struct key){ below > 0 ? round(sum / below * 1e6) / 1e6 : width / 2, v };
        if (planes)
            key[i - begin].value = width / 2 + slot * (s->plane[head_of(s, v)] - (planes - 1) / 2.0);
    }
    qsort(key, (size_t)(end - begin), sizeof *key, by_value);
    for (int i = begin; i < end; i++) {
        s->node[i] = key[i - begin].node;
        s->wish[i] = key[i - begin].value;
    }
    spread_sets(s, begin, end, gap);
    for (int i = begin; i < end; i++)
        for (size_t e = s->c.first[s->node[i]]; e < s->c.first[s->node[i] + 1]; e++)
            if (s->hops[s->c.to[e]] < layer)
                across = fmax(across, fabs(s->x[s->node[i]] - s->x[s->c.to[e]]));
    return across;
}

static void place_all(struct layers *s, struct layout *l)
{
    double width = place_terminals(s), height = 0;

    find_planes(s);
    if (s->nplane == 0)
        width += part_sets(s);
    for (int layer = 1; layer < s->nlayer; layer++)
        height += fmax(1, (s->nplane ? STEEP : SLOPE) * place_layer(s, layer, width));
    height = fmax(height, SHAPE * width);
    for (int v = 0; v < s->n && s->nlayer > 1; v++)             /* layers are equally far from each other */
        l->y[v] = -height * s->hops[v] / (s->nlayer - 1);
}

/* ---- boxes ---- */

ORDER(from_left, struct layout_box, UP(x0))

/* Connected components without the top layer, where these are several, of several nodes each, side by side. */
static int find_boxes(const struct layers *s, struct layout *l, struct err *err)
{
    int *at = s->hops;          /* by set, where its box is: hops are not needed any more */
    const int below = s->first[s->nlayer - 1];
    size_t n = 0;
    bool apart = s->nlayer > 2;

    sets_begin(s);
    for (int layer = 1; layer + 1 < s->nlayer; layer++)
        layers_join(s, layer);
    for (int v = 0; v < s->n; v++)
        at[v] = -1;
    if (TAKE("the layout", err, ARRAY(l->box, below + 1)) < 0)
        return -1;
    for (int i = 0; apart && i < below; i++) {
        const int v = s->node[i], set = head_of(s, v);
        struct layout_box *b;

        if (at[set] < 0) {
            at[set] = (int)n;
            l->box[n++] = (struct layout_box){ INFINITY, INFINITY, -INFINITY, -INFINITY };
        }
        b = &l->box[at[set]];
        *b = (struct layout_box){ fmin(b->x0, l->x[v]), fmin(b->y0, l->y[v]), fmax(b->x1, l->x[v]),
                                  fmax(b->y1, l->y[v]) };
    }
    qsort(l->box, n, sizeof *l->box, from_left);
    for (size_t i = 0; i < n; i++)
        apart = apart && l->box[i].y1 > l->box[i].y0 && (i == 0 || l->box[i].x0 > l->box[i - 1].x1 + 0.9);
    l->nbox = apart && n > 1 ? n : 0;
    l->pods = s->nlayer > 3;
    return 0;
}

/* ---- layout ---- */

static int bend(const struct layers *s, struct layout *l, const igraph_t *graph, struct err *err)
{
    if (layout_bends(l, graph, err) < 0)
        return -1;
    for (igraph_integer_t e = 0; e < igraph_ecount(graph); e++) {
        const int from = (int)IGRAPH_FROM(graph, e), to = (int)IGRAPH_TO(graph, e);

        if (s->hops[from] == s->hops[to])
            l->bend[e] = (s->x[from] < s->x[to]) == (s->hops[from] > 0) ? BOW : -BOW;
    }
    return 0;
}

/* Every link both ways, so that directions do not matter. */
static int both_ways(struct csr *c, const igraph_t *graph, struct err *err)
{
    igraph_t plain;
    int ret;

    if (!igraph_is_directed(graph))
        return csr_init(c, graph, false, err);
    if (net_status(igraph_copy(&plain, graph), "the layout", err) < 0)
        return -1;
    ret = net_status(igraph_to_undirected(&plain, IGRAPH_TO_UNDIRECTED_COLLAPSE, NULL), "the layout", err);
    if (ret == 0)
        ret = csr_init(c, &plain, false, err);
    igraph_destroy(&plain);
    return ret;
}

static void layers_release(struct layers *s)
{
    csr_release(&s->c);
    FREE(s->hops, s->node, s->first, s->head, s->size, s->plane, s->wish, s->block, s->key);
}

static int layers_init(struct layers *s, struct net *net, struct err *err)
{
    const size_t n = (size_t)net->n;
    const igraph_t *graph;

    *s = (struct layers){ .n = net->n };
    if (net_graph(net, &graph, err) < 0 || both_ways(&s->c, graph, err) < 0 ||
        TAKE("the layout", err, ARRAY(s->hops, n), ARRAY(s->node, n), ZEROS(s->first, n + 2), ARRAY(s->head, n),
             ZEROS(s->size, n), ARRAY(s->plane, n), ARRAY(s->wish, n), ARRAY(s->block, n), ARRAY(s->key, n)) < 0)
        return -1;
    find_layers(s, net);
    return 0;
}

/* Whether every link leads from one layer to another. */
static int suits(struct net *net, struct err *err)
{
    struct layers s = { .n = 0 };
    bool between = layout_layers_accepts(net);

    if (between && layers_init(&s, net, err) < 0) {
        layers_release(&s);
        return -1;
    }
    for (int v = 0; between && v < s.n; v++)
        for (size_t e = s.c.first[v]; e < s.c.first[v + 1]; e++)
            between = between && s.hops[v] != s.hops[s.c.to[e]];
    layers_release(&s);
    return between;
}

static int layers_place(struct layout *l, struct net *net, uint64_t, struct err *err)
{
    struct layers s;
    const igraph_t *graph;
    int ret = layers_init(&s, net, err);

    if (ret == 0) {
        s.x = l->x;
        place_all(&s, l);
        ret = net_graph(net, &graph, err) < 0 || bend(&s, l, graph, err) < 0 ? -1 : find_boxes(&s, l, err);
    }
    layers_release(&s);
    return ret;
}

const struct layout_kind layout_layers = {
    LAYOUT_LAYERS_ENTRY,
    .beside = true,
    .accepts = layout_layers_accepts,
    .suits = suits,
    .place = layers_place
};
