/* about.h -- the size of a family nearest to a number of terminals, of the sizes that are built alike:
 *     torus, hyperx    sides that differ by one at most, torus in two or three dimensions, hyperx in either
 *     fattree:K        dragonfly, a = 2h = 2p        megafly, l = s = h = hosts        slimfly:Q        polarfly:Q
 *     random           switches of as many ports as the nearest fat tree's (4 at least), two in three for cables
 * Switches of direct families have ceil(k/2) hosts beside k cables. Nearest is what the logarithm of terminals is; of
 * two as near, the one of fewer switches. */
#pragma once

#include "graph/base/base.h"

struct about {
    char spec[100];
    double terminals, switches;
    int ports;                  /* of a switch, at most */
};

/* The family of row `row`, from 0; a family with several shapes has several. NULL: there are no more. */
const char *about_family(int row);
/* No switch with more than `radix` ports (0: any): hosts take what a switch has left, at least half of those they would
 * have. ERR_NETWORK: no size is within a
 * factor of four. */
int about_find(struct about *out, int row, double terminals, int radix, struct err *err);
/* A random network of as many switches and ports, and as near as can be as many hosts, the same at each switch. False:
 * so few ports cannot join all switches. */
bool about_random(struct about *out, const struct about *as);
