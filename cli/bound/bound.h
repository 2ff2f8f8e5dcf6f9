/* bound.h -- the catalogue of what `metapath bound` computes. One file bound_NAME.c each, a command below `bound`. */
#ifndef CLI_BOUND_BOUND_H
#define CLI_BOUND_BOUND_H

#include "cli/request/command.h"
#include "texts/option.h"

KIND_HEADER(bound, bound, struct cmd);

/* What capacity_open takes (analysis/bound/capacity.h). */
#define CAPACITY_OPTION { OPTION_BOUND_CAPACITY, 0, INTO(capacity) }

#endif
