#include "analysis/broadcast/pattern.h"

#include "registry/pattern.inc"

KIND(pattern, pattern, struct pattern, .name = "algorithm", .rank = 12)
