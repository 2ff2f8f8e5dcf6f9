#include "render/page/palette.h"

const struct palette palette_inferno = {
    .name = "inferno",
    .summary = "the same colours; ramp from pale yellow over red to black",
    .source = "Okabe and Ito 2008; van der Walt and Smith 2015",
    .series = OKABE_ITO,
    .ramp = { 0xfcffa4, 0xf6d645, 0xfca50a, 0xf3771a, 0xdd513a, 0xbc3754, 0x932667, 0x6a176e, 0x420a68, 0x160b39,
              0x000004 },
    .diverging = { 0x5e30a1, 0x814fc4, 0xa46fe8, 0xc299ee, 0xdbc4f3, 0xf1f1f1, 0xf1c5a1, 0xe39b5b, 0xcb7310, 0x9e580a,
                   0x723e05 }
};
