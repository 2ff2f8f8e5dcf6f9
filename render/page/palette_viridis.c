#include "render/page/palette.h"

const struct palette palette_viridis = {
    .name = "viridis",
    .summary = "hues of Okabe and Ito; ramp from yellow over green to violet",
    .source = "Okabe and Ito 2008; van der Walt and Smith 2015",
    .series = OKABE_ITO,
    .ramp = { 0xfde725, 0xbbdf27, 0x7ad151, 0x43bf71, 0x22a884, 0x21908c, 0x2a788e, 0x35608d, 0x414487, 0x482576,
              0x440154 },
    .diverging = { 0x0f4e7f, 0x196dae, 0x238ee0, 0x69affb, 0xb1cffd, 0xf1f1f1, 0xfbc0ac, 0xf4906e, 0xe55f34, 0xbd3d15,
                   0x8e2505 }
};
