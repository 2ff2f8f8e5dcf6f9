#include "render/page/colour.h"

#include <math.h>
#include <string.h>

#include "graph/base/catalogue.h"

/* Okabe and Ito 2008, without yellow, which a white page swallows: blue, vermilion, bluish green, reddish purple,
 * orange, sky blue, black. */
#define OKABE_ITO { 0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000 }

/* Ramps go from light to dark, so that little ink says little: viridis and inferno (van der Walt and Smith 2015),
 * cividis (Nunez, Anderton and Renslow 2018). */
const struct palette palette_table[] = {
    { "viridis", "colours of Okabe and Ito; ramp from yellow over green to violet", false, OKABE_ITO,
      { 0xfde725, 0xbbdf27, 0x7ad151, 0x43bf71, 0x22a884, 0x21908c, 0x2a788e, 0x35608d, 0x414487, 0x482576, 0x440154 } },
    { "cividis", "the same colours; ramp from yellow over grey to blue, alike to all eyes", false, OKABE_ITO,
      { 0xffea46, 0xe7d259, 0xcaba69, 0xafa472, 0x959077, 0x7d7c76, 0x666971, 0x4e566c, 0x2e446c, 0x00316c, 0x00204d } },
    { "inferno", "the same colours; ramp from pale yellow over red to black", false, OKABE_ITO,
      { 0xfcffa4, 0xf6d645, 0xfca50a, 0xf3771a, 0xdd513a, 0xbc3754, 0x932667, 0x6a176e, 0x420a68, 0x160b39, 0x000004 } },
    { "grey", "no colours: greys, dashes and hatching", true,
      { 0x000000, 0x6b6b6b, 0x9a9a9a, 0x333333, 0x808080, 0xb0b0b0, 0x505050 },
      { 0xebebeb, 0xd5d5d5, 0xbfbfbf, 0xa9a9a9, 0x939393, 0x7d7d7d, 0x676767, 0x515151, 0x3b3b3b, 0x252525, 0x0f0f0f } },
    { .name = NULL }
};

const struct palette *palette_find(const char *name, struct err *err)
{
    const char *known[CATALOGUE_MOST];
    size_t n = 0;

    for (; palette_table[n].name; n++) {
        if (strcmp(palette_table[n].name, name) == 0)
            return &palette_table[n];
        known[n] = palette_table[n].name;
    }
    catalogue_unknown(err, "palette", name, known, n, "metapath list palette");
    return NULL;
}

static double linear(double v)
{
    return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

double rgb_luminance(struct rgb c)
{
    return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

struct rgb rgb_mix(struct rgb a, struct rgb b, double t)
{
    return (struct rgb){ a.r + (b.r - a.r) * t, a.g + (b.g - a.g) * t, a.b + (b.b - a.b) * t };
}
