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

#endif
