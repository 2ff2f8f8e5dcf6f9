/* palette.h -- palettes: colours of series that the colour-blind can tell apart, and ramps of rising lightness
 * (so that they print in grey). Ramps go from light to dark, so that little ink says little. One file palette_NAME.c
 * each.
 *
 * A diverging ramp is for values of both signs: light in its middle, which is zero, and as light on one side as at the
 * same distance on the other (CIE 1976 L* from 95 to 32; two hues that stay apart in colour-blind eyes). Greys cannot
 * tell two such sides apart: a palette without colours has none, and its one ramp runs from the least value on. */
#pragma once

#include "graph/base/entry.h"

#define PALETTE_SERIES 7
#define PALETTE_RAMP 11
struct palette {
    ENTRY;
    bool grey;                  /* no colours: dashes and hatching tell series apart from the first on */
    unsigned series[PALETTE_SERIES];    /* 0xrrggbb */
    unsigned ramp[PALETTE_RAMP];        /* from low to high, evenly spaced */
    unsigned diverging[PALETTE_RAMP];   /* from below zero to above it, evenly spaced; grey: none */
};
KIND_HEADER(palette, palette, struct palette);
extern const struct palette palette_viridis;    /* the default */

/* The hues of Okabe and Ito 2008 without yellow, which a white page swallows: blue, vermilion, bluish green, orange,
 * reddish purple, sky blue, black. Their lightness is not theirs: the first four are L* 29, 42, 53 and 67, so that grey
 * prints tell them apart, and none is paler than that: orange has a contrast of 2.5 with paper, the others 3. Any two
 * are 14 or more apart by CIEDE2000, also for those who lack one kind of cones (tests/unit/test_colour.c). */
#define OKABE_ITO { 0x074195, 0xb83606, 0x3e8d59, 0xec8c00, 0xb55899, 0x079ced, 0x000000 }
