#include "model/collective/trees.h"

const struct collective collective_sequential = {
    .name = "sequential",
    .summary = "the root exchanges messages with every other process itself",
    .source = "paper on reconfigurable MPI collectives, section 5",
    .notes = "Full fan-out and fan-in: its sends do not wait for each other. Its barrier is the one elsewhere called a "
        "star: every process tells the root, which then tells all.",
    .serves = {
        [BROADCAST] = &(const struct program){ .open = trees_open, .parts = trees_from_root },
        [REDUCE] = &(const struct program){ .open = trees_open, .parts = trees_to_root },
        [GATHER] = &(const struct program){ .open = trees_open, .parts = trees_to_root },
        [SCATTER] = &(const struct program){ .open = trees_open, .parts = trees_from_root },
        [BARRIER] = &(const struct program){ .open = trees_open, .parts = trees_there_and_back }
    },
    .segments = true
};
