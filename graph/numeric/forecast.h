/* forecast.h -- what comes next in a series, as the Network Weather Service has it: each forecaster says it of what was
 * there before, and that whose forecasts have been off by the least so far, in sum, is taken:
 *   last; mean and median of all; mean and median of a window that becomes one longer or shorter where that would
 *   have come nearer, from 1 on
 * Source  Wolski 1998 (Dynamically forecasting network performance using the Network Weather Service). */
#pragma once

#include "graph/base/base.h"

#define FORECAST_MOST 64        /* values of a series, finite, the newest last */

/* Mean or median of the last `window` of n > 0. */
double forecast_middle(const double *value, int n, int window, bool median);
double forecast_next(const double *value, int n);
