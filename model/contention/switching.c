#include "model/contention/switching.h"

#include "registry/switching.inc"

KIND(switching, switching, struct switching, .name = "switching", .rank = 9)
