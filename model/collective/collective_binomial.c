#include "model/collective/trees.h"

const struct collective collective_binomial = {
    .name = "binomial",
    .summary = "each step doubles the processes that have the message, or halves those whose part is missing",
    .source = "Thakur, Rabenseifner and Gropp 2005; paper on reconfigurable MPI collectives, section 5",
    .notes = "Gather and scatter move the blocks of a whole subtree in one message. The barrier goes up the tree and "
        "down again.",
    .serves = { [BROADCAST] = &trees_broadcast, [REDUCE] = &trees_reduce, [GATHER] = &trees_reduce,
                [SCATTER] = &trees_broadcast, [BARRIER] = &trees_both },
    .segments = true
};
