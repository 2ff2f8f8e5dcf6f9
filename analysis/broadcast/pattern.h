/* pattern.h -- broadcast patterns that are no process tree. One file pattern_NAME.c each. */
#ifndef ANALYSIS_BROADCAST_PATTERN_H
#define ANALYSIS_BROADCAST_PATTERN_H

#include "graph/base/entry.h"

struct pattern {
    ENTRY;
    bool of_trees;              /* one of the process trees, chosen anew for each case; else it has no schedule and
                                 * no ports */
};
KIND_HEADER(pattern, pattern, struct pattern);

#endif
