/* table_points.h -- from the rows of a table to the points of a chart, once it is known which column is what. */
#pragma once

#include "render/chart/from_table.h"

#define NONE SIZE_MAX           /* no such column */

struct plan {
    struct chart *chart;
    const struct table *table;
    const struct chart_columns *given;
    const struct chart_kind *kind;
    size_t x, x_end, z, label, valid;   /* columns */
    size_t *y, ny, *lo, *hi, *group, ngroup, *facet, nfacet;
    bool categories, y_categories, z_categories;
    double *number;             /* of categories that are numbers, ascending; NULL: words */
    size_t nnumber;
    char **title, **heading;    /* of every column, with and without unit */
};

/* The chart's categories along x are the numbers of that column, in their order rather than the table's. ERR_MEMORY. */
int points_number_categories(struct plan *p, struct err *err);
/* Words that both axes have stand in one order on both, so that a diagonal is one. ERR_MEMORY. */
int points_align_categories(const struct plan *p, struct err *err);
/* A point for every row and y with a place along x, in the series and panel that its groups and facets name.
 * ERR_MEMORY, ERR_DOMAIN where there are too many of either. */
int points_add(const struct plan *p, struct err *err);
/* Whether all y are in one unit, or none has one. */
bool points_same_unit(const struct plan *p);
