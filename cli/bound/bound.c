#include "cli/bound/bound.h"

#include <stddef.h>

#define X(name) extern const struct bound bound_##name;
#include "registry/bound.inc"
#undef X

const struct bound *const bound_all[] = {
#define X(name) &bound_##name,
#include "registry/bound.inc"
#undef X
    NULL
};
