#include "model/process/sight.h"

#include "graph/base/mem.h"

/* Groups are numbered by their least ranks, which lead them: member i of a group, and group i, has the message from
 * number i without its lowest bit. */
static int tree_two_level_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    const int n = t->n;
    int *group, *number, *leader, *member, *order = NULL, ngroup, at = 0, ret;

    if (TAKE("a process tree", err, ARRAY(group, n), ARRAY(number, n), ZEROS(leader, n + 1), ARRAY(member, n),
             ARRAY(order, n)) < 0)
        return -1;
    ret = sight_groups(group, &ngroup, scene, err);
    if (ret < 0)
        goto done;
    for (int v = 0; v < n; v++)                     /* leader: members so far; then where groups begin */
        number[v] = leader[group[v]]++;
    for (int g = 0, sum = 0; g <= ngroup; g++) {
        const int count = leader[g];

        leader[g] = sum;
        sum += count;
    }
    for (int v = 0; v < n; v++)
        member[leader[group[v]] + number[v]] = v;
    for (int g = ngroup - 1; g > 0; g--) {          /* the largest subtree first, groups before members */
        order[at++] = member[leader[g]];
        t->parent[member[leader[g]]] = member[leader[g & (g - 1)]];
    }
    for (int k = n - 1; k >= 0; k--) {
        const int v = member[k], i = number[v];

        if (i > 0) {
            order[at++] = v;
            t->parent[v] = member[leader[group[v]] + (i & (i - 1))];
        }
    }
    tree_shape_children(t, order, false);
done:
    FREE(group, number, leader, member, order);
    return ret;
}

const struct tree tree_two_level = {
    .name = "two-level",
    .summary = "processes in groups: a binomial tree among those that lead them, and one in each",
    .source = "Karonis and others 2000; Zhu and others 2009 (hierarchical collectives of MPICH2)",
    .notes = "Groups are the processes of a node, where some node has several; else those whose terminals hang on the "
        "same switch; where that gives one group, or only groups of one, ceil(sqrt n) ranks one after the other. The "
        "root leads its group, the least rank each other, and serves groups before members.",
    .build = tree_two_level_build
};
