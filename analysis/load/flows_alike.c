/* Orbits of what messages cross (flows_alike.h).
 *   search    symmetries of the network that keep kinds of cables and the traffic
 *   orbits    nodes, trunks and turns by union-find, of every generator only what it moves
 *   turns     which orbit messages of one link go on by */
#include "analysis/load/flows_alike.h"
#include "analysis/load/demand.h"
#include "graph/numeric/union_find.h"

#define TURNS_NUMBERED 1e9      /* ints, times kinds */

/* ---- search ---- */

static size_t degree_of(const struct csr *c, int node)
{
    return c->first[node + 1] - c->first[node];
}

/* Adds marks, their colours after those of `m`. */
static int add_marks(struct marks *m, const struct marks *more, struct err *err)
{
    size_t room = m->n;
    int colours = 0;

    if (GROW(&room, m->n + more->n, "marked pairs of nodes", err, GROWN(m->from), GROWN(m->to), GROWN(m->colour)) < 0)
        return -1;
    for (size_t i = 0; i < m->n; i++)
        colours = m->colour[i] >= colours ? m->colour[i] + 1 : colours;
    for (size_t i = 0; i < more->n; i++) {
        m->from[m->n] = more->from[i];
        m->to[m->n] = more->to[i];
        m->colour[m->n++] = colours + more->colour[i];
    }
    return 0;
}

/* None where there are too many different amounts, or links. */
static int alike_search(struct symmetries *out, struct net *net, const struct traffic *traffic,
                        const struct tick *tick, struct err *err)
{
    struct demand d = { 0 };
    struct marks kinds = { 0 }, amounts = { 0 };
    int ret = -1;

    *out = (struct symmetries){ 0 };
    if (traffic && (demand_open(&d, traffic, 1, tick, err) < 0 || demand_marks(&amounts, &d, err) < 0))
        goto done;
    ret = 0;
    if (amounts.n == SIZE_MAX)
        goto done;
    ret = marks_of_cables(&kinds, net, err) < 0 || add_marks(&kinds, &amounts, err) < 0 ? -1 :
        symmetries_find(out, net, kinds.n ? &kinds : NULL, tick, err);
done:
    demand_close(&d);
    marks_release(&kinds);
    marks_release(&amounts);
    return ret;
}

static int kind_of(const struct follow *f, size_t trunk)
{
    return f->trunks.of ? f->trunks.of[trunks_first(&f->trunks, trunk)] : 0;
}

/* Two permutations make all of the hosts of every switch: the first one and the next change places, and all move on by
 * one. */
static int alike_hosts(struct symmetries *out, const struct follow *f, struct err *err)
{
    const struct csr *c = &f->links;
    const int n = c->n;

    *out = (struct symmetries){ .n = n, .count = 2 };
    if (TAKE("symmetry", err, ARRAY(out->map, 2 * (size_t)n)) < 0)
        return -1;
    for (int i = 0; i < 2 * n; i++)
        out->map[i] = i % n;
    for (int v = 0; v < n; v++) {
        size_t first = SIZE_MAX;
        int last = -1;

        for (size_t k = c->first[v]; k < c->first[v + 1]; k++) {
            const int host = c->to[k];

            if (net_terminal_index(f->net, host) < 0 || degree_of(c, host) != 1 || trunks_cables(&f->trunks, k) != 1)
                continue;
            if (first == SIZE_MAX)
                first = k;
            else if (kind_of(f, k) != kind_of(f, first) ||
                     kind_of(f, c->first[host]) != kind_of(f, c->first[c->to[first]]))
                continue;
            else if (last == c->to[first]) {
                out->map[last] = host;
                out->map[host] = last;
            }
            if (last >= 0)
                out->map[n + last] = host;
            last = host;
        }
        if (last >= 0)
            out->map[n + last] = c->to[first];
    }
    return 0;
}

/* ---- orbits ---- */

/* What one symmetry takes to each other around a node; `image` has room for its links. */
static void join_around(struct alike *a, const struct csr *c, const int *map, int v, int *image)
{
    const int to = map[v];
    const size_t degree = degree_of(c, v);
    bool moves = to != v;

    union_find_join(a->node, v, to);
    for (size_t k = 0; k < degree; k++) {
        const size_t out = c->first[v] + k, there = csr_link(c, to, map[c->to[out]]);

        moves = moves || there != out;
        union_find_join(a->trunk, (int)out, (int)there);
        image[k] = (int)(there - c->first[to]);
    }
    for (size_t in = a->back.first[v]; in < a->back.first[v + 1]; in++) {
        const size_t there = csr_link(&a->back, to, map[a->back.to[in]]);

        for (size_t k = 0; k < degree && (moves || there != in); k++)
            union_find_join(a->turn, (int)(a->at[in] + k), (int)(a->at[there] + (size_t)image[k]));
    }
}

/* Kinds of equal value are one. */
static int alike_kinds(struct alike *a, const struct cables *c, struct err *err)
{
    a->nkind = c->nkind > 0 ? c->nkind : 1;
    if (TAKE("the kinds of cables", err, ZEROS(a->kind, a->nkind)) < 0)
        return -1;
    for (int k = 0; c->kind && k < c->nkind; k++)
        while (c->kind[a->kind[k]].bandwidth != c->kind[k].bandwidth || c->kind[a->kind[k]].length != c->kind[k].length)
            a->kind[k]++;
    return 0;
}

/* Each node, trunk and turn alone; returns how many turns there are in `turns`. */
static int alike_begin(struct alike *a, size_t *turns, const struct csr *c, struct err *err)
{
    const size_t m = a->back.m;

    if (TAKE("the turns of messages", err, ZEROS(a->at, m + 1)) < 0)
        return -1;
    for (int v = 0; v < c->n; v++)
        for (size_t in = a->back.first[v]; in < a->back.first[v + 1]; in++)
            a->at[in + 1] = a->at[in] + degree_of(c, v);
    *turns = a->at[m];
    if (TAKE("the turns of messages", err, ARRAY(a->node, c->n), ARRAY(a->trunk, m), ZEROS(a->trunks, m),
             ARRAY(a->turn, *turns), ZEROS(a->turns, *turns)) < 0)
        return -1;
    union_find_alone(a->node, (size_t)c->n);
    union_find_alone(a->trunk, m);
    union_find_alone(a->turn, *turns);
    return 0;
}

static int alike_join(struct alike *a, const struct follow *f, const struct symmetries *s, const struct tick *t,
                      struct err *err)
{
    const struct csr *c = &f->links;
    const igraph_t *graph;
    int *image, ret = -1;
    size_t turns = 0;

    if (TAKE("the turns of messages", err, ARRAY(image, c->n)) < 0 || net_graph(f->net, &graph, err) < 0 ||
        csr_init(&a->back, graph, true, err) < 0 || alike_kinds(a, &f->net->cables, err) < 0 ||
        alike_begin(a, &turns, c, err) < 0)
        goto done;
    for (size_t i = 0; i < s->count; i++) {
        for (int v = 0; v < c->n; v++)
            join_around(a, c, s->map + i * (size_t)c->n, v, image);
        if (tick_check(t, 0, err) < 0)
            goto done;
    }
    for (int v = 0; v < c->n; v++)
        a->node[v] = union_find_root(a->node, v);
    for (size_t k = 0; k < c->m; k++)
        a->trunks[a->trunk[k] = union_find_root(a->trunk, (int)k)]++;
    for (size_t k = 0; k < turns; k++)
        a->turns[a->turn[k] = union_find_root(a->turn, (int)k)]++;
    ret = 0;
done:
    free(image);
    return ret;
}

/* Of a trunk: whether it leads from one group to another. */
static bool crosses(const struct follow *f, size_t trunk)
{
    const size_t link = trunks_first(&f->trunks, trunk);

    return net_group(f->net, f->tail[link]) != net_group(f->net, f->head[link]);
}

/* Whether some symmetry takes a link within a group to one between two. */
static bool alike_mixes(const struct alike *a, const struct follow *f)
{
    bool mixes = false;

    for (size_t k = 0; k < f->links.m; k++)
        mixes = mixes || crosses(f, k) != crosses(f, (size_t)a->trunk[k]);
    return mixes;
}

int alike_open(struct alike *out, const struct follow *f, const struct traffic *traffic, bool by_group, bool hosts,
               const struct tick *tick, struct err *err)
{
    struct alike a = { 0 };
    struct symmetries s = { 0 };
    double turns = 0;
    int ret = -1, different = 0;

    *out = a;
    for (size_t k = 0; k < f->links.m; k++)
        turns += (double)degree_of(&f->links, f->links.to[k]);
    if ((double)f->links.m > SYMMETRY_LINKS || turns * (f->net->cables.nkind + 1) > TURNS_NUMBERED)
        return 0;
    if ((hosts ? alike_hosts(&s, f, err) : alike_search(&s, f->net, traffic, tick, err)) < 0 || (s.count > 0 && alike_join(&a, f, &s, tick, err) < 0))
        goto done;
    for (int k = 0; a.node && k < f->net->nterminal; k++)
        different += a.node[net_terminal(f->net, k)] == net_terminal(f->net, k);
    if (a.node && 2 * different <= f->net->nterminal && !(by_group && alike_mixes(&a, f))) {
        *out = a;
        a = (struct alike){ 0 };
    }
    ret = 0;
done:
    symmetries_release(&s);
    alike_close(&a);
    return ret;
}

void alike_close(struct alike *a)
{
    FREE(a->node, a->trunk, a->turn, a->turns, a->trunks, a->at, a->kind);
    csr_release(&a->back);
    *a = (struct alike){ 0 };
}

/* ---- turns ---- */

int alike_kind(const struct alike *a, const struct follow *f, size_t link)
{
    return a->kind[f->trunks.of ? f->trunks.of[link] : 0];
}

/* Cables of a kind in a trunk. */
static int alike_cables(const struct alike *a, const struct follow *f, size_t trunk, int kind)
{
    int n = 0;

    for (size_t l = trunks_first(&f->trunks, trunk); l < trunks_first(&f->trunks, trunk + 1); l++)
        n += alike_kind(a, f, l) == kind;
    return n;
}

int alike_turn(double *many, const struct alike *a, const struct follow *f, size_t from, size_t to)
{
    const size_t in = csr_link(&a->back, f->head[from], f->tail[from]), out = alike_trunk(f, to);
    const int kind = alike_kind(a, f, from), turn = a->turn[a->at[in] + out - f->links.first[f->head[from]]];

    *many = (double)a->turns[turn] * alike_cables(a, f, alike_trunk(f, from), kind) / a->trunks[a->trunk[out]];
    return turn * a->nkind + kind;
}
