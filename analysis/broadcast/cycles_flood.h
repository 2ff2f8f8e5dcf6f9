/* cycles_flood.h -- flooding in cycles, on an idle network: every node forwards the whole message over all its links as
 * soon as it has it. A message of F flits takes F/bandwidth + length over a link, the quickest of cables in parallel;
 * sending takes no port.
 * Units   cycles, flits.
 * Errors  ERR_NETWORK where a terminal cannot be reached, ERR_MEMORY, ERR_STOPPED. */
#pragma once

#include "analysis/broadcast/cycles_ways.h"

/* Until the last terminal has the message of `node`. */
int cycles_flood(double *completion, const struct cycles_links *links, const struct net *net, int node, double flits,
                 const struct tick *tick, struct err *err);
