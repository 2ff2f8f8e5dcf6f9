#include "model/collective/trees.h"

const struct collective collective_shortest_path = {
    .name = "shortest-path",
    .summary = "along a tree of the network: the quickest ways from the root to all others",
    .source = "Dijkstra 1959",
    .notes = "Over the process tree of that name. Allreduce and barrier go up the tree and down again.",
    TREES_OF_NETWORK
};
