/* palette.h -- palettes: colours of series that the colour-blind can tell apart, and ramps whose lightness only rises
 * (so that they print in grey). Ramps go from light to dark, so that little ink says little. One file palette_NAME.c
 * each. */
#ifndef RENDER_PAGE_PALETTE_H
#define RENDER_PAGE_PALETTE_H

#include "graph/base/entry.h"

#define PALETTE_SERIES 7
#define PALETTE_RAMP 11
struct palette {
    ENTRY;
    bool grey;                  /* no colours: dashes and hatching tell series apart from the first on */
    unsigned series[PALETTE_SERIES];    /* 0xrrggbb */
    unsigned ramp[PALETTE_RAMP];        /* from low to high, evenly spaced */
};
KIND_HEADER(palette, palette, struct palette);
extern const struct palette palette_viridis;    /* the default */

/* Okabe and Ito 2008, without yellow, which a white page swallows: blue, vermilion, bluish green, reddish purple,
 * orange, sky blue, black. */
#define OKABE_ITO { 0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7, 0xe69f00, 0x56b4e9, 0x000000 }

#endif
