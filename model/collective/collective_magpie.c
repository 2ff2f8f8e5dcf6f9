#include "model/collective/trees.h"

const struct collective collective_magpie = {
    .name = "magpie",
    .summary = "from the root to one process of each group, and in groups of processes that are near",
    .source = "Kielmann and others 1999",
    .notes = "Over the process tree of that name, where it is asked for. Allreduce and barrier go up the tree and down "
        "again.",
    TREES_OF_NETWORK,
    .asked = true
};
