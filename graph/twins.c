#include "graph/twins.h"

#include <igraph.h>

#include "graph/numeric/rng.h"

#define MOST_STEPS 100          /* long paths are left to the search */
#define TWO_STEPS 32            /* two-step neighbours, by half-link: where there are more, two nodes hardly agree in
                                 * all of them */
#define AHEAD 16                /* half-links to prefetch */

struct seen {                   /* what a node sees: half-links and marks, sorted by other end, then kind */
    int colour, node;
    size_t n;
    const uint64_t *half;
    bool ends;                  /* these count */
};
struct stripping {
    struct twins *t;
    size_t *first, *many;       /* by node: its halves, and how many of them lead to nodes that are still there */
    uint64_t *half;
    struct seen *seen;
    uint64_t *key, *sorted;     /* by node: colour and what is new, to be numbered */
};

static int by_number(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return (*x > *y) - (*x < *y);
}

static int compare_sights(const struct seen *x, const struct seen *y)
{
    if (x->colour != y->colour || x->n != y->n)
        return x->colour != y->colour ? (x->colour > y->colour) - (x->colour < y->colour) :
            (x->n > y->n) - (x->n < y->n);
    for (size_t i = 0; i < x->n; i++) {
        const uint64_t a = x->ends ? x->half[i] : (uint32_t)x->half[i],
                       b = x->ends ? y->half[i] : (uint32_t)y->half[i];

        if (a != b)
            return a < b ? -1 : 1;
    }
    return 0;
}

static int by_sight(const void *a, const void *b)
{
    const struct seen *x = a, *y = b;
    const int c = compare_sights(x, y);

    return c ? c : (x->node > y->node) - (x->node < y->node);
}

/* Kinds of halves: of a link, its two ways where directed; so for marks of each colour. */
static int stripping_open(struct stripping *s, const igraph_t *graph, const struct marks *marks, struct err *err)
{
    const size_t n = (size_t)s->t->n, m = (size_t)igraph_ecount(graph), all = m + (marks ? marks->n : 0);

    if (TAKE("symmetry", err, ZEROS(s->first, n + 1), ZEROS(s->many, n), ARRAY(s->seen, n), ARRAY(s->key, n),
             ARRAY(s->sorted, n), ARRAY(s->half, 2 * all)) < 0)
        return -1;
    for (int fill = 0; fill < 2; fill++) {
        for (size_t i = 0; i < 2 * all; i++) {
            const size_t e = i / 2;
            const bool back = i % 2;
            const int a = e < m ? (int)IGRAPH_FROM(graph, (igraph_integer_t)e) : marks->from[e - m],
                      b = e < m ? (int)IGRAPH_TO(graph, (igraph_integer_t)e) : marks->to[e - m], v = back ? b : a,
                      kind = e < m ? igraph_is_directed(graph) && back : 2 + 2 * marks->colour[e - m] + back;

            if (fill)
                s->half[s->first[v] + s->many[v]++] = (uint64_t)(uint32_t)(back ? a : b) << 32 | (uint32_t)kind;
            else
                s->first[v + 1]++;
        }
        for (size_t v = 0; v < n && !fill; v++)
            s->first[v + 1] += s->first[v];
    }
    return 0;
}

/* Adds to the numbers of nodes how many others two steps lead to; false where that would take long. */
static bool count_two_steps(struct stripping *s)
{
    const size_t n = (size_t)s->t->n, halves = s->first[n];
    int *last = s->t->into;                     /* whose steps led there last */
    size_t ends = 0;

    for (size_t v = 0; v < n; v++) {
        ends += s->many[v] * s->many[v];
        last[v] = -1;
    }
    for (size_t v = 0; v < n && ends <= TWO_STEPS * halves; v++) {
        uint64_t count = 0;

        for (size_t i = s->first[v]; i < s->first[v + 1]; i++) {
            const size_t u = s->half[i] >> 32, later = s->half[i + AHEAD < halves ? i + AHEAD : i] >> 32;

            __builtin_prefetch(s->half + s->first[later]);
            __builtin_prefetch(s->half + s->first[later + 1] - 1);
            for (size_t j = s->first[u]; j < s->first[u + 1]; j++) {
                count += last[s->half[j] >> 32] != (int)v;
                last[s->half[j] >> 32] = (int)v;
            }
        }
        s->key[v] += count;
    }
    return ends <= TWO_STEPS * halves;
}

/* Numbers nodes anew, by what they had and what the ends of their halves had (Weisfeiler and Leman 1968); returns how
 * many numbers there are. Where two are the same by chance, nodes seem alike that are not: the search tells. */
static size_t refine(struct stripping *s)
{
    const size_t n = (size_t)s->t->n;
    size_t kinds = 0;

    for (size_t v = 0; v < n; v++)
        s->key[v] = rng_mix(s->key[v]);
    for (size_t v = 0; v < n; v++) {
        s->sorted[v] = 2 * s->key[v];
        for (size_t i = s->first[v]; i < s->first[v + 1]; i++)
            s->sorted[v] += s->key[s->half[i] >> 32] * (2 * (uint64_t)(uint32_t)s->half[i] + 1);
    }
    memcpy(s->key, s->sorted, n * sizeof *s->key);
    qsort(s->sorted, n, sizeof *s->sorted, by_number);
    for (size_t v = 0; v < n; v++)
        kinds += v == 0 || s->sorted[v] != s->sorted[v - 1];
    return kinds;
}

/* Whether numbers that no symmetry changes tell each node from all others, as in most networks drawn at random. Where
 * all nodes have as many neighbours, two steps begin to tell them apart. Given up where a round adds less than a
 * quarter of what there is, or of what is lacking: a path would take as many rounds as nodes. */
static bool all_differ(struct stripping *s)
{
    const size_t n = (size_t)s->t->n;
    bool counted = false;

    for (size_t v = 0; v < n; v++)
        s->key[v] = (uint64_t)s->t->colour[v];
    for (size_t before = 0, kinds; (kinds = refine(s)) < n; before = kinds)
        if (kinds == before ? counted || !(counted = count_two_steps(s))
                            : kinds - before < (before < n - before ? before : n - before) / 4)
            return false;
    return true;
}

static bool is_leaf(const struct stripping *s, int v)
{
    const uint64_t *h = s->half + s->first[v];

    return s->many[v] > 0 && h[0] >> 32 == h[s->many[v] - 1] >> 32;
}

/* Nodes that are there, or leaves, by what they see. */
static size_t see(struct stripping *s, bool leaves)
{
    const int *colour = s->t->colour;
    size_t n = 0;

    for (int v = 0; v < s->t->n; v++) {
        uint64_t *h = s->half + s->first[v];
        size_t kept = 0;

        s->key[v] = (uint64_t)(uint32_t)colour[v] << 32;
        for (size_t i = 0; i < s->many[v]; i++)
            if (colour[h[i] >> 32] >= 0)
                h[kept++] = h[i];
        s->many[v] = kept;
        if (colour[v] >= 0 && (!leaves || is_leaf(s, v)))
            s->seen[n++] = (struct seen){ colour[v], v, kept, h, !leaves };
    }
    qsort(s->seen, n, sizeof *s->seen, by_sight);
    return n;
}

/* Takes off all twins but the first, or of every node one leaf of the first kind: twins gone, there is one leaf of a
 * kind. Then colours anew, from the old colour and what was taken off. */
static void strip(struct stripping *s, int step)
{
    struct twins *t = s->t;
    const bool leaves = step % 2;
    const size_t n = see(s, leaves);
    size_t first = 0, left = 0, kinds = 0;

    for (size_t i = 0; i < n; i++) {
        const bool new = i == 0 || compare_sights(&s->seen[first], &s->seen[i]) != 0;
        const int v = s->seen[i].node, at = leaves ? (int)(s->seen[i].half[0] >> 32) : s->seen[new ? i : first].node;

        first = new ? i : first;
        if (at == v || (leaves && (is_leaf(s, at) || (uint32_t)s->key[at])))
            continue;                           /* two nodes alone; or it has one already */
        t->colour[v] = -1;
        t->into[v] = at;
        t->step[v] = step;
        t->off[t->noff++] = v;
        s->key[at] += leaves ? first + 1 : 1;
    }
    for (int v = 0; v < t->n; v++)
        if (t->colour[v] >= 0)
            s->sorted[left++] = s->key[v];
    qsort(s->sorted, left, sizeof *s->sorted, by_number);
    for (size_t i = 0; i < left; i++)
        if (i == 0 || s->sorted[i] != s->sorted[i - 1])
            s->sorted[kinds++] = s->sorted[i];
    for (int v = 0; v < t->n; v++)
        if (t->colour[v] >= 0)
            t->colour[v] = (int)((const uint64_t *)bsearch(&s->key[v], s->sorted, kinds, sizeof *s->sorted, by_number) -
                                 s->sorted);
}

static void list_children(struct twins *t)
{
    for (int k = 0; k < t->noff; k++)
        t->place[t->off[k]] = t->child_first[t->into[t->off[k]] + 1]++;
    for (int v = 0; v < t->n; v++)
        t->child_first[v + 1] += t->child_first[v];
    for (int k = 0; k < t->noff; k++)
        t->child[t->child_first[t->into[t->off[k]]] + t->place[t->off[k]]] = t->off[k];
}

int twins_open(struct twins *out, struct net *net, const igraph_t *graph, const struct marks *marks, struct err *err)
{
    struct twins t = { .n = net->n };
    struct stripping s = { .t = &t };
    int before = -1;
    const int ret = TAKE("symmetry", err, ARRAY(t.colour, t.n), ARRAY(t.into, t.n), ARRAY(t.step, t.n),
                         ARRAY(t.off, t.n), ZEROS(t.child_first, t.n + 1), ARRAY(t.child, t.n),
                         ARRAY(t.place, t.n)) < 0 || stripping_open(&s, graph, marks, err) < 0 ? -1 : 0;

    if (ret == 0) {
        for (int v = 0; v < t.n; v++)
            t.colour[v] = net_terminal_index(net, v) >= 0;
        t.alone = all_differ(&s);
        for (int v = 0; v < t.n && !t.alone; v++)
            qsort(s.half + s.first[v], s.many[v], sizeof *s.half, by_number);
        for (int step = 0; step < MOST_STEPS && before < t.noff && !t.alone; step += 2) {
            before = t.noff;
            strip(&s, step);
            strip(&s, step + 1);
        }
        list_children(&t);
        *out = t;
    } else {
        twins_close(&t);
    }
    FREE(s.first, s.many, s.half, s.seen, s.key, s.sorted);
    return ret;
}

void twins_close(struct twins *t)
{
    FREE(t->colour, t->into, t->step, t->off, t->child_first, t->child, t->place);
    *t = (struct twins){ 0 };
}

void twins_lift(int *map, const struct twins *t, int many)
{
    for (int k = many - 1; k >= 0; k--) {
        const int v = t->off[k];

        map[v] = t->child[t->child_first[map[t->into[v]]] + t->place[v]];
    }
}
