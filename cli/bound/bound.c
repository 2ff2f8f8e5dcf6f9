#include "cli/bound/bound.h"

#include "registry/bound.inc"

KIND(bound, bound, struct cmd, .name = "bound", .where = "metapath bound --help", .rank = 15)
