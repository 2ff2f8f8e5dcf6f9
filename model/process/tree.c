#include "model/process/tree.h"

#include "registry/tree.inc"

KIND(tree, tree, struct tree, .name = "algorithm", .what = "process tree", .rank = 11)

static int shape_take(struct tree_shape *s, int n, struct err *err)
{
    const size_t size = (size_t)n;

    *s = (struct tree_shape){ .n = n };
    if (n < 1)
        return err_set(err, ERR_DOMAIN, "a process tree needs at least one process");
    if (TAKE("the process tree", err, ARRAY(s->parent, size), ZEROS(s->first, size + 2), ARRAY(s->child, size)) < 0)
        return -1;
    s->parent[0] = -1;
    return 0;
}

/* Counting sort by parent of the ranks in an order; those with none stand before all others. */
void tree_shape_children(struct tree_shape *s, const int *order, bool largest_first)
{
    int *fill = s->first + 1;           /* fill[v] becomes the end of v's children, that is first[v + 1] */

    for (int v = 1; v < s->n; v++)
        fill[s->parent[v] + 1]++;
    for (int v = 1; v <= s->n; v++)
        fill[v] += fill[v - 1];
    for (int i = 1; i < s->n; i++) {
        const int v = order ? order[i - 1] : largest_first ? s->n - i : i;

        s->child[fill[s->parent[v]]++] = v;
    }
}

/* From parent[v], or what the tree says. */
static int shape_by_rank(struct tree_shape *s, const struct tree *tree, const int *parent, bool largest_first,
                         struct err *err)
{
    for (int v = 1; v < s->n; v++) {
        s->parent[v] = parent ? parent[v] : tree->parent(v, s->n);
        if (s->parent[v] < 0 || s->parent[v] >= v)
            return err_set(err, ERR_DOMAIN, "rank %d of a process tree has parent %d: it must be 0..%d", v,
                           s->parent[v], v - 1);
    }
    tree_shape_children(s, NULL, largest_first);
    return 0;
}

static int shape_done(struct tree_shape *out, struct tree_shape *s, int ret)
{
    if (ret < 0)
        tree_shape_release(s);
    else
        *out = *s;
    return ret;
}

int tree_shape_from(struct tree_shape *out, const int *parent, int n, bool largest_first, struct err *err)
{
    struct tree_shape s;

    return shape_done(out, &s, shape_take(&s, n, err) < 0 ? -1 : shape_by_rank(&s, NULL, parent, largest_first, err));
}

int tree_shape_init(struct tree_shape *out, const struct tree *tree, int n, const struct tree_scene *scene,
                    struct err *err)
{
    struct tree_shape s;

    if (tree->build && !scene)
        return err_set(err, ERR_DOMAIN, "%s follows a network, and there is none", tree->name);
    return shape_done(out, &s, shape_take(&s, n, err) < 0 ? -1 : tree->build ? tree->build(&s, scene, err) :
                      shape_by_rank(&s, tree, NULL, tree->largest_first, err));
}

void tree_shape_release(struct tree_shape *s)
{
    FREE(s->parent, s->first, s->child);
    *s = (struct tree_shape){ 0 };
}
