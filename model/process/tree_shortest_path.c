#include "model/process/sight.h"

static int tree_shortest_path_build(struct tree_shape *t, const struct tree_scene *scene, struct err *err)
{
    return sight_tree(t, scene, false, err);
}

const struct tree tree_shortest_path = {
    .name = "shortest-path",
    .summary = "along a tree of the network: the quickest ways from the root's node to all others",
    .source = "Dijkstra 1959",
    .notes = "A link takes its hop time, its length and what the message takes to pass it (where it cuts through: "
        "longer than a unit link); in steps all take one, and the tree is that of breadth-first. A switch, or a node "
        "without a process, stands for the process that is nearest to it in the tree. A process serves the child first "
        "whose subtree takes longest.",
    .build = tree_shortest_path_build,
    .quickest = true
};
