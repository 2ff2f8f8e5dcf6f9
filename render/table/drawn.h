/* drawn.h -- tables drawn like the figures: three rules, headings above their units, notes below, on a page as large as
 * the table. One file table_NAME.c per figure format, which says what differs. */
#ifndef RENDER_TABLE_DRAWN_H
#define RENDER_TABLE_DRAWN_H

#include "render/table/cells.h"

int drawn_begin(struct table_writer *w, struct err *err);
int drawn_end(struct table_writer *w, struct err *err);
/* The format of figures that has the name of the table format. ERR_DOMAIN: larger than a page can be. */
#define DRAWN .people = true, .begin = drawn_begin, .row = cells_row, .end = drawn_end, .release = cells_release

#endif
