/* pattern.h -- broadcast patterns that are no process tree. One file pattern_NAME.c each. */
#pragma once

#include "graph/base/entry.h"

struct pattern {
    ENTRY;
    bool of_trees;              /* one of the process trees, chosen anew for each case; else it has no schedule and
                                 * no ports */
};
KIND_HEADER(pattern, pattern, struct pattern);
