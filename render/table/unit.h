/* unit.h -- the units that a column's snake_case name may end with. */
#pragma once

#include "graph/base/base.h"

/* "mean_wait_us" -> "µs", and the length of "mean_wait" in *stem; NULL when the name ends with no unit we know,
 * or is nothing but one. Letter case matters where it makes another unit: `_mW` and `_MW` have one, `_mw` none. */
const char *unit_of_name(const char *name, size_t *stem);
/* "us" -> "µs"; what is no such suffix is its own unit. */
const char *unit_of_word(const char *word);
