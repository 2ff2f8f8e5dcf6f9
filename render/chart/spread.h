/* spread.h -- columns of a table that say how much another varies, by their names alone: std and mean, lat_std_us and
 * lat_us, q1 and q3 and median. Names have the same words, letter case aside, but for one of a mean in the one, and in
 * the other one of half of a spread (std, sem, error) or of an end of it (min, max; lower, upper; p5, p95). */
#pragma once

#include "render/table/table.h"

/* The columns of both ends of the spread of one; twice the same: of half its length. False: it has none. */
bool spread_find(size_t at[2], const struct table *t, size_t of);
/* Is a column only the spread of another? */
bool spread_is(const struct table *t, size_t column);
