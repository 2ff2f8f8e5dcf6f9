/* from_table.h -- a chart of columns of a table. */
#ifndef RENDER_FROM_TABLE_H
#define RENDER_FROM_TABLE_H

#include "render/chart.h"
#include "render/table.h"

/* Fills an initialised chart with the columns named: `x` along, one series per column of `y` and combination of the
 * `group` columns' values, in order of first appearance, named by these values and, when there are several y, by
 * their headings. Axes are named by headings and units; several y share an axis, which has a unit when they agree
 * (else the names of the series have them). `x` makes categories when it holds text or the chart has bars (numbers
 * then in ascending order); along numbers, points are sorted. A row without x is passed over; y without a number
 * interrupts its line.
 * Errors: ERR_USAGE for a column that is not there, ERR_FORMAT for text where numbers are wanted (with the line of
 * the file when the table knows it), ERR_DOMAIN for more than 1000 series. The chart is to be released either way. */
int chart_from_table(struct chart *c, const struct table *t, const char *x, const char *const *y, size_t ny,
                     const char *const *group, size_t ngroup, struct err *err);

#endif
