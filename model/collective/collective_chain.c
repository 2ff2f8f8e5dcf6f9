#include "model/collective/trees.h"

const struct collective collective_chain = {
    .name = "chain",
    .summary = "every process sends to the next",
    .source = "Chan, Heimlich, Purkayastha and van de Geijn 2007; paper on reconfigurable MPI collectives, section 5",
    .notes = "With segments this is a pipeline.",
    .serves = { [BROADCAST] = &trees_broadcast, [REDUCE] = &trees_reduce },
    .segments = true
};
