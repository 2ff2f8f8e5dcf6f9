/* colour.h -- palettes: colours of series that the colour-blind can tell apart, and ramps whose lightness only rises
 * (so that they print in grey). */
#ifndef RENDER_PAGE_COLOUR_H
#define RENDER_PAGE_COLOUR_H

#include <stddef.h>

#include "graph/base/err.h"

struct rgb {
    double r, g, b;             /* sRGB, 0..1 */
};
#define PALETTE_SERIES 7
#define PALETTE_RAMP 11
struct palette {
    const char *name, *summary;
    bool grey;                  /* no colours: dashes and hatching tell series apart from the first on */
    unsigned series[PALETTE_SERIES];    /* 0xrrggbb */
    unsigned ramp[PALETTE_RAMP];        /* from low to high, evenly spaced */
};
extern const struct palette palette_table[];    /* the default first; ended by name NULL */
/* NULL with ERR_USAGE when there is none of that name. */
const struct palette *palette_find(const char *name, struct err *err);

static inline struct rgb rgb_of(unsigned hex)
{
    return (struct rgb){ (hex >> 16 & 255) / 255.0, (hex >> 8 & 255) / 255.0, (hex & 255) / 255.0 };
}
static inline unsigned rgb_hex(struct rgb c)
{
    return (unsigned)(c.r * 255 + 0.5) << 16 | (unsigned)(c.g * 255 + 0.5) << 8 | (unsigned)(c.b * 255 + 0.5);
}
/* Relative luminance, 0 black to 1 white (WCAG 2.1); contrast of two is (brighter + 0.05) / (darker + 0.05). */
double rgb_luminance(struct rgb c);
struct rgb rgb_mix(struct rgb a, struct rgb b, double t);

#endif
