#include "model/process/sight.h"
#include "texts/tree.h"

static int tree_two_level_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    return sight_grouped(t, scene, false, err);
}

const struct tree tree_two_level = {
    TREE_TWO_LEVEL_ENTRY,
    .source = "Karonis and others 2000; Zhu and others 2009 (hierarchical collectives of MPICH2)",
    .build = tree_two_level_build
};
