/* bound.h -- the catalogue of what `metapath bound` computes. One file bound_NAME.c each, a command below `bound`. */
#ifndef CLI_BOUND_BOUND_H
#define CLI_BOUND_BOUND_H

#include "cli/request/command.h"

KIND_HEADER(bound, bound, struct cmd);

/* What capacity_open takes (analysis/bound/capacity.h). */
#define CAPACITY_OPTION \
    { "capacity", 0, "WHAT", "capacity of links: unit (1 each), weights (of a network file that does not say what "  \
      "they mean) or a FILE.csv with columns from,to,capacity: a row holds for both directions unless the other "   \
      "has its own, for all cables between two nodes together, and links without a row keep theirs (default: "      \
      "their bandwidths)", 0, INTO(capacity) }

#endif
