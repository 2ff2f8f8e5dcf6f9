/* panels.h -- what figures of several panels have in common, whatever stands in the panels. */
#pragma once

#include "render/figure/chart_data.h"
#include "render/page/canvas.h"

/* Columns and rows: those the chart asks for, else as make panels of a pleasant shape, width over height, and leave few
 * places empty. Width and height are those of all panels together, about. */
void panels_arrange(size_t *columns, size_t *rows, const struct chart *chart, double width, double height,
                    double pleasant);
/* ERR_DOMAIN: the page is too small for so many. */
int panels_refuse(size_t npanel, const struct canvas *canvas, struct err *err);
/* "Points not shown: 2 infinite; 1 not positive, on a logarithmic axis.", or "" where all are; a space at its end where
 * `more` follows. */
void panels_left_out(char out[160], size_t infinite, size_t negative, bool more);
