#include "render/page/palette.h"

const struct palette palette_grey = {
    .name = "grey",
    .summary = "no colours: greys, dashes and hatching",
    .grey = true,
    .series = { 0x000000, 0x6b6b6b, 0x9a9a9a, 0x333333, 0x808080, 0x505050, 0xa2a2a2 },
    .ramp = { 0xebebeb, 0xd5d5d5, 0xbfbfbf, 0xa9a9a9, 0x939393, 0x7d7d7d, 0x676767, 0x515151, 0x3b3b3b, 0x252525,
              0x0f0f0f }
};
