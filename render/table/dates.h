/* dates.h -- dates and times of ISO 8601 in columns of tables. */
#pragma once

#include "render/table/table.h"

#define COLUMN_DATES (-3)       /* decimals of a column of dates: seconds since 1970, UTC */

/* Seconds since 1970 UTC of "2026-11-22", "2026-11-22T10:00", "2026-11-22 10:00:00.5+01:00"; without a zone it is
 * taken for UTC. False: it is no such date of the years 1 to 9999. */
bool date_parse(double *seconds, const char *text);
/* Whether a column of text holds dates alone, one at least. */
bool table_has_dates(const struct table *t, size_t column);
/* Whether a column that is called time, timestamp or the like holds seconds since 1970 alone, of 2001 to 2039. */
bool table_has_epochs(const struct table *t, size_t column);
/* Makes numbers of dates; `columns` are those of the table. */
void table_take_dates(struct table *t, struct column *columns, size_t column);
