#include "model/process/tree.h"

#include "graph/base/mem.h"

#include "registry/tree.inc"

KIND(tree, tree, struct tree, .name = "algorithm", .what = "process tree", .rank = 11)

int tree_shape_take(struct tree_shape *s, int n, struct err *err)
{
    const size_t size = (size_t)n;

    *s = (struct tree_shape){ .n = n };
    if (n < 1)
        return err_set(err, ERR_DOMAIN, "a process tree needs at least one process");
    return TAKE("the process tree", err, ARRAY(s->parent, size), ZEROS(s->first, size + 2), ARRAY(s->child, size));
}

/* Counting sort by parent of the ranks in an order; those with none stand before all others. */
static void shape_serve(struct tree_shape *s, const int *order, bool descending)
{
    int *fill = s->first + 1;           /* fill[v] becomes the end of v's children, that is first[v + 1] */

    for (int v = 1; v < s->n; v++)
        fill[s->parent[v] + 1]++;
    for (int v = 1; v <= s->n; v++)
        fill[v] += fill[v - 1];
    for (int i = 1; i < s->n; i++) {
        const int v = order ? order[i - 1] : descending ? s->n - i : i;

        s->child[fill[s->parent[v]]++] = v;
    }
}

void tree_shape_children(struct tree_shape *s, bool largest_first)
{
    shape_serve(s, NULL, largest_first);
}

void tree_shape_serve(struct tree_shape *s, const int *order)
{
    shape_serve(s, order, false);
}

/* From parent[v], or what the tree says. */
static int lay_out(struct tree_shape *out, const struct tree *tree, const int *parent, int n, bool largest_first,
                   struct err *err)
{
    struct tree_shape s;
    int ret = tree_shape_take(&s, n, err);

    for (int v = 0; ret == 0 && v < n; v++) {
        s.parent[v] = v == 0 ? -1 : parent ? parent[v] : tree->parent(v, n);
        if (v > 0 && (s.parent[v] < 0 || s.parent[v] >= v))
            ret = err_set(err, ERR_DOMAIN, "rank %d of a process tree has parent %d: it must be 0..%d", v, s.parent[v],
                          v - 1);
    }
    if (ret < 0) {
        tree_shape_release(&s);
        return -1;
    }
    tree_shape_children(&s, largest_first);
    *out = s;
    return 0;
}

int tree_shape_from(struct tree_shape *out, const int *parent, int n, bool largest_first, struct err *err)
{
    return lay_out(out, NULL, parent, n, largest_first, err);
}

int tree_shape_init(struct tree_shape *out, const struct tree *tree, int n, const struct tree_scene *scene,
                    struct err *err)
{
    if (tree->build && !scene)
        return err_set(err, ERR_DOMAIN, "%s follows a network, and there is none", tree->name);
    if (tree->build)
        return tree->build(out, scene, err);
    return lay_out(out, tree, NULL, n, tree->largest_first, err);
}

void tree_shape_release(struct tree_shape *s)
{
    FREE(s->parent, s->first, s->child);
    *s = (struct tree_shape){ 0 };
}
