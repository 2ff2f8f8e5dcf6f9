#include "model/process/sight.h"

static int tree_two_level_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    return sight_grouped(t, scene, false, err);
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
