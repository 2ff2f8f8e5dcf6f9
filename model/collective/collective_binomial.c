#include "model/collective/trees.h"

const struct collective collective_binomial = {
    .name = "binomial",
    .summary = "each step doubles the processes that have the message, or halves those whose part is missing",
    .source = "Thakur, Rabenseifner and Gropp 2005; paper on reconfigurable MPI collectives, section 5",
    .notes = "Gather and scatter move the blocks of a whole subtree in one message. The barrier goes up the tree and "
        "down again.",
    .serves = {
        [BROADCAST] = &(const struct program){ .open = trees_open, .parts = trees_from_root },
        [REDUCE] = &(const struct program){ .open = trees_open, .parts = trees_to_root },
        [GATHER] = &(const struct program){ .open = trees_open, .parts = trees_to_root },
        [SCATTER] = &(const struct program){ .open = trees_open, .parts = trees_from_root },
        [BARRIER] = &(const struct program){ .open = trees_open, .parts = trees_there_and_back }
    },
    .segments = true
};
