#include "model/process/sight.h"
#include "texts/tree.h"

static int tree_breadth_first_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    return sight_tree(t, scene, true, err);
}

const struct tree tree_breadth_first = {
    TREE_BREADTH_FIRST_ENTRY,
    .source = "Moore 1959, breadth-first search; trees that follow a network: Karonis and others 2000",
    .build = tree_breadth_first_build
};
