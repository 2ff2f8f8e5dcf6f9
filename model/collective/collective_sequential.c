#include "model/collective/trees.h"

const struct collective collective_sequential = {
    .name = "sequential",
    .summary = "the root exchanges messages with every other process itself",
    .source = "paper on reconfigurable MPI collectives, section 5",
    .notes = "Full fan-out and fan-in: its sends do not wait for each other. Its barrier is the one elsewhere called a "
        "star: every process tells the root, which then tells all.",
    .serves = { [BROADCAST] = &trees_broadcast, [REDUCE] = &trees_reduce, [GATHER] = &trees_reduce,
                [SCATTER] = &trees_broadcast, [BARRIER] = &trees_both },
    .segments = true
};
