#include "model/collective/trees.h"

const struct collective collective_breadth_first = {
    .name = "breadth-first",
    .summary = "along a tree of the network: the fewest hops from the root to all others",
    .source = "Moore 1959; Karonis and others 2000",
    .notes = "Over the process tree of that name. Allreduce and barrier go up the tree and down again.",
    TREES_OF_NETWORK
};
