/* cycles_capacity.h -- lower bound on the mean interval between the broadcasts of a root.
 * Units   cycles.
 * Errors  ERR_MEMORY.
 *
 * Of what all roots send once, each message keeps its links for its time over them at least (those that messages hold:
 * over its slowest; circuits: and until they are set up), and a port of its sender until it has left it or, blocking,
 * until it is delivered. Where one root starts every `interval` cycles in the mean, a link, the cables of a trunk and
 * the p ports of a process can keep up only if interval >= the sum of these times over the number of cables or ports.
 * With unit links and no hop time: messages times their length over the fullest link, and messages sent times
 * their length over p. */
#pragma once

#include "analysis/broadcast/cycles.h"

struct cycles_capacity {
    double interval;
    int process;                /* the bottleneck; -1: a link is (where both are, the process is named) */
    int trunk, cable;           /* the link; cable from 1, 0: all its cables, or its only one */
};
int cycles_capacity(struct cycles_capacity *out, const struct cycles_ways *ways, const struct cycles_how *how,
                    struct err *err);
