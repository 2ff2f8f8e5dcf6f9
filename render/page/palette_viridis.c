#include "render/page/palette.h"

const struct palette palette_viridis = {
    .name = "viridis",
    .summary = "hues of Okabe and Ito; ramp from yellow over green to violet",
    .source = "Okabe and Ito 2008; van der Walt and Smith 2015",
    .series = OKABE_ITO,
    .ramp = { 0xfde725, 0xbbdf27, 0x7ad151, 0x43bf71, 0x22a884, 0x21908c, 0x2a788e, 0x35608d, 0x414487, 0x482576,
              0x440154 }
};
