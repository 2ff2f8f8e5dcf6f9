#include "model/collective/trees.h"

const struct collective collective_earliest_arrival = {
    .name = "earliest-arrival",
    .summary = "over a greedy tree: whoever gets it earliest from one who has it is next",
    .source = "Bhat, Raghavendra and Prasanna 1999",
    .notes = "Over the process tree of that name. Allreduce and barrier go up the tree and down again.",
    TREES_OF_NETWORK
};
