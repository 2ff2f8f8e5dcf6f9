#ifndef RENDER_FROM_TABLE_H
#define RENDER_FROM_TABLE_H
#include "render/chart.h"
#include "render/table.h"
#include "graph/base/csv.h"
int chart_from_table(struct chart *c, const struct table *t, const char *x, const char *const *y, size_t ny,
                     const char *const *group, size_t ngroup, struct err *err);
int table_from_csv(struct table *t, struct column **columns, const struct csv *csv, struct err *err);
#endif
