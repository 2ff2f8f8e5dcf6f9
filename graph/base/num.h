/* num.h -- numbers and ranges as text.
 * Sizes take K, M, G (powers of 1024). Ranges: 8..16, 10..100..10 (step), 1..16..x2 (factor), and commas; those of real
 * numbers look the same: 0.1..0.5..0.1, 10..1000..x1.5. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "graph/base/err.h"

/* Whole text as an integer in lo..hi; `what` names it in the message. */
int num_int(int64_t *out, const char *text, int64_t lo, int64_t hi, const char *what, struct err *err);
/* The first `len` characters of text, for numbers between other signs. */
int num_int_part(int64_t *out, const char *text, size_t len, int64_t lo, int64_t hi, const char *what, struct err *err);
/* Whole text as a finite real number. */
int num_real(double *out, const char *text, const char *what, struct err *err);
/* A list of ranges into a fresh array, in the order written; values in lo..hi, at most 1e6 of them. */
int num_range(int64_t **out, size_t *n, const char *text, int64_t lo, int64_t hi, const char *what, struct err *err);
/* The same of real numbers: value i of a range is lo + i * step or lo * factor^i, each rounded to 15 digits (0.3, not
 * 0.30000000000000004), and its end belongs to it when missed by less than a billionth of a step. */
int num_reals(double **out, size_t *n, const char *text, double lo, double hi, const char *what, struct err *err);
/* Fewest significant digits that read back to the same double; nan and infinities as "nan", "inf", "-inf". */
const char *num_shortest(char out[32], double value);
/* Of two ints and of two doubles, for qsort and bsearch. */
int num_ascending(const void *a, const void *b);
int num_ascending_reals(const void *a, const void *b);
