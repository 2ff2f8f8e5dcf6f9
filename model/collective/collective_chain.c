#include "model/collective/trees.h"

const struct collective collective_chain = {
    .name = "chain",
    .summary = "every process sends to the next",
    .source = "Chan, Heimlich, Purkayastha and van de Geijn 2007; paper on reconfigurable MPI collectives, section 5",
    .notes = "With segments this is a pipeline.",
    .serves = {
        [BROADCAST] = &(const struct program){ .open = trees_open, .parts = trees_from_root },
        [REDUCE] = &(const struct program){ .open = trees_open, .parts = trees_to_root }
    },
    .segments = true
};
