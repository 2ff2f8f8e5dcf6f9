/* plot.h -- what the files of `metapath plot` share: the request, and what of it concerns axes. */
#ifndef CLI_COMMAND_PLOT_H
#define CLI_COMMAND_PLOT_H

#include "cli/request/options.h"
#include "graph/numeric/regress.h"

struct axis_request {
    const char *title, *range;
    int scale;                          /* enum axis_scale */
};
enum { NOTE = 600 };             /* bytes of what is told */
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

/* Options that would do nothing on this kind of chart are mistakes: ERR_USAGE. */
int plot_check_kind_options(const struct request *q, const char *kind, struct err *err);
/* Titles, units, ends and scales of a chart's axes, where they are said. ERR_USAGE. */
int plot_take_axes(struct chart *c, const struct request *q, struct err *err);
/* --rule; `x`: what the column along x is called. ERR_USAGE. */
int plot_take_rules(struct chart *chart, const struct strings *rule, const char *x, struct err *err);

#endif
