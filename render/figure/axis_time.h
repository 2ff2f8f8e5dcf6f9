/* axis_time.h -- ticks of an axis of dates and times, at whole seconds to whole years. */
#pragma once

#include "render/figure/axis.h"

#define TIME_MOST 2.5e11        /* seconds since 1970, either way: the years to 9999 */

/* As many ticks of one step as there may be, in UTC: "10:00", "22 Nov", "Nov", "2026"; a midnight among hours is its
 * day, and a year is said where it begins, unless the title says it. False: there can be none. */
bool axis_time_ticks(struct ticks *t, const struct scale *s, int most);
/* What all of an axis has in common, for its title: "22 Nov 2026", "2026", "". */
void axis_time_unit(char out[40], double lo, double hi);
