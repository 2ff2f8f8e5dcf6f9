/* cells.h -- what the table formats share: cells as people read them, headings, and rows held back until the
 * kind of every column is known. */
#ifndef RENDER_TABLE_CELLS_H
#define RENDER_TABLE_CELLS_H

#include "render/table/table.h"

#define CELL_DIGITS 64

/* A number as people read it: `decimals` places, or four significant digits for -1. No cell gives "-". */
const char *cell_number(char out[CELL_DIGITS], const struct cell *cell, int decimals);
/* "Mean length [hops]" (a fresh string, NULL: memory); and the same without the unit. */
char *column_title(const struct column *c);
char *column_heading(const struct column *c);

/* Rows held back (at most CELLS_HELD) so that a format knows which columns hold text before it writes its
 * first line. A format puts `struct cells` first in its own state. */
#define CELLS_HELD 10000

struct cells {
    struct table held;
    bool *text;                 /* by column: has text */
    bool begun;
    /* Of formats that write line by line. Before, between and behind the cells of a line, and how a letter (and the one
     * after it) and a number are written there. */
    const char *first, *between, *last;
    void (*letter)(FILE *f, char c, char next);
    void (*number)(FILE *f, const struct cell *cell, int decimals);
    void (*rule)(FILE *f, const bool *text, size_t ncolumn, bool above);    /* what stands above and below the titles */
};

int cells_begin(struct table_writer *w, size_t size, struct err *err);     /* size of the state; zeroed */
int cells_row(struct table_writer *w, const struct cell *cell, struct err *err);
int cells_flush(struct table_writer *w, struct err *err);
void cells_release(struct table_writer *w);
int cells_text(struct table_writer *w, const char *text, struct err *err);     /* letter by letter */
/* Which columns hold text, by the rows held now. */
void cells_look(struct cells *c);

#endif
