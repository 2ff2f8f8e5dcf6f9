#include "model/collective/trees.h"

const struct collective collective_binary = {
    .name = "binary",
    .summary = "every process has two children, 2v + 1 and 2v + 2",
    .source = "paper on reconfigurable MPI collectives, section 5",
    .notes = "The barrier goes up the tree and down again.",
    .serves = {
        [BROADCAST] = &(const struct program){ .open = trees_open, .parts = trees_from_root },
        [REDUCE] = &(const struct program){ .open = trees_open, .parts = trees_to_root },
        [BARRIER] = &(const struct program){ .open = trees_open, .parts = trees_there_and_back }
    },
    .segments = true
};
