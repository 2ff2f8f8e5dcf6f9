#include "model/process/sight.h"
#include "texts/tree.h"

static int tree_shortest_path_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    return sight_tree(t, scene, false, err);
}

const struct tree tree_shortest_path = {
    TREE_SHORTEST_PATH_ENTRY,
    .source = "Dijkstra 1959",
    .build = tree_shortest_path_build,
    .quickest = true
};
