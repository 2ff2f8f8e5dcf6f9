/* quantity.h -- numbers with units: sizes 4KB, rates 200Gb/s, times 100ns.
 * Sizes are B, KB, MB, GB (powers of 1024, as KiB, MiB, GiB), rates b/s, Kb/s, Mb/s, Gb/s, Tb/s and bytes, B/s to TB/s
 * (powers of 1000), times ns, us, ms, s. A blank may stand before the unit. Values are in bytes, bits per second and
 * seconds.
 * Errors  ERR_USAGE, which names `what`. */
#pragma once

#include "graph/base/base.h"

enum quantity { QUANTITY_NONE, QUANTITY_SIZE, QUANTITY_RATE, QUANTITY_TIME };

/* Whole text: a finite number with a unit of that kind, or without one (*unit false). */
int quantity_parse(double *out, bool *unit, const char *text, enum quantity kind, const char *what, struct err *err);
/* Refuses what no network has: sizes above 1e15 B, rates outside of 1 to 1e18 b/s, times outside of 0 to 1e6 s. */
int quantity_limit(double value, const char *text, enum quantity kind, const char *what, struct err *err);
/* Whether a number in a list or range has a unit, whatever it is. */
bool quantity_in(const char *text);
/* A list or range (num.h) with units written anew without, as multiples of `one` in 15 digits, to be freed:
 * 10us..100us..10us, of one 1e-6, is 10..100..10. All numbers but factors (x1.5) have a unit. */
int quantity_rewrite(char **out, const char *text, enum quantity kind, double one, const char *what, struct err *err);
/* 1.28e-9 s -> "1.28 ns": four digits and the unit that leaves from 1 to 999 before the point, where there is one. */
const char *quantity_text(char out[40], double value, enum quantity kind);
