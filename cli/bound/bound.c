#include "cli/bound/bound.h"

#include "registry/bound.inc"

KIND(bound, bound, struct bound, .name = "bound", .where = "metapath bound --help", .rank = 15)
