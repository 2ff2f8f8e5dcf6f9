/* filter.h -- rows of a table chosen and ordered by what they hold. */
#pragma once

#include "render/table/table.h"

/* Keeps the rows that fulfil a condition "column=value", or with != < <= > >= for =. Numbers are compared as numbers,
 * all else as words; `=` and `!=` take several values with commas between, where one (none) must be equal.
 * Errors: ERR_USAGE for what is no condition, or a column that is not there (with the nearest); ERR_FORMAT where there
 * were rows and none is left, with the values that the column has. */
int table_filter(struct table *t, const char *condition, struct err *err);
/* Rows in the order of a column, "load" upwards, "-load" downwards: numbers as numbers, before words; digits in words
 * count as numbers too; what is not known is last either way, and rows that are equal stay as they stood. ERR_USAGE:
 * no such column. */
int table_sort(struct table *t, const char *key, struct err *err);
/* Without that row. */
void table_drop(struct table *t, size_t row);
/* The first n rows alone. */
void table_top(struct table *t, size_t n);
