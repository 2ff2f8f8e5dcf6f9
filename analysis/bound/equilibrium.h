/* equilibrium.h -- concurrent flow where prices and ways agree: every demand is split over a few ways, what goes by a
 * dearer one moves to the cheapest by Newton's steps until they cost the same (user equilibrium: Dafermos and Sparrow
 * 1969; gradient projection: Jayakrishnan, Tsai, Prashker and Rajadhyaksha 1994), and the price of a link grows
 * exponentially with the load over its capacity. From round to round a link keeps its price and is made dearer or
 * cheaper from there (proximal steps, the exponential method of multipliers: Tseng and Bertsekas 1993), so that flows
 * tend to the best there are without ever steeper prices. A round of shortest paths says what the prices prove and
 * which ways are missing.
 * Units    as in throughput_program.h.
 * Errors   ERR_MEMORY, ERR_STOPPED. */
#pragma once

#include "analysis/bound/throughput_program.h"

struct equilibrium;

/* Goes on until what flow and prices prove is near enough, or until the gap closes so slowly that a linear program of
 * all sources and classes is the shorter way; *f gets the best of both sides. *out holds the flows even so. */
int equilibrium_open(struct equilibrium **out, struct found *f, struct program *p, struct err *err);
void equilibrium_close(struct equilibrium *e);          /* NULL is fine */
/* Parts of class capacities that source i's demand takes, added to relative[class]: j = 0 the flow at hand, else all
 * of it by the j-th way of each of its demands, the latest found first (the last, where there are fewer). False where
 * none has as many. */
bool equilibrium_column(double *relative, const struct equilibrium *e, size_t i, size_t j);
