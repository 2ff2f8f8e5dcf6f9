#include "model/process/sight.h"
#include "texts/tree.h"

/* The levels that the placement declares, and within them nodes; without any, groups as two-level has them. */
static int tree_multilevel_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    const struct placement *where = scene->where;
    const int n = t->n, nlevel = where->nlevel;
    int *group, *seen, ngroup, ret = 0;

    if (TAKE("a process tree", err, ARRAY(group, (size_t)(nlevel + 1) * (size_t)n), ARRAY(seen, scene->net->n)) < 0)
        return -1;
    for (int l = 0; l < nlevel; l++)
        for (int v = 0; v < n; v++)
            group[(size_t)l * (size_t)n + (size_t)v] =
                where->level[(size_t)tree_process(v, scene->root, n) * (size_t)nlevel + (size_t)l];
    if (nlevel == 0)
        ret = sight_groups(group, &ngroup, scene, err);
    for (int v = 0; v < scene->net->n; v++)
        seen[v] = -1;
    for (int v = 0; nlevel > 0 && v < n; v++) {         /* of a node that is in several groups, the first's */
        const int *inner = group + (size_t)(nlevel - 1) * (size_t)n;
        int *first = &seen[where->node[tree_process(v, scene->root, n)]];

        *first = *first < 0 ? v : *first;
        group[(size_t)nlevel * (size_t)n + (size_t)v] = inner[*first] == inner[v] ? *first : v;
    }
    ret = ret < 0 ? -1 : sight_levels(t, group, nlevel + 1, true, err);
    FREE(group, seen);
    return ret;
}

const struct tree tree_multilevel = {
    TREE_MULTILEVEL_ENTRY,
    .source = "Karonis and others 2002 (a multilevel approach to topology-aware collectives in computational grids)",
    .build = tree_multilevel_build,
    .asked = true
};
