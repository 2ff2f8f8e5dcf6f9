/* filter.h -- rows of a table by what they hold. */
#ifndef RENDER_TABLE_FILTER_H
#define RENDER_TABLE_FILTER_H

#include "render/table/table.h"

/* Keeps the rows that fulfil a condition "column=value", or with != < <= > >= for =. Numbers are compared as numbers,
 * all else as words; `=` and `!=` take several values with commas between, where one (none) must be equal.
 * Errors: ERR_USAGE for what is no condition, or a column that is not there (with the nearest); ERR_FORMAT where there
 * were rows and none is left, with the values that the column has. */
int table_filter(struct table *t, const char *condition, struct err *err);
/* ERR_USAGE: no such column, the nearest, and all there are. */
int table_unknown(const struct table *t, const char *name, struct err *err);

#endif
