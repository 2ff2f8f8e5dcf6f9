#include "graph/twins.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/mem.h"

#define MOST_STEPS 100          /* long paths are left to the search */

struct half {                   /* what a node sees of a link or mark */
    int to, code;               /* code: a link, its two ways where directed; so for marks of each colour */
};
struct seen {
    int colour, node;
    size_t n;
    const struct half *half;
};

static int by_end(const void *a, const void *b)
{
    const struct half *x = a, *y = b;

    return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : (x->code > y->code) - (x->code < y->code);
}

static int compare_seen(const struct seen *x, const struct seen *y, bool ends)
{
    if (x->colour != y->colour)
        return x->colour < y->colour ? -1 : 1;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    for (size_t i = 0; i < x->n; i++) {
        const struct half a = { ends ? x->half[i].to : 0, x->half[i].code },
                          b = { ends ? y->half[i].to : 0, y->half[i].code };
        const int c = by_end(&a, &b);

        if (c)
            return c;
    }
    return 0;
}

static int by_neighbours(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    const int c = compare_seen(x, y, true);

    return c ? c : (x->node > y->node) - (x->node < y->node);
}

static int by_codes(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    const int c = compare_seen(x, y, false);

    return c ? c : (x->node > y->node) - (x->node < y->node);
}

/* ---- what every node sees ---- */

struct stripping {
    struct twins *t;
    size_t *first, *many;       /* by node: its halves, and how many of them lead to nodes that are still there */
    struct half *half;
    struct seen *seen;
    uint64_t *key;              /* by node: colour and what is new, to be numbered */
    uint64_t *sorted;
};

static void put_half(struct stripping *s, int from, int to, int code)
{
    s->half[s->first[from] + s->many[from]++] = (struct half){ to, code };
}

static int stripping_open(struct stripping *s, const igraph_t *graph, const struct marks *marks, struct err *err)
{
    const size_t n = (size_t)s->t->n, m = (size_t)igraph_ecount(graph), nmark = marks ? marks->n : 0;
    const bool directed = igraph_is_directed(graph);

    if (mem_need((double)n * (2 * sizeof *s->first + sizeof *s->seen + 2 * sizeof *s->key) +
                 2.0 * (double)(m + nmark) * sizeof *s->half, "symmetry", err) < 0)
        return -1;
    s->first = calloc(n + 2, sizeof *s->first);
    s->many = calloc(n + 1, sizeof *s->many);
    s->half = malloc((2 * (m + nmark) + 1) * sizeof *s->half);
    s->seen = malloc((n + 1) * sizeof *s->seen);
    s->key = malloc((n + 1) * sizeof *s->key);
    s->sorted = malloc((n + 1) * sizeof *s->sorted);
    if (!s->first || !s->many || !s->half || !s->seen || !s->key || !s->sorted)
        return err_memory(err);
    for (int fill = 0; fill < 2; fill++) {
        for (size_t e = 0; e < m + nmark; e++) {
            const int a = e < m ? (int)IGRAPH_FROM(graph, (igraph_integer_t)e) : marks->from[e - m],
                      b = e < m ? (int)IGRAPH_TO(graph, (igraph_integer_t)e) : marks->to[e - m],
                      code = e < m ? 0 : 2 + 2 * marks->colour[e - m];

            if (fill) {
                put_half(s, a, b, code);
                put_half(s, b, a, code + (e >= m || directed));
            } else {
                s->first[a + 1]++;
                s->first[b + 1]++;
            }
        }
        for (size_t v = 0; !fill && v < n; v++)
            s->first[v + 1] += s->first[v];
    }
    for (size_t v = 0; v < n; v++)
        qsort(s->half + s->first[v], s->many[v], sizeof *s->half, by_end);
    return 0;
}

static void stripping_close(struct stripping *s)
{
    free(s->first);
    free(s->many);
    free(s->half);
    free(s->seen);
    free(s->key);
    free(s->sorted);
}

/* ---- steps ---- */

static size_t see(struct stripping *s, bool leaves)
{
    size_t n = 0;

    for (int v = 0; v < s->t->n; v++) {
        struct half *h = s->half + s->first[v];
        size_t kept = 0;

        s->key[v] = (uint64_t)(uint32_t)s->t->colour[v] << 32;
        if (s->t->colour[v] < 0)
            continue;
        for (size_t i = 0; i < s->many[v]; i++)
            if (s->t->colour[h[i].to] >= 0)
                h[kept++] = h[i];
        s->many[v] = kept;
        if (!leaves || (kept && h[0].to == h[kept - 1].to))
            s->seen[n++] = (struct seen){ s->t->colour[v], v, kept, h };
    }
    qsort(s->seen, n, sizeof *s->seen, leaves ? by_codes : by_neighbours);
    return n;
}

static void take_off(struct twins *t, int v, int into, int step)
{
    t->colour[v] = -1;
    t->into[v] = into;
    t->step[v] = step;
    t->off[t->noff++] = v;
}

static void take_twins(struct stripping *s, int step)
{
    const size_t n = see(s, false);
    size_t first = 0;

    for (size_t i = 1; i < n; i++)
        if (compare_seen(&s->seen[first], &s->seen[i], true) == 0) {
            take_off(s->t, s->seen[i].node, s->seen[first].node, step);
            s->key[s->seen[first].node]++;
        } else {
            first = i;
        }
}

/* One a node, of the first kind that hangs there: twins gone, there is one of a kind. */
static void take_leaves(struct stripping *s, int step)
{
    const size_t n = see(s, true);
    uint32_t kind = 1;

    for (size_t i = 0; i < n; i++) {
        const int v = s->seen[i].node, at = s->seen[i].half->to;

        kind += i && compare_seen(&s->seen[i - 1], &s->seen[i], false) != 0;
        if (s->half[s->first[at]].to == s->half[s->first[at] + s->many[at] - 1].to || (uint32_t)s->key[at])
            continue;                           /* two nodes alone; or it has one already */
        take_off(s->t, v, at, step);
        s->key[at] += kind;
    }
}

static int by_key(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

/* Colours anew, of what colour and step tell apart. */
static void recolour(struct stripping *s)
{
    struct twins *t = s->t;
    size_t n = 0, kinds = 0;

    for (int v = 0; v < t->n; v++)
        if (t->colour[v] >= 0)
            s->sorted[n++] = s->key[v];
    qsort(s->sorted, n, sizeof *s->sorted, by_key);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || s->sorted[i] != s->sorted[i - 1])
            s->sorted[kinds++] = s->sorted[i];
    for (int v = 0; v < t->n; v++)
        if (t->colour[v] >= 0)
            t->colour[v] = (int)((uint64_t *)bsearch(&s->key[v], s->sorted, kinds, sizeof *s->sorted, by_key) -
                                 s->sorted);
}

/* ---- together ---- */

static void list_children(struct twins *t)
{
    for (int k = 0; k < t->noff; k++)
        t->place[t->off[k]] = t->child_first[t->into[t->off[k]] + 1]++;
    for (int v = 0; v < t->n; v++)
        t->child_first[v + 1] += t->child_first[v];
    for (int k = 0; k < t->noff; k++)
        t->child[t->child_first[t->into[t->off[k]]] + t->place[t->off[k]]] = t->off[k];
}

int twins_open(struct twins *out, const igraph_t *graph, const int *colour, const struct marks *marks,
               struct err *err)
{
    const size_t n = (size_t)igraph_vcount(graph);
    struct twins t = { .n = (int)n };
    struct stripping s = { .t = &t };
    int ret = -1, before = -1;

    if (mem_need((double)n * 7 * sizeof *t.off, "symmetry", err) < 0)
        return -1;
    t.colour = calloc(n + 1, sizeof *t.colour);
    t.into = malloc((n + 1) * sizeof *t.into);
    t.step = malloc((n + 1) * sizeof *t.step);
    t.off = malloc((n + 1) * sizeof *t.off);
    t.child_first = calloc(n + 2, sizeof *t.child_first);
    t.child = malloc((n + 1) * sizeof *t.child);
    t.place = malloc((n + 1) * sizeof *t.place);
    if (!t.colour || !t.into || !t.step || !t.off || !t.child_first || !t.child || !t.place) {
        err_memory(err);
        goto done;
    }
    if (colour)
        memcpy(t.colour, colour, n * sizeof *t.colour);
    if (stripping_open(&s, graph, marks, err) < 0)
        goto done;
    for (int step = 0; step < MOST_STEPS && before < t.noff; step += 2) {
        before = t.noff;
        take_twins(&s, step);
        recolour(&s);
        take_leaves(&s, step + 1);
        recolour(&s);
    }
    list_children(&t);
    ret = 0;
done:
    stripping_close(&s);
    if (ret < 0)
        twins_close(&t);
    else
        *out = t;
    return ret;
}

void twins_close(struct twins *t)
{
    free(t->colour);
    free(t->into);
    free(t->step);
    free(t->off);
    free(t->child_first);
    free(t->child);
    free(t->place);
    *t = (struct twins){ 0 };
}

void twins_lift(int *map, const struct twins *t, int many)
{
    for (int k = many - 1; k >= 0; k--) {
        const int v = t->off[k];

        map[v] = t->child[t->child_first[map[t->into[v]]] + t->place[v]];
    }
}
