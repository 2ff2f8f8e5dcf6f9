/* grid.h -- a table as people read it, before a format writes it: cells as text, headings above their units in lines as
 * narrow as their columns, and what is the same in every row said once, above them. */
#pragma once

#include "render/table/table.h"

#define HEADING_LINES 3

struct grid_cell {
    char *text;                 /* one line of good UTF-8; "" where there is nothing to say */
    bool number;                /* or the lack of one, "-" */
};
struct grid {
    size_t ncolumn, nhead, nrow;
    struct grid_cell *cell;     /* row-major: nhead lines of headings, then the rows */
    bool *left;                 /* by column: aligned to the left */
};

/* What all blocks of a table have in common, by the rows of the first. */
struct grid_plan {
    size_t *column, ncolumn;    /* those that are shown, in order */
    size_t *every, nevery;      /* and with those that grid_fit left out; NULL: none */
    bool *text;                 /* by column of the table: has text */
    char *left_out;             /* "(--wide also shows Max, Capacity)", after grid_fit; NULL: nothing */
    char *title, *common;       /* with what is the same in every row: identifiers in the title, others ("In every row:
                                 * capacity 12.7 cycles") apart; NULL: nothing */
};
/* `whole`: these rows are all; only then is anything the same in every one. With `fixed` columns stay where they are.
 * The last `hidden` columns are there for the title alone. */
int grid_plan(struct grid_plan *plan, const struct table *rows, const char *title, bool whole, bool fixed,
              size_t hidden, struct err *err);
/* Leaves out columns that yield, the rightmost first, until these rows, with GAP between columns, fit `width`. Of
 * sentences in the last column WRAPPED places are enough: they go on in the next line. Returns whether they fit; -1. */
#define GAP 2
#define WRAPPED 24
int grid_fit(struct grid_plan *plan, const struct table *rows, const int *yields, size_t width, struct err *err);
void grid_plan_release(struct grid_plan *plan);

/* Upright: properties down, also those left out, a column a row, all to the left; the first heads them. */
int grid_make(struct grid *grid, const struct table *rows, const struct grid_plan *plan, bool upright,
              struct err *err);
void grid_release(struct grid *grid);
static inline const struct grid_cell *grid_at(const struct grid *g, size_t line, size_t column)
{
    return &g->cell[line * g->ncolumn + column];
}
/* Places on a screen that the text takes. */
size_t grid_width(const char *text);
/* Raises widths by column to what the grid needs; their sum with gaps between. */
size_t grid_measure(size_t *width, const struct grid *grid, size_t gap);
/* Makes columns from `first` on, of words, narrower until lines have room in `limit` places, or all are as narrow as
 * their words and marks allow. Returns how wide lines are then. */
size_t grid_narrow(size_t *width, const struct grid *grid, size_t first, size_t limit);
/* The same grid with cells in further rows where they are wider than their columns; to be released. */
int grid_break(struct grid *out, const struct grid *grid, const size_t *width, struct err *err);
