/* Orbits of what messages cross (flows_alike.h).
 *   search    symmetries of the network that keep kinds of cables and the traffic
 *   orbits    nodes, trunks and turns by union-find, of every generator only what it moves
 *   turns     which orbit messages of one link go on by */
#include "analysis/load/flows_alike.h"

#include <stdlib.h>

#include "analysis/load/demand.h"
#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "graph/numeric/union_find.h"

#define MOST_LINKS 6e5          /* of a network that symmetries are searched for, which cannot be stopped at once */
#define MOST_TURNS 1e9

/* ---- search ---- */

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
    if (demand_open(&d, traffic, 1, tick, err) < 0 || demand_marks(&amounts, &d, err) < 0)
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

/* ---- orbits ---- */

struct joining {
    struct alike *a;
    const struct follow *f;
    size_t *in_first;           /* by node: in[] are the trunks that lead to it */
    int *in;
    unsigned char *touched;     /* by node: it or a neighbour of it moves */
    int *node;                  /* those */
    int *image;                 /* of the trunks to a node */
};

static int trunk_tail(const struct follow *f, int trunk)
{
    return f->tail[trunks_first(&f->trunks, (size_t)trunk)];
}

static size_t degree_of(const struct csr *c, int node)
{
    return c->first[node + 1] - c->first[node];
}

static size_t joining_touch(const struct joining *j, const int *map)
{
    const struct csr *c = &j->f->links;
    size_t n = 0;

    for (int v = 0; v < c->n; v++) {
        if (map[v] == v)
            continue;
        j->touched[v] |= 1;
        for (size_t k = c->first[v]; k < c->first[v + 1]; k++)
            j->touched[c->to[k]] |= 1;
        for (size_t k = j->in_first[v]; k < j->in_first[v + 1]; k++)
            j->touched[trunk_tail(j->f, j->in[k])] |= 1;
    }
    for (int v = 0; v < c->n; v++) {
        if (j->touched[v])
            j->node[n++] = v;
        j->touched[v] = 0;
    }
    return n;
}

/* What one symmetry takes to each other, around one node. */
static void joining_around(const struct joining *j, const int *map, int v)
{
    const struct csr *c = &j->f->links;
    struct alike *a = j->a;
    const int to = map[v];
    const size_t degree = degree_of(c, v), nin = j->in_first[v + 1] - j->in_first[v];

    union_find_join(a->node, v, to);
    for (size_t i = 0; i < nin; i++)
        j->image[i] = a->place[csr_link(c, map[trunk_tail(j->f, j->in[j->in_first[v] + i])], to)];
    for (size_t k = 0; k < degree; k++) {
        const size_t out = c->first[v] + k, image = csr_link(c, to, map[c->to[out]]);

        union_find_join(a->trunk, (int)out, (int)image);
        for (size_t i = 0; i < nin; i++)
            union_find_join(a->turn, (int)(a->at[v] + i * degree + k),
                            (int)(a->at[to] + (size_t)j->image[i] * degree + image - c->first[to]));
    }
}

static int joining_open(struct joining *j, struct err *err)
{
    const struct csr *c = &j->f->links;
    const size_t n = (size_t)c->n;
    struct alike *a = j->a;
    size_t most = 0;

    if (mem_need((double)n * (3 * sizeof *a->node + 2 * sizeof *a->at + 1) + (double)c->m * 4 * sizeof *a->trunk,
                 "the turns of messages", err) < 0)
        return -1;
    a->node = malloc(n * sizeof *a->node);
    a->at = calloc(n + 1, sizeof *a->at);
    a->place = malloc((c->m + 1) * sizeof *a->place);
    a->trunk = malloc((c->m + 1) * sizeof *a->trunk);
    a->trunks = calloc(c->m + 1, sizeof *a->trunks);
    j->in_first = calloc(n + 1, sizeof *j->in_first);
    j->in = malloc((c->m + 1) * sizeof *j->in);
    j->touched = calloc(n, 1);
    j->node = malloc(n * sizeof *j->node);
    if (!a->node || !a->at || !a->place || !a->trunk || !a->trunks || !j->in_first || !j->in || !j->touched || !j->node)
        return err_memory(err);
    for (size_t k = 0; k < c->m; k++)
        j->in_first[c->to[k] + 1]++;
    for (size_t v = 0; v < n; v++) {
        const size_t nin = j->in_first[v + 1];

        a->at[v + 1] = a->at[v] + nin * degree_of(c, (int)v);
        most = nin > most ? nin : most;
        j->in_first[v + 1] += j->in_first[v];
    }
    for (int v = 0; v < c->n; v++)
        j->node[v] = 0;
    for (size_t k = 0; k < c->m; k++) {
        a->place[k] = j->node[c->to[k]]++;
        j->in[j->in_first[c->to[k]] + (size_t)a->place[k]] = (int)k;
    }
    j->image = malloc((most + 1) * sizeof *j->image);
    return j->image ? 0 : err_memory(err);
}

/* Kinds of equal value are one. */
static int alike_kinds(struct alike *a, const struct cables *c, struct err *err)
{
    a->nkind = c->nkind > 0 ? c->nkind : 1;
    a->kind = calloc((size_t)a->nkind, sizeof *a->kind);
    if (!a->kind)
        return err_memory(err);
    for (int k = 0; c->kind && k < c->nkind; k++)
        while (c->kind[a->kind[k]].bandwidth != c->kind[k].bandwidth || c->kind[a->kind[k]].length != c->kind[k].length)
            a->kind[k]++;
    return 0;
}

static int alike_join(struct joining *j, const struct symmetries *s, const struct tick *t, struct err *err)
{
    struct alike *a = j->a;
    const size_t n = (size_t)s->n;
    size_t turns;

    if (joining_open(j, err) < 0 || alike_kinds(a, &j->f->net->cables, err) < 0)
        return -1;
    turns = a->at[n];
    if (mem_need(2.0 * (double)turns * sizeof *a->turn, "the turns of messages", err) < 0)
        return -1;
    a->turn = malloc((turns + 1) * sizeof *a->turn);
    a->turns = calloc(turns + 1, sizeof *a->turns);
    if (!a->turn || !a->turns)
        return err_memory(err);
    union_find_alone(a->node, n);
    union_find_alone(a->trunk, j->f->links.m);
    union_find_alone(a->turn, turns);
    for (size_t i = 0; i < s->count; i++) {
        const int *map = s->map + i * n;
        const size_t touched = joining_touch(j, map);

        for (size_t k = 0; k < touched; k++)
            joining_around(j, map, j->node[k]);
        if (tick(t, 0))
            return err_stopped(err);
    }
    for (size_t v = 0; v < n; v++)
        a->node[v] = union_find_root(a->node, (int)v);
    for (size_t k = 0; k < j->f->links.m; k++)
        a->trunks[a->trunk[k] = union_find_root(a->trunk, (int)k)]++;
    for (size_t k = 0; k < turns; k++)
        a->turns[a->turn[k] = union_find_root(a->turn, (int)k)]++;
    return 0;
}

static double all_turns(const struct follow *f)
{
    double sum = 0;
    for (size_t k = 0; k < f->links.m; k++)
        sum += (double)degree_of(&f->links, f->links.to[k]);
    return sum;
}

int alike_open(struct alike *out, const struct follow *f, const struct traffic *traffic, const struct tick *tick,
               struct err *err)
{
    struct alike a = { 0 };
    struct joining j = { .a = &a, .f = f };
    struct symmetries s = { 0 };
    int ret = -1, different = 0;

    *out = a;
    if ((double)f->links.m > MOST_LINKS || all_turns(f) * (f->net->cables.nkind + 1) > MOST_TURNS)
        return 0;
    if (alike_search(&s, f->net, traffic, tick, err) < 0 || (s.count > 0 && alike_join(&j, &s, tick, err) < 0))
        goto done;
    for (int k = 0; a.node && k < f->net->nterminal; k++)
        different += a.node[net_terminal(f->net, k)] == net_terminal(f->net, k);
    if (a.node && 2 * different <= f->net->nterminal) {
        *out = a;
        a = (struct alike){ 0 };
    }
    ret = 0;
done:
    symmetries_release(&s);
    alike_close(&a);
    free(j.in_first);
    free(j.in);
    free(j.touched);
    free(j.node);
    free(j.image);
    return ret;
}

void alike_close(struct alike *a)
{
    void *const own[] = { a->node, a->trunk, a->turn, a->turns, a->trunks, a->at, a->place, a->kind };

    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        free(own[i]);
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
    const size_t in = alike_trunk(f, from), out = alike_trunk(f, to);
    const int v = f->head[from], kind = alike_kind(a, f, from);
    const int turn = a->turn[a->at[v] + (size_t)a->place[in] * degree_of(&f->links, v) + out - f->links.first[v]];

    *many = (double)a->turns[turn] * alike_cables(a, f, in, kind) / a->trunks[a->trunk[out]];
    return turn * a->nkind + kind;
}
