/* bound.h -- the catalogue of what `metapath bound` computes. One file bound_NAME.c each. */
#ifndef CLI_BOUND_BOUND_H
#define CLI_BOUND_BOUND_H

#include "graph/base/entry.h"
#include "graph/base/err.h"

struct bound {
    ENTRY;
    /* argv[0] is "metapath bound NAME". Returns an exit status, or -1 with err set. */
    int (*run)(int argc, char **argv, struct err *err);
};
KIND_HEADER(bound, bound, struct bound);

#endif
