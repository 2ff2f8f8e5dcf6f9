#include "analysis/broadcast/pattern.h"

const struct pattern pattern_best = {
    .name = "best",
    .summary = "the one of sequential, binary, binomial and chain that takes the fewest steps",
    .source = "paper on reconfigurable MPI collectives, section 5 (RMBcast)",
    .of_trees = true
};
