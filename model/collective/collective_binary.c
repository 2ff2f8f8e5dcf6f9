#include "model/collective/trees.h"

const struct collective collective_binary = {
    .name = "binary",
    .summary = "every process has two children, 2v + 1 and 2v + 2",
    .source = "paper on reconfigurable MPI collectives, section 5",
    .notes = "The barrier goes up the tree and down again.",
    .serves = { [BROADCAST] = &trees_broadcast, [REDUCE] = &trees_reduce, [BARRIER] = &trees_both },
    .segments = true
};
