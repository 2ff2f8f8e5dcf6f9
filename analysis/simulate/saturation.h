/* saturation.h -- the load at which a simulated network saturates.
 * A load is sustained if messages take at most four times as long as at a fiftieth of what was guessed, sources fall
 * behind what they offer by less than 2 %, and there is a steady state and no deadlock. Found by bisection from a guess:
 * `low` was sustained, `high` was not, and they are at most 2 % apart. Runs are as long as those of the simulation: what
 * collapses later is not seen.
 * Units   factors of a load (struct load); cycles.
 * Errors  those of simulate_run; ERR_DOMAIN for a network that sustains more than any load that sources can offer (no
 *         saturation), or nothing at all. */
#pragma once

#include "analysis/simulate/simulate.h"

struct simulate_saturated {
    double low, high;                   /* sustained, and not */
    double idle;                        /* packet latency at the least load */
    int runs;
};
/* The rates of `load` are those of factor 1; `most`: the greatest factor that sources can send at. */
int simulate_saturation(struct simulate_saturated *out, struct simulation *s, const struct load *load, double guess,
                        double most, struct err *err);
