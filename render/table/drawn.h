/* drawn.h -- tables drawn like the figures: three rules, headings above their units, notes below, on a page as large as
 * the table. One file table_NAME.c per figure format, which says what differs. */
#pragma once

#include "render/table/cells.h"

int drawn_block(struct table_writer *w, const struct grid *g, bool first, struct err *err);
/* The format of figures that has the name of the table format. ERR_DOMAIN: larger than a page can be. */
#define DRAWN .people = true, .state = sizeof(struct cells), .block = drawn_block, .begin = cells_begin, \
    .row = cells_row, .end = cells_flush, .release = cells_release
