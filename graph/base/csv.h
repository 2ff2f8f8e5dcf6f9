/* csv.h -- comma-separated values (RFC 4180): quotes, doubled quotes, newlines inside quotes, CRLF or LF.
 * A byte order mark is skipped; lines that are empty or begin with '#' (outside quotes) are passed over. Where the
 * heading has no comma (outside quotes), semicolons separate, where it has none of these either, tabs. */
#pragma once

#include "graph/base/base.h"

struct csv {
    char *bytes;                /* every field points in here */
    char **field;               /* row-major, nrow x ncol, heading not among them */
    char **heading;             /* ncol */
    size_t *line;               /* line of the file where each row begins, from 1 */
    size_t nrow, ncol, heading_line;
    char separator;             /* ',', ';' or tab */
};

/* Bytes of memory per byte of file, about: the text twice, and one pointer a field. */
#define CSV_BYTES 4
/* Reads a file with a heading as its first row; every row must have as many fields as it.
 * ERR_FORMAT names file and line. */
int csv_read(struct csv *csv, const char *path, struct err *err);
/* The same from text; `name` stands for the file in messages. */
int csv_parse(struct csv *csv, const char *text, size_t len, const char *name, struct err *err);
void csv_release(struct csv *csv);
/* Column by heading, -1 when there is none. */
int csv_column(const struct csv *csv, const char *heading);
/* The column of the first of these headings that is there (NULL-terminated). */
int csv_first(const struct csv *csv, const char *const *headings);
/* Column by heading, case and surrounding blanks ignored; -1: there is none, -2: two. */
int csv_named(const struct csv *csv, const char *heading);
static inline const char *csv_at(const struct csv *csv, size_t row, int column)
{
    return csv->field[row * csv->ncol + (size_t)column];
}
/* The columns of a pair of nodes: source,target; source,destination; from,to; src,dst; link_from,link_to; of several
 * the first that is there, letter case and blanks around headings aside. ERR_FORMAT, beginning with `name`, where one
 * of them is there twice; or where none is: pair then has what there is of one, else -1. */
int csv_pair(int pair[2], const struct csv *csv, const char *name, struct err *err);
/* Whether two words are such a pair of headings. */
bool csv_names_pair(const char *first, size_t first_len, const char *second, size_t second_len);
