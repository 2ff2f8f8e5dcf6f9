#include "render/page/palette.h"

const struct palette palette_cividis = {
    .name = "cividis",
    .summary = "the same colours; ramp from yellow over grey to blue, chosen so that colour-blind readers see the same",
    .source = "Okabe and Ito 2008; Nunez, Anderton and Renslow 2018",
    .series = OKABE_ITO,
    .ramp = { 0xffea46, 0xe7d259, 0xcaba69, 0xafa472, 0x959077, 0x7d7c76, 0x666971, 0x4e566c, 0x2e446c, 0x00316c,
              0x00204d },
    .diverging = { 0x0f4d84, 0x1a6cb6, 0x248cea, 0x76acfb, 0xb6cefd, 0xf1f1f1, 0xe3ca9d, 0xcca651, 0xab8411, 0x84650a,
                   0x5f4805 }
};
