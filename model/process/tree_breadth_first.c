#include "model/process/sight.h"

static int tree_breadth_first_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    return sight_tree(t, scene, true, err);
}

const struct tree tree_breadth_first = {
    .name = "breadth-first",
    .summary = "along a tree of the network: the fewest hops from the root's node to all others",
    .source = "Moore 1959, breadth-first search; trees that follow a network: Karonis and others 2000",
    .notes = "A switch, or a node without a process, stands for the process that is nearest to it in the tree: in a "
        "fat tree the root sends to a process of each pod, these to one of each leaf switch, these to the others "
        "there. A process serves the child first whose subtree takes longest.",
    .build = tree_breadth_first_build
};
