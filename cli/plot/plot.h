/* plot.h -- shared by the files of `metapath plot`: the request, its data and columns, and axes. */
#pragma once

#include "cli/request/options.h"
#include "graph/numeric/regress.h"
#include "render/chart/from_table.h"
#include "render/table/from_csv.h"

struct axis_request {
    const char *title, *range;
    int scale;                          /* enum axis_scale */
};
enum { NOTE = 600 };             /* bytes of a note to the user */
enum best { BEST_UNSAID, BEST_LEAST, BEST_MOST };
struct request {
    struct options common;
    const char *data, *x, *z, *title, *mark, *valid;
    const struct chart_kind *kind;
    struct strings span, y, group, facet, where, over, error, band, rule;
    struct axis_request axis[3];
    bool stack, residuals, complement, best_two;
    int best[2];                        /* enum best: of z, or of x and y */
    const struct regress_kind *fit;
    int64_t bins, columns;
};

/* Rows that fulfil every condition; of a file laid over, the conditions on columns that it has, and no rows may be
 * left. To be released either way. */
int plot_data_read(struct csv_table *d, const char *path, const struct strings *where, bool over, struct err *err);
/* Whether the request says how the chart is made, so that the table alone does not choose. */
bool plot_said(const struct request *q);
/* The chart of the data, which choose what the request leaves open; `note`: what to tell the user of it. */
int plot_fill(struct chart *chart, const struct request *q, struct csv_table *d, char note[NOTE], struct err *err);
/* The same columns of every file of --over, with its name behind those of the series. */
int plot_lay_over(struct chart *chart, const struct request *q, const struct chart_columns *like, struct err *err);
/* ERR_USAGE for options that have no effect on this kind of chart. */
int plot_check_kind_options(const struct request *q, const char *kind, struct err *err);
/* Title of a chart; titles, units, ends and scales of its axes, where they are given. ERR_USAGE. */
int plot_take_axes(struct chart *c, const struct request *q, struct err *err);
/* --rule; `x`: name of the column along x. ERR_USAGE. */
int plot_take_rules(struct chart *chart, const struct strings *rule, const char *x, struct err *err);
