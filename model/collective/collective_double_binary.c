/* Two binary trees over all processes but the root, which feeds both: inner processes of one are leaves of the other.
 * The messages to rank v in tree t are one edge. A process sends on two edges and receives on two: edges get one of two
 * colours, so that neither two on which it sends nor two on which it receives are alike, and each is used in every
 * second step. Actions are in the order of those steps: served one after the other, the trees would wait for each
 * other at every segment. */
#include "graph/base/bisect.h"
#include "model/collective/trees.h"
#include "texts/collective.h"

/* ---- the trees ---- */

/* In a tree numbered in order from 1, a process stands as high as it has zeros at the end: leaves are odd. 0 is the
 * root of all. Where the parent on one side is beyond the last process, it is the one on the other. */
static int double_binary_up(int x, int n)
{
    const int bit = x & -x, less = x - bit;
    const int64_t up = (int64_t)less | 2 * (int64_t)bit;

    return up < n ? (int)up : less;
}

/* The second tree is the first in a mirror, which makes odd numbers even where the last is even; where it is odd, the
 * first moved on by a place, the last coming to the first. Back: place to rank. */
static int double_binary_place(int v, int last, bool back)
{
    return v == 0 ? 0 : last % 2 == 0 ? last + 1 - v : back ? v % last + 1 : v == 1 ? last : v - 1;
}

/* ---- the steps ---- */

/* Of the edge to rank v of a tree: its colour while they are chosen, then the step of its first message. */
static int *double_binary_step(const struct schedule *s, int tree, int v)
{
    return trees_shape(s, 1).child + s->n + (size_t)tree * (size_t)s->n + v;
}

/* The other edge on which the sender of this one sends: to rank *v of *tree. False: there is none. */
static bool double_binary_sibling(int *tree, int *v, const struct schedule *s)
{
    struct tree_shape t = trees_shape(s, *tree);
    const int parent = t.parent[*v];
    int first = t.first[parent];

    if (parent == 0) {                  /* it sends to one in each */
        *tree = 1 - *tree;
        *v = trees_shape(s, *tree).child[trees_shape(s, *tree).first[0]];
        return true;
    }
    if (tree_nchild(&t, parent) < 2)
        return false;
    first += t.child[first] == *v;
    *v = t.child[first];
    return true;
}

/* Edges that share a sender or a receiver make paths and cycles of even length: along each, from an end if there is
 * one, colours alternate. */
static void double_binary_colour(const struct schedule *s)
{
    for (int64_t e = 2; e < 2 * (int64_t)s->n; e++) {
        int tree = (int)(e % 2), v = (int)(e / 2), other = tree, w = v;

        if (*double_binary_step(s, tree, v) >= 0)
            continue;
        while (double_binary_sibling(&other, &w, s)) {
            tree = other = 1 - other;   /* over the receiver */
            v = w;
            if (tree == e % 2 && v == e / 2)
                break;
        }
        do {
            *double_binary_step(s, tree, v) = 0;
            tree = 1 - tree;
            *double_binary_step(s, tree, v) = 1;
        } while (double_binary_sibling(&tree, &v, s) && *double_binary_step(s, tree, v) < 0);
    }
}

/* The first step of the edge's colour after its sender got something to send. */
static int double_binary_first(const struct schedule *s, int tree, int v)
{
    const int parent = trees_shape(s, tree).parent[v], colour = *double_binary_step(s, tree, v) & 1;
    const int ready = parent == 0 ? 0 : double_binary_first(s, tree, parent) + 1;

    return ready + ((ready ^ colour) & 1);
}

static int double_binary_open(struct schedule *s, struct err *err)
{
    const int n = s->n, last = n - 1;

    if (trees_take(s, 2, 2, err) < 0)
        return -1;
    for (int t = 0; t < 2; t++) {
        struct tree_shape shape = trees_shape(s, t);

        for (int v = 1; v < n; v++) {
            shape.parent[v] = t == 0 ? double_binary_up(v, n) :
                double_binary_place(double_binary_up(double_binary_place(v, last, false), n), last, true);
            *double_binary_step(s, t, v) = -1;
        }
        tree_shape_children(&shape, NULL, false);
    }
    double_binary_colour(s);
    for (int v = 1; v < n; v++)
        for (int t = 0; t < 2; t++)     /* its colour can still be read from it */
            *double_binary_step(s, t, v) = double_binary_first(s, t, v);
    return 0;
}

/* ---- actions ---- */

/* Edges of a process. The step is counted twice, so that sends are before receives: no two are alike, even modulo 4. */
struct edge {
    int64_t at;                         /* of piece 0; that of piece k is 4 k later */
    int tree, peer;
    bool in;
};

static int double_binary_edges(struct edge edge[4], const struct schedule *s, int v)
{
    int n = 0;

    for (int t = 0; t < 2; t++) {
        const struct tree_shape shape = trees_shape(s, t);

        if (v > 0)
            edge[n++] = (struct edge){ 2 * (int64_t)*double_binary_step(s, t, v) + 1, t, shape.parent[v], true };
        for (int c = shape.first[v]; c < shape.first[v + 1]; c++)
            edge[n++] = (struct edge){ 2 * (int64_t)*double_binary_step(s, t, shape.child[c]), t, shape.child[c],
                                        false };
    }
    return n;
}

static int64_t double_binary_length(const struct schedule *s, int p)
{
    struct edge edge[4];

    return double_binary_edges(edge, s, schedule_rank(s, p)) * (s->npieces / 2);
}

static int64_t double_binary_round(const struct schedule *s, int p)
{
    struct edge edge[4];

    return double_binary_edges(edge, s, schedule_rank(s, p));
}

/* How many messages n edges have had at this time and before. */
static int64_t double_binary_had(const struct edge *e, int n, int64_t at, int64_t pieces)
{
    int64_t sum = 0;

    for (; n > 0; n--, e++) {
        const int64_t had = at < e->at ? 0 : (at - e->at) / 4 + 1;

        sum += had < pieces ? had : pieces;
    }
    return sum;
}

static const struct program reduce;

static int double_binary_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const bool up = a->program == &reduce;
    const int64_t pieces = s->npieces / 2;
    struct edge edge[4], *e = edge;
    const int n = double_binary_edges(edge, s, schedule_rank(s, p));
    int64_t first, k;

    i = up ? n * pieces - 1 - i : i;    /* the way up is the way down, backwards */
    /* the first time when more than i have been: in four steps each edge has one, from its first on, which is before
     * four times 64, more than twice the levels of a tree */
    BISECT(first, 4 * (i / n), 4 * (i / n) + 4 * 64, at, double_binary_had(edge, n, at, pieces) <= i);
    while (e->at > first || (first - e->at) % 4 != 0)
        e++;
    k = (first - e->at) / 4;
    a->what = e->in == up ? ACTION_SEND : up ? ACTION_COMBINE : ACTION_RECEIVE;
    a->peer = schedule_process(s, e->peer);
    return action_run(a, e->tree * pieces + (up ? pieces - 1 - k : k), 1, 0, err);
}

static const struct program broadcast = { .open = double_binary_open, .length = double_binary_length,
                                          .action = double_binary_action, .round = double_binary_round };
static const struct program reduce = { .open = double_binary_open, .length = double_binary_length,
                                       .action = double_binary_action, .round = double_binary_round };
static const struct program allreduce = {
    .open = double_binary_open, .parts = (const struct program *const[]){ &reduce, &broadcast, NULL }
};

const struct collective collective_double_binary = {
    COLLECTIVE_DOUBLE_BINARY_ENTRY,
    .serves = { [BROADCAST] = &broadcast, [REDUCE] = &reduce, [ALLREDUCE] = &allreduce },
    .segments = true
};
