/* from_csv.h -- any CSV as a table. */
#pragma once

#include "graph/base/csv.h"
#include "render/table/table.h"

/* A column of numbers alone (whole: CELL_INT, else CELL_REAL) is numeric; an empty cell, "nan", "na",
 * "n/a", "null" or "-" is none, "inf" is infinite. Any other column is text. `mean_length_hops` gets the heading
 * "Mean length" and the unit "hops" when it is numeric, and so do `mean length [hops]` and `mean length (hops)`.
 * ERR_FORMAT where two columns have one name. *columns is one block, to be freed after the table. */
int table_from_csv(struct table *t, struct column **columns, const struct csv *csv, struct err *err);
/* A file as a table, with its fields and lines; to be released also after a failure. */
struct csv_table {
    const char *path;           /* the caller's */
    struct csv csv;
    struct table table;
    struct column *columns;
    bool headless;              /* of the next: its first row holds data */
    char (*names)[30];          /* of its columns then */
};
int csv_table_open(struct csv_table *t, const char *path, struct err *err);
/* The same of what any program writes: numbers may have commas (commas.h); those of a column may all end with %, its
 * unit then; where all of the first row are numbers or dates there is no heading, and columns are called `column 1`,
 * `column 2`, ... */
int csv_table_open_any(struct csv_table *t, const char *path, struct err *err);
int csv_table_take(struct csv_table *t, struct err *err);      /* of a `csv` that is there, and a path to be named */
void csv_table_release(struct csv_table *t);
/* The value of a field, without the blanks around it; a CELL_TEXT points to the field itself. */
struct cell csv_cell(char *field);
