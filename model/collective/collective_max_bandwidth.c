#include "model/collective/trees.h"

const struct collective collective_max_bandwidth = {
    .name = "max-bandwidth",
    .summary = "over the tree whose narrowest ways are the widest there are",
    .source = "the maximum spanning tree by bandwidth: Hu 1961",
    .notes = "Over the process tree of that name, where it is asked for. Allreduce and barrier go up the tree and down "
        "again.",
    TREES_OF_NETWORK,
    .asked = true
};
