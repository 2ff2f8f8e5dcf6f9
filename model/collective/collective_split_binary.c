/* Half the vector goes down each of the two subtrees of the root; then every process gets the other half from a partner
 * in the other subtree. */
#include "model/collective/trees.h"
#include "texts/collective.h"

/* The parent in a binary tree: odd ranks in the left subtree, even ones in the right, as Open MPI builds it:
 * children of v, on the level that has `level` ranks, are v + level and v + 2 level. */
static int split_binary_parent(int v)
{
    int level = 1;

    while ((v + 1) / 4 >= level)
        level *= 2;
    return v - level < 2 * level - 1 ? v - level : v - 2 * level;
}

static int split_binary_open(struct schedule *s, struct err *err)
{
    if (trees_take(s, 2, 0, err) < 0)
        return -1;
    for (int t = 0; t < 2; t++) {
        struct tree_shape shape = trees_shape(s, t);

        for (int v = 1 + t; v < s->n; v += 2)
            shape.parent[v] = split_binary_parent(v);
        tree_shape_children(&shape, NULL, false);
    }
    return 0;
}

/* Whether the root sends to v, or v is the root and sends: with one odd rank more than even ones, the last has no other
 * partner. */
static bool split_binary_lone(const struct schedule *s, int v)
{
    return s->n % 2 == 0 && (v == 0 || v == s->n - 1);
}

static int64_t exchange_length(const struct schedule *s, int p)
{
    const int v = schedule_rank(s, p);

    return split_binary_lone(s, v) ? 1 : v > 0 ? 2 : 0;
}

static int exchange_action(struct action *a, const struct schedule *s, int p, int64_t i, struct err *err)
{
    const int v = schedule_rank(s, p);
    const bool lone = split_binary_lone(s, v), sends = lone ? v == 0 : i == 0;
    const int64_t half = s->npieces / 2;

    a->what = sends ? ACTION_SEND : ACTION_RECEIVE;
    a->peer = schedule_process(s, lone ? s->n - 1 - v : v % 2 ? v + 1 : v - 1);
    return action_run(a, (v % 2 == 0) == sends ? half : 0, half, 0, err);
}

static const struct program exchange = { .length = exchange_length, .action = exchange_action };
static const struct program split_binary = {
    .open = split_binary_open, .parts = (const struct program *const[]){ &trees_down, &exchange, NULL }
};

const struct collective collective_split_binary = {
    COLLECTIVE_SPLIT_BINARY_ENTRY,
    .serves = { [BROADCAST] = &split_binary },
    .segments = true
};
