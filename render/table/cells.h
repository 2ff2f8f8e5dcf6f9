/* cells.h -- what the table formats for people share: numbers as they read them, headings, and rows held back until
 * it is known what stands in every column. */
#pragma once

#include "render/table/grid.h"

#define CELL_DIGITS 64

/* A number as people read it: `decimals` places, or four significant digits for -1. No cell gives "-". */
const char *cell_number(char out[CELL_DIGITS], const struct cell *cell, int decimals);
/* "Mean length [hops]" (a fresh string, NULL: memory); and the same without the unit. */
char *column_title(const struct column *c);
char *column_heading(const struct column *c);

/* Rows held back (at most CELLS_HELD) so that a format knows what stands in its columns before it writes its first
 * line, and a long table neither waits for its end nor fills the memory. A format puts `struct cells` first in its own
 * state. */
#define CELLS_HELD 10000
#define MOST_RECORDS 6              /* rows that may become records on a screen that is too narrow for a table of them */
#define MOST_UPRIGHT 12             /* rows side by side; more stand one below the other after all */
#define MOST_ALONG 8                /* columns of a single row; one with more stands upright */

struct cells {
    struct table held;
    struct grid_plan plan;
    bool begun, upright;
};

/* For a format's functions of the same names; the last block is flushed at its end. */
int cells_begin(struct table_writer *w, struct err *err);
int cells_row(struct table_writer *w, const struct cell *cell, struct err *err);
int cells_flush(struct table_writer *w, struct err *err);
void cells_release(struct table_writer *w);
/* A text letter by letter, each by a function that also sees the one after it. */
typedef void cells_letter(FILE *f, char c, char next);
void cells_letters(FILE *f, const char *text, cells_letter *letter);
cells_letter html_letter;               /* harmless in HTML, attributes too */
/* Notes, each as a line of good UTF-8. */
int cells_notes(struct table_writer *w, void (*put)(struct table_writer *w, size_t i, const char *note),
                struct err *err);
