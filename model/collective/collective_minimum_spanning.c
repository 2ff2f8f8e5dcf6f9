#include "model/collective/trees.h"

const struct collective collective_minimum_spanning = {
    .name = "minimum-spanning",
    .summary = "over the tree of the least sum of distances between processes",
    .source = "Kruskal 1956; Mehlhorn 1988",
    .notes = "Over the process tree of that name. Allreduce and barrier go up the tree and down again.",
    TREES_OF_NETWORK
};
