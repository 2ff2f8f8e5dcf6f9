/* metapath_links.c -- link use follows from the first and last steps of the paths 0 -> v (metapath_links.h).
 * 1. paths           first and last steps of all paths, listed once where there is no grid
 * 2. product sets    on grids, paths with one last step: a product of sets of coordinates, a row of 0 and 1 a dimension
 * 3. areas and boxes    around such a set: row by row on grids, elsewhere by a search and by sliding sums
 * 4. link use        of boxes, and of supernodes of every other shape */
#include "analysis/metapath/metapath_links.h"
#include "graph/base/clones.h"
#include "graph/distance/conv.h"

#define NO_STEP UINT16_MAX

struct links {
    const struct net *net;
    const struct group *g;
    const uint32_t *D;
    bool grid;                  /* sets of paths are products of sets of coordinates */
    int degree, *step, *of;
    uint16_t *first, *last;     /* of the path 0 -> v; where there is no grid */
    uint32_t *X;                /* per node: hops from a set, or 0 for a member */
    uint32_t *table;            /* per dimension and coordinate */
};

static void links_close(struct links *l)
{
    FREE(l->step, l->of, l->first, l->last, l->X, l->table);
}

/* ---- paths ---- */

/* First and last steps of every path, by distance: a path ends as the rest of it does. */
static int paths(struct links *l, struct err *err)
{
    const struct group *g = l->g;
    int *order, *count, at = 0;
    uint32_t longest = 0;

    for (int v = 0; v < g->n; v++)
        longest = l->D[v] > longest ? l->D[v] : longest;
    if (TAKE("link use", err, ARRAY(order, g->n), ARRAY(l->first, g->n), ARRAY(l->last, g->n),
             ZEROS(count, (size_t)longest + 2)) < 0)
        return -1;
    for (int v = 0; v < g->n; v++)
        count[l->D[v] + 1]++;
    for (uint32_t d = 0; d <= longest; d++)
        count[d + 1] += count[d];
    for (int v = 0; v < g->n; v++)
        order[count[l->D[v]]++] = v;
    l->first[0] = l->last[0] = NO_STEP;
    for (at = 1; at < g->n; at++) {
        int v = order[at], e = 0, rest = group_add(g, v, group_negative(g, l->step[0]));

        while (l->D[rest] != l->D[v] - 1)
            rest = group_add(g, v, group_negative(g, l->step[++e]));
        l->first[v] = (uint16_t)e;
        l->last[v] = rest == 0 ? (uint16_t)e : l->last[rest];
    }
    FREE(order, count);
    return 0;
}

static int links_open(struct links *l, const struct net *net, const uint32_t *D, struct err *err)
{
    const struct group *g = net->group;
    size_t coordinates = 0;

    *l = (struct links){ .net = net, .g = g, .D = D, .grid = net->lines == LINES_GRID, .degree = group_degree(g) };
    for (int d = 0; d < g->ndim; d++)
        coordinates += (size_t)g->order[d];
    if (TAKE("link use", err, ARRAY(l->step, l->degree), ARRAY(l->of, l->degree), ARRAY(l->X, g->n),
             ARRAY(l->table, coordinates)) < 0)
        return -1;
    group_steps(g, l->step, l->of);
    if (l->grid || paths(l, err) == 0)
        return 0;
    links_close(l);
    return -1;
}

/* ---- product sets ---- */

/* Grids: the paths that begin (end) with a step are those with offset zero in the dimensions routed before
 * (after) it and its sign in its own: a product of sets, 0 for a member and 1 for another in `table`. */
static void product_set(const struct links *l, bool is_last, int e)
{
    uint32_t *row = l->table;
    int own = l->of[e], k = l->g->order[own];
    bool positive = l->step[e] == l->g->gen[own];

    for (int d = 0; d < l->g->ndim; d++) {
        bool zero = is_last ? d < own : d > own;

        for (int c = 0; c < l->g->order[d]; c++)
            if (d == own)
                row[c] = c == 0 || (l->g->directed ? false : (c <= k / 2) != positive);
            else
                row[c] = zero && c > 0;
        row += l->g->order[d];
    }
}

/* X[v] = sum over dimensions of table at v's coordinates. */
static void outer_sum(const struct links *l)
{
    const uint32_t *row = l->table;
    size_t filled = 1;

    for (int d = 0; d < l->g->ndim; d++)
        row += l->g->order[d];
    l->X[0] = 0;
    for (int d = l->g->ndim - 1; d >= 0; d--) {
        row -= l->g->order[d];
        for (int c = l->g->order[d] - 1; c >= 0; c--) {
            uint32_t *part = l->X + (size_t)c * filled;

            for (size_t i = 0; i < filled; i++)
                part[i] = l->X[i] + row[c];
        }
        filled *= (size_t)l->g->order[d];
    }
}

/* ---- areas and boxes ---- */

/* One ring's 0/1 row into hops from the nearest 0 walking with the steps (both ways, or only up). */
static void ring_hops(uint32_t *row, int k, bool directed)
{
    for (int c = 0; c < k; c++)
        row[c] = row[c] ? UINT32_MAX / 64 : 0;
    for (int turn = 0; turn < 2; turn++)
        for (int c = 0; c < k; c++) {
            uint32_t before = row[c ? c - 1 : k - 1] + 1;

            row[c] = before < row[c] ? before : row[c];
        }
    for (int turn = 0; turn < 2 && !directed; turn++)
        for (int c = k - 1; c >= 0; c--) {
            uint32_t after = row[c + 1 < k ? c + 1 : 0] + 1;

            row[c] = after < row[c] ? after : row[c];
        }
}

/* X[v] = hops to v from the nearest node with a path from 0 that ends with step e. */
static int hops_from_set(const struct links *l, int e, struct err *err)
{
    const struct group *g = l->g;
    int *queue, head = 0, tail = 0;

    if (l->grid) {
        uint32_t *row = l->table;

        product_set(l, true, e);
        for (int d = 0; d < g->ndim; row += g->order[d++])
            ring_hops(row, g->order[d], g->directed);
        outer_sum(l);
        return 0;
    }
    if (TAKE("metapaths", err, ARRAY(queue, g->n)) < 0)
        return -1;
    for (int v = 0; v < g->n; v++) {
        l->X[v] = l->last[v] == e ? 0 : UINT32_MAX;
        if (l->X[v] == 0)
            queue[tail++] = v;
    }
    while (head < tail) {
        int v = queue[head++];

        for (int i = 0; i < l->degree; i++) {
            int w = group_add(g, v, l->step[i]);

            if (l->X[w] == UINT32_MAX) {
                l->X[w] = l->X[v] + 1;
                queue[tail++] = w;
            }
        }
    }
    free(queue);
    return 0;
}

/* One ring's row of a product set: 0 where a member lies within the window behind. */
static void metapath_links_widen(uint32_t *row, int k, int start, int length, uint32_t *copy)
{
    memcpy(copy, row, (size_t)k * sizeof *row);
    for (int c = 0; c < k; c++) {
        row[c] = 1;
        for (int i = 0; i < length && row[c]; i++)
            row[c] = copy[((c - start - i) % k + k) % k];
    }
}

/* X[t] = 0 where the path of some member of the box to t ends with step e. */
static int set_plus_box(const struct links *l, int e, const struct supernode *sn, struct err *err)
{
    const struct group *g = l->g;
    int start[NET_DIMENSIONS], longest = 1;
    double *in;

    for (int i = 0; i < sn->nside; i++) {
        const int k = net_line(l->net, sn->side[i].dim);

        start[i] = supernode_offset(sn, sn->side[i].length, 0, k, true);
        longest = k > longest ? k : longest;
    }
    if (l->grid) {
        product_set(l, true, e);
        for (int i = 0; i < sn->nside; i++) {
            uint32_t *row = l->table;

            for (int d = 0; d < sn->side[i].dim; d++)
                row += g->order[d];
            metapath_links_widen(row, g->order[sn->side[i].dim], start[i], sn->side[i].length, l->X);
        }
        outer_sum(l);
        return 0;
    }
    in = malloc(((size_t)g->n + 2 * (size_t)longest) * sizeof *in);     /* and room for a line */
    if (!in)
        return err_memory(err);
    for (int v = 0; v < g->n; v++)
        in[v] = l->last[v] == e;
    for (int i = 0; i < sn->nside; i++)
        conv_window(g, net_unit(l->net, sn->side[i].dim), start[i], sn->side[i].length, in, in + g->n);
    for (int v = 0; v < g->n; v++)
        l->X[v] = in[v] < 0.5;
    free(in);
    return 0;
}

/* ---- link use ---- */

void link_use_finish(struct metapath_stats *s, struct link_sum out, struct link_sum in)
{
    if (s->pairs == 0)
        return;
    s->source_links = out.share / s->pairs;
    s->destination_links = in.share / s->pairs;
    if (out.used == s->pairs && in.used == s->pairs)
        s->use = LINKS_MINIMAL;
    else if (out.used == out.there)
        s->use = in.used == in.there ? LINKS_HIGH : LINKS_MEDIUM;
    else
        s->use = LINKS_LOW;
}

/* Every node has the same degree here. */
static struct link_sum sum_of(double used, double pairs, double degree)
{
    return (struct link_sum){ used, pairs * degree, used / degree };
}

/* The first step of the path 0 -> v, by coordinates on grids. */
static int first_step(const struct links *l, int v)
{
    int stride = 1;

    if (!l->grid)
        return l->first[v];
    for (int d = l->g->ndim - 1, e = 0; d >= 0; d--) {
        int k = l->g->order[d], c = v / stride % k;

        if (c)
            return e + (c > k / 2 && !l->g->directed);
        e += l->g->directed || k == 2 ? 1 : 2;
        stride *= k;
    }
    return -1;
}

int link_use_box(struct metapath_stats *s, const struct net *net, const uint32_t *D, const struct supernode *sn,
              const int *member, int nmember, const double *value, struct err *err)
{
    struct links l;
    double pairs = 0, out = 0, in = 0;
    bool *towards;
    int fixed = 0, ret = -1;

    if (group_degree(net->group) >= NO_STEP)
        return 0;
    if (links_open(&l, net, D, err) < 0)
        return -1;
    if (TAKE("metapaths", err, ZEROS(towards, l.degree)) < 0)
        goto done;
    for (int i = 0; i < nmember; i++)
        if (member[i]) {
            int e = first_step(&l, member[i]);

            fixed += !towards[e];
            towards[e] = true;
        }
    for (int t = 0; t < net->n; t++)
        if (!isnan(value[t])) {
            pairs++;
            out += fixed + !towards[first_step(&l, t)];
        }
    for (int e = 0; e < l.degree; e++) {
        if (set_plus_box(&l, e, sn, err) < 0)
            goto done;
        for (int t = 0; t < net->n; t++)
            in += !isnan(value[t]) && l.X[t] == 0;
    }
    link_use_finish(s, sum_of(out, pairs, l.degree), sum_of(in, pairs, l.degree));
    ret = 0;
done:
    free(towards);
    links_close(&l);
    return ret;
}

/* How many targets farther than r are within r of the set. */
SIMD_CLONES static int links_used(const uint32_t *D, const uint32_t *X, int n, uint32_t r)
{
    int used = 0;

    for (int t = 0; t < n; t++)
        used += (D[t] > r) & (X[t] <= r);
    return used;
}

int link_use_areas(struct metapath_stats *out, const struct net *net, const uint32_t *D, const struct supernode *sn,
                size_t n, struct err *err)
{
    struct links l;
    double *in = NULL, degree = group_degree(net->group);
    bool any = false;
    int ret = -1;

    for (size_t i = 0; i < n; i++) {
        const double p = out[i].pairs;
        const struct link_sum one = sum_of(p, p, degree), all = sum_of(p * degree, p, degree);

        if (sn[i].shape == SHAPE_POINT)
            link_use_finish(&out[i], one, one);
        else if (sn[i].shape == SHAPE_ALL || (sn[i].shape == SHAPE_BALL && sn[i].both))
            link_use_finish(&out[i], all, all);
        else
            any = any || (sn[i].shape == SHAPE_BALL && p > 0);      /* without pairs no link is used */
    }
    if (!any || degree >= NO_STEP)
        return 0;
    if (links_open(&l, net, D, err) < 0)
        return -1;
    if (TAKE("metapaths", err, ZEROS(in, n)) < 0)
        goto done;
    for (int e = 0; e < l.degree; e++) {
        if (hops_from_set(&l, e, err) < 0)
            goto done;
        for (size_t i = 0; i < n; i++) {
            const uint32_t r = (uint32_t)sn[i].radius;

            if (sn[i].shape == SHAPE_BALL && !sn[i].both)
                in[i] += links_used(D, l.X, net->n, r);
        }
    }
    for (size_t i = 0; i < n; i++)
        if (sn[i].shape == SHAPE_BALL && !sn[i].both)
            link_use_finish(&out[i], sum_of(out[i].pairs * degree, out[i].pairs, degree),
                         sum_of(in[i], out[i].pairs, degree));
    ret = 0;
done:
    free(in);
    links_close(&l);
    return ret;
}
