#include "analysis/broadcast/pattern.h"

const struct pattern pattern_best = {
    .name = "best",
    .summary = "the process tree that takes the fewest steps, of all that serve the network",
    .source = "paper on reconfigurable MPI collectives, section 5 (RMBcast, of four trees)",
    .of_trees = true
};
