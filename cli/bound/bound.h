/* bound.h -- the catalogue of what `metapath bound` computes. One file bound_NAME.c each. */
#ifndef CLI_BOUND_BOUND_H
#define CLI_BOUND_BOUND_H

#include "cli/request/frame.h"
#include "graph/base/entry.h"

struct bound {
    ENTRY;
    const struct frame *frame;  /* argv[0] is "metapath bound NAME" */
};
KIND_HEADER(bound, bound, struct bound);

/* What capacity_open takes (analysis/bound/capacity.h). */
#define CAPACITY_OPTION \
    { "capacity", 0, "WHAT", "capacity of links: unit (1 each), weights (of a network file that does not say what "  \
      "they mean) or a FILE.csv with columns from,to,capacity: a row holds for both directions unless the other "   \
      "has its own, for all cables between two nodes together, and links without a row keep theirs (default: "      \
      "their bandwidths)", 0, INTO(capacity) }

#endif
