/* link_panels.h -- a table with a row per link (columns topology, from, to) as networks drawn with their links
 * coloured: a panel for each run of rows that are alike in the columns given. */
#pragma once

#include "cli/request/options.h"

struct panel_column {
    const char *name;
    const char *format;         /* of a column of numbers, as in "every %.4g %s", with its unit; NULL: text */
    bool needed;                /* named over a panel even where all rows agree, if nothing else is */
};
struct link_panels {
    const struct panel_column *column;
    size_t ncolumn;
    const char *const *value;   /* columns that colour links: a panel for each, under its heading if several */
    size_t nvalue;
    const char *title, *unit;   /* what they are called */
    bool parts;                 /* they are parts of 1: the colours go from 0 to 1 */
};
/* Draws them where the figure's options say. */
int link_panels_figure(struct picture *f, const struct table *t, const struct link_panels *what, struct err *err);
