#include "analysis/broadcast/pattern.h"

const struct pattern pattern_best = {
    .name = "best",
    .summary = "whichever process tree takes the fewest: the reconfigurable choice",
    .source = "paper on reconfigurable MPI collectives, section 5 (RMBcast)",
    .of_trees = true
};
