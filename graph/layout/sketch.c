/* sketch.c -- what a page can show of a network (sketch.h).
 * 1. making       positions, bounds, and how near nodes stand
 * 2. bundles      parallel cables side by side, or as one line
 * 3. hosts        equal ones of a switch as one
 * 4. coarsening   nodes of one square merged, links between two squares joined; of too many the thickest stay
 * 5. bounds       arcs that bow out, and what must be included */
#include "graph/layout/sketch.h"

#include <igraph.h>

#include "graph/base/order.h"

/* ---- making ------------------------------------------------------------------------------------------- */

static void sketch_bound(struct sketch *s, double x, double y)
{
    s->x0 = fmin(s->x0, x);
    s->y0 = fmin(s->y0, y);
    s->x1 = fmax(s->x1, x);
    s->y1 = fmax(s->y1, y);
}

/* Of links that bow out. */
static void sketch_bound_links(struct sketch *s, const struct sketch_link *link, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct sketch_node *a = &s->node[link[i].a], *b = &s->node[link[i].b];
        double x[LAYOUT_CURVE] = { a->x, b->x }, y[LAYOUT_CURVE] = { a->y, b->y };

        if (link[i].bend != 0)
            for (int k = layout_bow(x, y, link[i].bend) - 1; k >= 0; k--)
                sketch_bound(s, x[k], y[k]);
    }
}

/* Of nodes, and of links that bow out beyond them. */
static void sketch_bounds(struct sketch *s)
{
    s->x0 = s->y0 = INFINITY;
    s->x1 = s->y1 = -INFINITY;
    for (size_t i = 0; i < s->n; i++)
        sketch_bound(s, s->node[i].x, s->node[i].y);
    sketch_bound_links(s, s->link, s->nlink);
    sketch_bound_links(s, s->gone, s->ngone);
}

/* The link from a to b, of an edge and its values (NULL: none), and back. */
static struct sketch_link sketch_link_of(int a, int b, double bend, const double *value, const double *width)
{
    struct sketch_link l = { a, b, bend, { NAN, NAN }, { NAN, NAN }, 1 };

    for (int back = 0; back < 2; back++) {
        l.value[back] = value ? value[(a > b) != back] : (double)NAN;
        l.width[back] = width ? width[(a > b) != back] : (double)NAN;
    }
    return l;
}

int sketch_make(struct sketch *s, const struct sketch_request *d, struct err *err)
{
    const struct cables *c = &d->net->cables;
    struct net *net = d->net;
    size_t n = (size_t)net->n, m;

    *s = (struct sketch){ 0 };
    if (net_graph(net, &s->graph, err) < 0)
        return -1;
    m = (size_t)igraph_ecount(s->graph);
    if (mem_need((double)(n * (sizeof *s->node + sizeof *s->of) + m * sizeof *s->link), "drawing the network", err) < 0)
        return -1;
    s->borrowed = d->placed != NULL;
    if (d->placed)
        s->layout = *d->placed;
    else if (layout_open(&s->layout, net, d->layout, d->seed, err) < 0)
        return -1;
    if (TAKE("drawing the network", err, ZEROS(s->node, n + 1), ZEROS(s->link, m + 1), ZEROS(s->of, n + 1),
             ZEROS(s->gone, c->ngone + 1)) < 0)
        return -1;
    s->n = n;
    s->nlink = m;
    s->most = 1;
    s->spacing = s->layout.near;
    for (size_t i = 0; i < n; i++) {
        s->node[i] = (struct sketch_node){ s->layout.x[i], s->layout.y[i],
                                           d->node_value ? d->node_value[i] : (double)NAN,
                                           (int)i, 1, net_terminal_index(net, (int)i) >= 0,
                                           cables_down(c, (int)i) };
        s->of[i] = (int)i;
    }
    for (size_t e = 0; e < m; e++)
        s->link[e] = sketch_link_of((int)IGRAPH_FROM(s->graph, (igraph_integer_t)e),
                                    (int)IGRAPH_TO(s->graph, (igraph_integer_t)e),
                                    s->layout.bend ? s->layout.bend[e] : 0,
                                    d->link_value ? d->link_value + 2 * e : NULL,
                                    d->link_width ? d->link_width + 2 * e : NULL);
    for (; s->ngone < c->ngone; s->ngone++)
        s->gone[s->ngone] = sketch_link_of(c->gone[s->ngone][0], c->gone[s->ngone][1],
                                           s->layout.gone_bend ? s->layout.gone_bend[s->ngone] : 0, NULL, NULL);
    sketch_bounds(s);
    return 0;
}

/* ---- bundles ----------------------------------------------------------------------------------------- */

struct strand {
    int from, to;               /* of undirected networks the lower node first */
    bool gone;
    size_t at;                  /* in s->link or s->gone */
};

ORDER(by_pair, struct strand, UP(from) UP(to) UP(gone) UP(at))

static void join_strand(struct sketch_link *to, const struct sketch_link *from)
{
    const bool turn = to->a != from->a;

    for (int back = 0; back < 2; back++) {
        const double width = from->width[back != turn];

        to->value[back] = fmax(to->value[back], from->value[back != turn]);     /* NaN gives way */
        to->width[back] = isnan(to->width[back]) ? width : to->width[back] + (isnan(width) ? 0 : width);
    }
    to->count++;
}

/* n cables of one pair, failed ones last. A cable merged into another gets a count of 0. */
static void lay_strands(struct sketch *s, const struct strand *t, size_t n, double gap, int most)
{
    const bool apart = n <= (size_t)most;
    struct sketch_link *first[2] = { NULL, NULL };
    const double lines = apart ? (double)n : t[0].gone == t[n - 1].gone ? 1 : 2;
    double slot = 0;

    for (size_t i = 0; i < n; i++) {
        struct sketch_link *l = t[i].gone ? &s->gone[t[i].at] : &s->link[t[i].at];
        const double turn = l->a == t[i].from ? 1 : -1;

        if (apart || !first[t[i].gone]) {
            l->bend += turn * (slot++ - (lines - 1) / 2) * gap;
            first[t[i].gone] = l;
        } else {
            join_strand(first[t[i].gone], l);
            l->bend = (l->a == first[t[i].gone]->a ? 1 : -1) * first[t[i].gone]->bend;
            l->count = 0;
        }
        if (!t[i].gone)
            s->bend[t[i].at] = l->bend;
    }
}

static size_t keep_counted(struct sketch_link *link, size_t n)
{
    size_t kept = 0;

    for (size_t i = 0; i < n; i++)
        if (link[i].count)
            link[kept++] = link[i];
    return kept;
}

int sketch_bundle(struct sketch *s, const struct net *net, double gap, int most, struct err *err)
{
    const size_t n = s->nlink + s->ngone;
    struct strand *t;

    if (!net->cables.parallel && s->ngone == 0)
        return 0;
    if (TAKE("drawing the network", err, ARRAY(t, n + 1), ARRAY(s->bend, s->nlink + 1)) < 0)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const bool gone = i >= s->nlink;
        const struct sketch_link *l = gone ? &s->gone[i - s->nlink] : &s->link[i];
        const bool turn = !net->directed && l->a > l->b;

        t[i] = (struct strand){ turn ? l->b : l->a, turn ? l->a : l->b, gone, gone ? i - s->nlink : i };
    }
    qsort(t, n, sizeof *t, by_pair);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && t[end].from == t[i].from && t[end].to == t[i].to;)
            end++;
        lay_strands(s, t + i, end - i, gap, most);
    }
    free(t);
    s->nlink = keep_counted(s->link, s->nlink);
    s->ngone = keep_counted(s->gone, s->ngone);
    sketch_bound_links(s, s->link, s->nlink);
    sketch_bound_links(s, s->gone, s->ngone);
    return 0;
}

/* ---- hosts -------------------------------------------------------------------------------------------- */

static bool same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* From the higher end to the lower, and back: hosts of one switch are all on one side of it, or they are not equal. */
static bool alike(const struct sketch_link *a, const struct sketch_link *b)
{
    const bool turn = (a->a < a->b) != (b->a < b->b);

    for (int back = 0; back < 2; back++)
        if (!same(a->value[back], b->value[back != turn]) || !same(a->width[back], b->width[back != turn]))
            return false;
    return true;
}

/* The only cable of every node, -1: it has none, or several, or one that failed. */
static void only_cables(int *only, const struct sketch *s)
{
    for (size_t i = 0; i < s->n; i++)
        only[i] = s->node[i].terminal && !s->node[i].down ? -1 : -2;
    for (size_t i = 0; i < s->ngone; i++)
        only[s->gone[i].a] = only[s->gone[i].b] = -2;
    for (size_t e = 0; e < s->nlink; e++)
        for (int back = 0; back < 2; back++) {
            const int v = back ? s->link[e].b : s->link[e].a;

            only[v] = only[v] == -1 ? (int)e : -2;
        }
}

/* Leaves those with a count, and where they are: of[] and links follow. */
static void keep_nodes(struct sketch *s, int *place)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->n; i++) {
        struct sketch_node n = s->node[i];

        if (n.count == 0)
            continue;
        n.x /= n.count;
        n.y /= n.count;
        place[i] = (int)kept;
        s->node[kept++] = n;
    }
    for (size_t i = 0; i < s->n; i++)
        s->of[i] = place[s->of[i]];
    for (int gone = 0; gone < 2; gone++)
        for (size_t e = 0; e < (gone ? s->ngone : s->nlink); e++) {
            struct sketch_link *l = gone ? &s->gone[e] : &s->link[e];

            l->a = s->of[l->a];
            l->b = s->of[l->b];
        }
    s->gathered = kept < s->n;
    s->n = kept;
}

/* What is left between the nodes. */
static int measure_again(struct sketch *s, struct err *err)
{
    struct layout l = { .n = (int)s->n };
    int ret = TAKE("drawing the network", err, ARRAY(l.x, s->n + 1), ARRAY(l.y, s->n + 1));

    for (size_t i = 0; ret == 0 && i < s->n; i++) {
        l.x[i] = s->node[i].x;
        l.y[i] = s->node[i].y;
    }
    if (ret == 0 && (ret = layout_measure(&l, err)) == 0)
        s->spacing = l.near;
    layout_release(&l);
    return ret;
}

int sketch_gather(struct sketch *s, const struct net *net, struct err *err)
{
    int *only, *first, ret;

    if (!s->layout.kind->beside || net->directed)
        return 0;
    if (TAKE("drawing the network", err, ARRAY(only, s->n), ARRAY(first, s->n)) < 0)
        return -1;
    only_cables(only, s);
    memset(first, 0xff, s->n * sizeof *first);          /* of a switch the first of its last equal hosts */
    for (size_t i = 0; i < s->n; i++) {
        struct sketch_link *l = only[i] >= 0 ? &s->link[only[i]] : NULL;
        const int v = (int)i, to = !l ? -1 : l->a == v ? l->b : l->a;

        if (!l || s->node[to].terminal)
            continue;
        if (first[to] < 0 || !alike(&s->link[only[first[to]]], l)) {
            first[to] = v;
        } else {
            struct sketch_node *host = &s->node[first[to]];

            s->of[v] = first[to];
            host->x += s->node[v].x;
            host->y += s->node[v].y;
            host->count++;
            s->node[v].count = 0;
            s->link[only[first[to]]].count++;
            l->count = 0;
        }
    }
    s->nlink = keep_counted(s->link, s->nlink);
    keep_nodes(s, first);
    ret = s->gathered ? measure_again(s, err) : 0;
    FREE(only, first);
    return ret;
}

/* ---- coarsening -------------------------------------------------------------------------------------- */

struct cell {
    long long key;
    int node;
};

ORDER(by_key, struct cell, UP(key) UP(node))

/* Nodes of one square become one, where they are on the average. */
static int merge_nodes(struct sketch *s, double side, struct err *err)
{
    struct cell *cell = malloc((s->n + 1) * sizeof *cell);
    size_t k = 0;

    if (!cell)
        return err_memory(err);
    for (size_t i = 0; i < s->n; i++)
        cell[i] = (struct cell){ (long long)floor(s->node[i].y / side + 1e-9) * 1000003LL +
                                 (long long)floor(s->node[i].x / side + 1e-9), (int)i };
    qsort(cell, s->n, sizeof *cell, by_key);
    for (size_t i = 0; i < s->n; i++)
        s->of[cell[i].node] = (int)(k += i == 0 || cell[i].key != cell[i - 1].key) - 1;
    memset(s->node, 0, s->n * sizeof *s->node);
    for (size_t i = 0; i < s->n; i++) {             /* by falling node, so that the first of all stays */
        int v = (int)(s->n - 1 - i);
        struct sketch_node *to = &s->node[s->of[v]];

        to->x += s->layout.x[v];
        to->y += s->layout.y[v];
        to->node = v;
        to->count++;
    }
    for (size_t i = 0; i < k; i++) {
        s->node[i].x /= s->node[i].count;
        s->node[i].y /= s->node[i].count;
        s->node[i].terminal = true;
        s->most = s->node[i].count > s->most ? s->node[i].count : s->most;
    }
    free(cell);
    s->n = k;
    s->spacing = side;
    return 0;
}

/* The mean of known values of the nodes merged; of categories, the first. */
static int merge_values(struct sketch *s, const double *value, int n, bool first, struct err *err)
{
    int *known = calloc(s->n + 1, sizeof *known);

    if (!known)
        return err_memory(err);
    for (int v = 0; value && v < n; v++)
        if (!isnan(value[v]) && !(first && known[s->of[v]])) {
            s->node[s->of[v]].value += value[v];
            known[s->of[v]]++;
        }
    for (size_t i = 0; i < s->n; i++)
        s->node[i].value = known[i] ? s->node[i].value / known[i] : (double)NAN;
    free(known);
    return 0;
}

ORDER(sketch_by_ends, struct sketch_link, UP(a) UP(b) UP(bend))

ORDER(by_count, struct sketch_link, DOWN(count) UP(a) UP(b) UP(bend))

static void add_link(struct sketch_link *to, const struct sketch_link *from)
{
    double n = to->count;

    to->bend = (to->bend * n + from->bend) / (n + 1);
    for (int back = 0; back < 2; back++) {
        double *const mean[] = { &to->value[back], &to->width[back] };
        const double more[] = { from->value[back], from->width[back] };

        for (int k = 0; k < 2; k++)
            if (!isnan(more[k]))
                *mean[k] = isnan(*mean[k]) ? more[k] : (*mean[k] * n + more[k]) / (n + 1);
    }
    to->count++;
}

/* Links between the same two sketch nodes become one; those within one vanish; of too many, the thickest stay. */
static void merge_links(struct sketch *s)
{
    size_t k = 0, kept = 0;

    for (size_t i = 0; i < s->nlink; i++) {
        struct sketch_link l = s->link[i];

        l.a = s->of[l.a];
        l.b = s->of[l.b];
        if (l.a > l.b)
            l = (struct sketch_link){ l.b, l.a, -l.bend, { l.value[1], l.value[0] }, { l.width[1], l.width[0] },
                                      l.count };
        if (l.a != l.b)
            s->link[k++] = l;
    }
    qsort(s->link, k, sizeof *s->link, sketch_by_ends);
    for (size_t i = 0; i < k; i++) {
        if (kept && s->link[kept - 1].a == s->link[i].a && s->link[kept - 1].b == s->link[i].b)
            add_link(&s->link[kept - 1], &s->link[i]);
        else
            s->link[kept++] = s->link[i];
    }
    s->nlink = kept;
    if (kept <= SKETCH_LINKS)
        return;
    qsort(s->link, kept, sizeof *s->link, by_count);
    for (size_t i = SKETCH_LINKS; i < kept; i++)
        s->left_out += s->link[i].count;
    s->nlink = SKETCH_LINKS;
}

/* Sizes of squares that hold equally many nodes of a grid: a common divisor of rows and columns near the least one
 * wanted, where there is one. */
static double side_of(const struct layout *l, double least)
{
    const int from = (int)fmax(2, ceil(least)), rows = (int)l->height + 1, columns = (int)l->width + 1;

    if (l->spacing < 0.9)
        return least;
    for (int side = from; side <= 2 * from; side++)
        if (rows % side == 0 && columns % side == 0)
            return side;
    return from;
}

int sketch_coarsen(struct sketch *s, const struct sketch_request *d, double least, struct err *err)
{
    if (merge_nodes(s, side_of(&s->layout, least), err) < 0 ||
        merge_values(s, d->node_value, d->net->n, d->categories, err) < 0)
        return -1;
    merge_links(s);
    s->ngone = 0;
    s->coarse = true;
    sketch_bounds(s);
    return 0;
}

void sketch_release(struct sketch *s)
{
    if (!s->borrowed)
        layout_release(&s->layout);
    FREE(s->node, s->link, s->of, s->gone, s->bend);
    *s = (struct sketch){ 0 };
}

/* ---- bounds ------------------------------------------------------------------------------------------- */

/* Arcs between nodes that are no neighbours rise with their length, so that they do not lie on each other. */
double sketch_bend(const struct sketch *s, const int link[3])
{
    const struct sketch_node *a = &s->node[s->of[link[0]]], *b = &s->node[s->of[link[1]]];
    igraph_integer_t e = link[2];

    if (s->coarse || (e < 0 && igraph_get_eid(s->graph, &e, link[0], link[1], false, false) != IGRAPH_SUCCESS))
        return 0;
    if (e < 0)
        return fmin(0.1 + 0.13 * hypot(b->x - a->x, b->y - a->y), 2.5);
    if (!s->layout.bend && !s->bend)
        return 0;
    return (IGRAPH_FROM(s->graph, e) == link[0] ? 1 : -1) * (s->bend ? s->bend : s->layout.bend)[e];
}

void sketch_include(struct sketch *s, const int link[3])
{
    const struct sketch_node *a = &s->node[s->of[link[0]]], *b = &s->node[s->of[link[1]]];
    const double bend = sketch_bend(s, link);
    double x[LAYOUT_CURVE] = { a->x, b->x }, y[LAYOUT_CURVE] = { a->y, b->y };

    for (int k = bend == 0 ? 1 : layout_bow(x, y, bend) - 1; k >= 0; k--)
        sketch_bound(s, x[k], y[k]);
}
