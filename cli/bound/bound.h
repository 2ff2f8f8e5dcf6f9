/* bound.h -- the catalogue of what `metapath bound` computes. One file bound_NAME.c each, a command below `bound`. */
#pragma once

#include "cli/request/command.h"
#include "texts/option.h"

KIND_HEADER(bound, bound, struct cmd);

/* What capacity_open takes (analysis/bound/capacity.h). */
#define CAPACITY_OPTION { OPTION_BOUND_CAPACITY, 0, INTO(capacity) }
