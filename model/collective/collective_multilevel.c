#include "model/collective/trees.h"

const struct collective collective_multilevel = {
    .name = "multilevel",
    .summary = "over groups in groups, as a placement declares them",
    .source = "Karonis and others 2002",
    .notes = "Over the process tree of that name, where it is asked for. Allreduce and barrier go up the tree and down "
        "again.",
    TREES_OF_NETWORK,
    .asked = true
};
