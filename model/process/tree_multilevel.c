#include "model/process/sight.h"

#include "graph/base/mem.h"

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
    .name = "multilevel",
    .summary = "groups in groups, as a placement declares them: the root to one process of each, binomially within",
    .source = "Karonis and others 2002 (a multilevel approach to topology-aware collectives in computational grids)",
    .notes = "A placement that is a table may have columns beside process and node: groups, the outermost first, as in "
        "process,node,region,campus; processes of a node are the innermost. The root sends to one process of each "
        "outermost group, each of these binomially to one of each group in its own, and so on. Without such columns "
        "there is one level: magpie.",
    .build = tree_multilevel_build,
    .asked = true
};
