/* lfts.h -- forwarding tables as a subnet manager dumps them (opensm, opensm/osm_dump.c): by switch, for every
 * destination the port that leads there. A destination is found by the port guid behind its lid; where that of no
 * terminal is known, as simulated fabrics count them: the guid of the adapter and the number of its port. Lids are those
 * of one run, and join nothing.
 * Errors  ERR_FORMAT with path and line; ERR_NETWORK for pairs of terminals that the tables do not join. */
#pragma once

#include "model/routing/route.h"

/* Whether the file begins as such a dump. */
bool lfts_is(const char *path);
/* Makes `r`, which is being opened, a routing by the tables of a file. */
int lfts_open(struct routing *r, const struct spec *spec, struct err *err);
/* Writes the tables of a routing, whose lids are counted from 1. ERR_DOMAIN for one that has several ways at a switch to
 * a destination. */
int lfts_write(FILE *f, struct routing *r, struct err *err);
