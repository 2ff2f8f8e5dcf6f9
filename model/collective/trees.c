#include "model/collective/trees.h"

/* ---- what is kept: how many trees, and of each its parent, first, child (tree.h) ---- */

struct tree_shape trees_shape(const struct schedule *s, int tree)
{
    const size_t n = (size_t)s->n;
    int *at = s->state + 1 + (size_t)tree * (3 * n + 2);

    return (struct tree_shape){ s->n, at, at + n, at + 2 * n + 2 };
}

static bool trees_blocks(const struct schedule *s)
{
    return s->operation == GATHER || s->operation == SCATTER;
}

int trees_take(struct schedule *s, int trees, int more, struct err *err)
{
    if (s->operation != BARRIER && !trees_blocks(s)) {
        if (schedule_segments(s, err) < 0)
            return -1;
        s->npieces += s->npieces % trees;       /* as many for each tree */
    }
    if (TAKE("the trees of a collective", err,
             ZEROS(s->state, 1 + (size_t)trees * (3 * (size_t)s->n + 2) + (size_t)more * (size_t)s->n)) < 0)
        return -1;
    s->state[0] = trees;
    for (int t = 0; t < trees; t++)
        for (int v = 0; v < s->n; v++)
            trees_shape(s, t).parent[v] = -1;
    return 0;
}

/* The tree's own arrays, in the schedule's state. */
static int trees_copy(struct schedule *s, const struct tree_shape *tree, struct err *err)
{
    const size_t n = (size_t)s->n;
    struct tree_shape shape;

    if (trees_take(s, 1, 0, err) < 0)
        return -1;
    shape = trees_shape(s, 0);
    memcpy(shape.parent, tree->parent, n * sizeof *shape.parent);
    memcpy(shape.first, tree->first, (n + 1) * sizeof *shape.first);
    memcpy(shape.child, tree->child, (n - 1) * sizeof *shape.child);
    return 0;
}

int trees_open(struct schedule *s, struct err *err)
{
    const struct tree *tree = s->algorithm->tree ? s->algorithm->tree : tree_find("binomial", err);
    struct tree_shape built;
    int ret;

    if (!tree || tree_shape_init(&built, tree, s->n, s->scene, err) < 0)
        return -1;
    ret = trees_copy(s, &built, err);
    tree_shape_release(&built);
    return ret;
}

static int trees_given_open(struct schedule *s, struct err *err)
{
    return trees_copy(s, s->shape, err);
}

/* ---- actions ---- */

/* Neighbours of rank v in a tree: the parent is neighbour 0 where there is one. */
static int trees_degree(const struct tree_shape *t, int v)
{
    return (t->parent[v] >= 0) + tree_nchild(t, v);
}

/* Actions of rank v for a segment of every tree. */
static int trees_round(const struct schedule *s, int v)
{
    int sum = 0;

    for (int k = 0; k < s->state[0]; k++) {
        const struct tree_shape t = trees_shape(s, k);

        sum += trees_degree(&t, v);
    }
    return sum;
}

static int64_t trees_rounds(const struct schedule *s)
{
    return trees_blocks(s) ? 1 : s->npieces / s->state[0];
}

static int64_t trees_repeated(const struct schedule *s, int p)
{
    return trees_round(s, schedule_rank(s, p));
}

static int64_t trees_length(const struct schedule *s, int p)
{
    return trees_rounds(s) * trees_round(s, schedule_rank(s, p));
}

/* The last rank of v's subtree. */
static int trees_last(const struct tree_shape *t, int v)
{
    while (tree_nchild(t, v) > 0) {
        const int one = t->child[t->first[v]], other = t->child[t->first[v + 1] - 1];

        v = one > other ? one : other;
    }
    return v;
}

static int trees_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const bool up = a->program == &trees_up;
    const int v = schedule_rank(s, p), round = trees_round(s, v);
    struct tree_shape t = trees_shape(s, 0);
    int j = (int)(i % round), k = 0, below;
    bool parent;

    j = up ? round - 1 - j : j;
    if (j >= trees_degree(&t, v)) {
        j -= trees_degree(&t, v);
        t = trees_shape(s, k = 1);
    }
    parent = t.parent[v] >= 0 && j == 0;
    below = parent ? v : t.child[t.first[v] + j - (t.parent[v] >= 0)];
    a->peer = schedule_process(s, parent ? t.parent[v] : below);
    a->what = parent == up ? ACTION_SEND : up && s->operation != GATHER ? ACTION_COMBINE : ACTION_RECEIVE;
    return trees_blocks(s) ? action_run(a, schedule_process(s, below), trees_last(&t, below) - below + 1, s->n, err) :
        action_run(a, k * trees_rounds(s) + i / round, 1, 0, err);
}

const struct program trees_down = { .length = trees_length, .action = trees_action, .round = trees_repeated };
const struct program trees_up = { .length = trees_length, .action = trees_action, .round = trees_repeated };

const struct program *const trees_from_root[] = { &trees_down, NULL };
const struct program *const trees_to_root[] = { &trees_up, NULL };
static const struct program *const trees_there_and_back[] = { &trees_up, &trees_down, NULL };

const struct program trees_broadcast = { .open = trees_open, .parts = trees_from_root };
const struct program trees_reduce = { .open = trees_open, .parts = trees_to_root };
const struct program trees_both = { .open = trees_open, .parts = trees_there_and_back };

const struct program *trees_program(const struct tree *tree, enum operation operation)
{
    switch (operation) {
    case BROADCAST:
        return &trees_broadcast;
    case REDUCE:
        return &trees_reduce;
    case SCATTER:
        return tree->whole ? &trees_broadcast : NULL;
    case GATHER:
        return tree->whole ? &trees_reduce : NULL;
    case ALLREDUCE:
        return tree->build ? &trees_both : NULL;
    case BARRIER:
        return tree->build || tree->barrier ? &trees_both : NULL;
    default:
        return NULL;
    }
}

const struct collective trees_given = {
    .name = "given", .summary = "a tree that is laid out",
    .serves = {
        [BROADCAST] = &(const struct program){ .open = trees_given_open, .parts = trees_from_root },
        [REDUCE] = &(const struct program){ .open = trees_given_open, .parts = trees_to_root }
    },
    .segments = true
};

bool trees_alone(struct tree_shape *out, const struct schedule *s)
{
    const bool alone = s->operation == BROADCAST && s->program->parts == trees_from_root &&
        s->state[0] == 1 && s->npieces == 1;

    if (alone)
        *out = trees_shape(s, 0);
    return alone;
}
