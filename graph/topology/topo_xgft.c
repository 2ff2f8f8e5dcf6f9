#include "graph/topology/tree.h"
#include "texts/topo.h"

static int numbers(int *out, int h, const struct spec *spec, const char *key, struct err *err)
{
    int n;

    if (topo_numbers(out, &n, TREE_LEVELS, spec_get(spec, key), 1, 1 << 20, key, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    return n == h ? 0 : err_set(err, ERR_USAGE, "'%.80s': %d levels, and %s= has %d numbers; write one a level",
                                spec->text, h, key, n);
}

static int append(struct net *net, const char *before, const int *of, int h, struct err *err)
{
    for (int i = 0; i < h; i++)
        if (spec_append(&net->spec, err, "%s%d", i ? "+" : before, of[i]) < 0)
            return -1;
    return 0;
}

static int open_xgft(struct net *net, const struct spec *spec, struct err *err)
{
    struct tree t = { .h = 0 };

    if (!*spec->params || !spec_get(spec, "up"))
        return err_set(err, ERR_USAGE, "'%.80s': write the children and parents of each level, as in "
                       "xgft:4+4+4,up=1+4+4", spec->text);
    if (topo_numbers(t.m, &t.h, TREE_LEVELS, spec->params, 1, 1 << 20, "number of children", err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    for (int i = 0; i < t.h; i++)
        t.cables[i] = 1;
    if (numbers(t.w, t.h, spec, "up", err) < 0 ||
        (spec_get(spec, "cables") && numbers(t.cables, t.h, spec, "cables", err) < 0) ||
        tree_open(net, &t, spec, err) < 0 || append(net, "xgft:", t.m, t.h, err) < 0 ||
        append(net, ",up=", t.w, t.h, err) < 0)
        return -1;
    return net->cables.parallel ? append(net, ",cables=", t.cables, t.h, err) : 0;
}

/* The subtree below the roots; they are in none. */
static int group(const struct net *net, int node)
{
    const struct tree *t = net->param;
    const int level = tree_level(t, node);
    int below = t->roots[level];

    for (int i = level; i + 1 < t->h; i++)
        below *= t->m[i];
    return level == t->h ? -1 : (node - t->first[level]) / below;
}

const struct topo topo_xgft = {
    TOPO_XGFT_ENTRY, TREE, .open = open_xgft, .group = group
};
