#include "analysis/broadcast/pattern.h"
#include "texts/pattern.h"

const struct pattern pattern_flooding = { PATTERN_FLOODING_ENTRY };
