#include "render/page/palette.h"

#include "registry/palette.inc"

KIND(palette, palette, struct palette, .name = "palette", .rank = 19)
