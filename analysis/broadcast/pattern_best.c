#include "analysis/broadcast/pattern.h"
#include "texts/pattern.h"

const struct pattern pattern_best = {
    PATTERN_BEST_ENTRY,
    .of_trees = true
};
