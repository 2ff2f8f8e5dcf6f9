/* table.h -- tables out. A table sees names, units and cells, never what they mean.
 * The same cells give the same bytes. One file table_NAME.c per format, which defines table_format_NAME. */
#pragma once

#include "graph/base/entry.h"

enum cell_type { CELL_NONE, CELL_TEXT, CELL_INT, CELL_REAL, CELL_OPEN, CELL_TAKEN, CELL_MEMBERS };
/* NONE: not known, not applicable. OPEN: of a row that is being filled, never of one that is full. TAKEN: text that
 * adding the row frees, and MEMBERS: structs that it reads, never in a table. */

struct cell {
    enum cell_type type;
    bool marked;                /* people see a * before it; to all others it is as it is */
    union {
        char *text;
        int64_t integer;
        double real;
        const void *const *members;
    } u;
};

/* Where the cell of a column comes from: a member of one of the structs that the row is made of (MEMBERS), read as its
 * type has it: bool as yes or no. WHOLE: a double that is a whole number, none where it is not finite. FINITE: one that
 * is none where it is infinite. CHARS: text within the struct. LOOSE: the row says the cell by its name. */
enum member_kind { MEMBER_LOOSE, MEMBER_REAL, MEMBER_INT, MEMBER_INT64, MEMBER_SIZE, MEMBER_BOOL, MEMBER_TEXT,
                   MEMBER_WHOLE, MEMBER_FINITE, MEMBER_CHARS };
struct member {
    enum member_kind kind;
    unsigned of;                /* place of its struct in MEMBERS */
    size_t offset;
};
#define LOOSE { MEMBER_LOOSE, 0, 0 }
#define MEMBER(of, type, member)                                                                                \
    { _Generic(&((type *)0)->member, double *: MEMBER_REAL, int *: MEMBER_INT, int64_t *: MEMBER_INT64,         \
               size_t *: MEMBER_SIZE, bool *: MEMBER_BOOL, char **: MEMBER_TEXT, const char **: MEMBER_TEXT),   \
      (of), offsetof(type, member) }
#define MEMBER_AS(kind, is, of, type, member)                                                                   \
    { _Generic(&((type *)0)->member is, kind), (of), offsetof(type, member) }
#define WHOLE(of, type, member) MEMBER_AS(double *: MEMBER_WHOLE, , of, type, member)
#define FINITE(of, type, member) MEMBER_AS(double *: MEMBER_FINITE, , of, type, member)
#define CHARS(of, type, member) MEMBER_AS(char *: MEMBER_CHARS, [0], of, type, member)

/* A column of detail: tables for people leave it out unless all columns are asked for, or this one by its name. */
#define COLUMN_ASIDE (-2)
/* The decimals of a column that leaves, the rightmost first, where a table for people would be wider than TABLE_FITS,
 * unless all columns are asked for, or some by name; and of one that leaves after all of these. */
#define YIELDS(decimals) ((decimals) + 100)
#define YIELDS_LAST(decimals) ((decimals) + 200)
#define TABLE_FITS 100
/* The decimals of a column that is there only where some row fills it, or where it is named: in no format else. Rows
 * that are written as they come fill none. */
#define IF_FILLED(decimals) ((decimals) + 1000)
/* Decimals that are so many significant digits, 1 to 9: what is not known better. */
#define DIGITS(n) ((n) + 50)

struct column {
    const char *name;           /* snake_case, unit as suffix: CSV heading, JSON key; unique in the table */
    const char *heading;        /* for people, without unit; NULL: made from the name */
    const char *unit;           /* for people: "hops", "%"; NULL: none */
    int decimals;               /* of reals in tables for people; -1: four significant digits; DIGITS; COLUMN_ASIDE; YIELDS;
                                 * IF_FILLED of these */
    struct member member;
};

/* What a column is called by those who fill it in or look for it, beside its name, and what their numbers are
 * multiplied by: columns may be shown in another unit than they are computed in. */
struct column_asked {
    const char *name;
    double factor;
};

/* A cell and the column it belongs to. Rows are written as ROW(cell_text("topology", spec), cell_int("nodes", n),
 * ...). */
struct named_cell {
    const char *column;         /* NULL ends a row */
    struct cell cell;
};
#define ROW(...) ((const struct named_cell[]){ __VA_ARGS__, { NULL, { CELL_NONE, false, { 0 } } } })
struct named_cell cell_text(const char *column, const char *text);     /* NULL is none; copied when the row is added */
struct named_cell cell_take(const char *column, char *text);           /* freed with the row; NULL: memory ran out
                                                                        * where it was made */
struct named_cell cell_int(const char *column, int64_t value);
struct named_cell cell_real(const char *column, double value);         /* NaN is as good as none */
struct named_cell cell_count(const char *column, double value);        /* a whole number; none where it is not finite */
struct named_cell cell_none(const char *column);
/* First in a row: the structs, in the order of their numbers, that columns with members are read from (NULL: their
 * cells are none). The rest of the row has the loose cells. */
#define MEMBERS(...) cell_members((const void *const[]){ __VA_ARGS__ })
struct named_cell cell_members(const void *const *of);

/* A table in memory. */
struct table {
    const char *title;          /* NULL: none */
    const struct column *column;
    size_t ncolumn;
    const struct column_asked *asked;   /* by column; NULL: by their names, as they are. The caller's, as columns are */
    struct cell *cell;          /* row-major */
    size_t ncell, room;
    char **note;                /* sentences printed below text, in JSON as "notes" */
    size_t nnote;
    char **request;             /* key, value, key, value...: the canonical request (JSON only) */
    size_t nrequest;            /* pairs; a key that comes again makes a list */
    const char *task;           /* of what whole it is a part (JSON only); NULL: none */
    size_t *line;               /* line of the file that each row was read from; NULL: from no file */
    char *const *named;         /* columns that alone are shown, the caller's; nnamed 0: the usual ones */
    size_t nnamed;
    bool upright;               /* for people: properties down, rows of the table side by side, where they are few */
    bool always;                /* and where they are many */
    struct err why;             /* of a row or note that could not be kept, or ERR_NONE: table_write says so */
};

/* Title and columns are the caller's and must outlive the table; the rest is copied. */
void table_init(struct table *t, const char *title, const struct column *column, size_t ncolumn);
void table_release(struct table *t);
/* A row, its cells in any order (in that of the columns it is faster). A column that is lacking, unknown or there
 * twice is an ERR_INTERNAL of the table, and the row is not kept. */
void table_add(struct table *t, const struct named_cell *row);
/* The same, but what is not named is none. */
void table_add_some(struct table *t, const struct named_cell *row);
/* For rows that come whole, from a file or another table: the next cell, left to right. */
void table_cell(struct table *t, const struct cell *cell);
void table_note(struct table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void table_request(struct table *t, const char *key, const char *value);
static inline size_t table_rows(const struct table *t)
{
    return t->ncolumn ? t->ncell / t->ncolumn : 0;
}
static inline const struct cell *table_at(const struct table *t, size_t row, size_t column)
{
    return &t->cell[row * t->ncolumn + column];
}
int table_find(const struct table *t, const char *column);         /* by name, or as asked; -1: none */
/* ERR_USAGE: no such column, the nearest, and all there are. */
int table_unknown(const struct table *t, const char *name, struct err *err);
/* Whether any of these, "load,busy", is among the columns that were asked for, or none were: what explains other columns
 * is not said. */
bool table_shows(const struct table *t, const char *columns);
bool table_has_text(const struct table *t, size_t column);
double cell_value(const struct cell *c);        /* of a number; NaN: it is none */
bool cell_same(const struct cell *a, const struct cell *b);  /* of one type and value; NaN equals itself */

/* What of a table is written, and for what place. All zero: the usual columns, for a file. */
struct page;
struct table_view {
    const char *const *column;  /* exactly these, in this order, whatever the format */
    size_t ncolumn;             /* 0: all; for people those that do not stand aside */
    bool wide;                  /* for people too: all */
    bool colour;                /* bold headings, by escapes */
    size_t width;               /* columns of the screen that lines of text are to fit; 0: a file, where rows have no
                                 * limit and sentences TABLE_FITS */
    const struct page *page;    /* of drawn tables: font, size of letters, dots per inch; NULL: the usual ones */
    struct paper {              /* of what is typeset: */
        const char *caption, *label;    /* NULL: by title and network */
        int column, siunitx;    /* as wide as a column (252 pt); columns of numbers are siunitx's */
    } paper;
};
/* ERR_USAGE where the view names a column that is not there (with the nearest), or one twice. */
int table_view_check(const struct table *t, const struct table_view *view, struct err *err);

/* Row-by-row writing, for tables too long to keep. */
struct table_writer;
struct grid;
struct table_format {
    ENTRY;
    const char *extension;      /* ".csv"; NULL: none of its own */
    bool bare;                  /* rows alone: it writes no notes */
    bool typeset;               /* it heeds view.paper */
    bool people;                /* leaves out columns that stand aside (cells.h: and those that never change) */
    int (*begin)(struct table_writer *w, struct err *err);
    int (*row)(struct table_writer *w, const struct cell *cell, struct err *err);
    int (*end)(struct table_writer *w, struct err *err);        /* not called once something failed; may be NULL */
    void (*release)(struct table_writer *w);                    /* always called; NULL: nothing to give back */
    /* Of those by cells.h: bytes of a writer's state, which begins with a struct cells; writes a block of the table,
     * `first`: and what stands above it. A block is there even of a table without rows. */
    size_t state;
    int (*block)(struct table_writer *w, const struct grid *grid, bool first, struct err *err);
};
struct table_writer {
    const struct table_format *format;
    FILE *stream;
    const struct table *table;  /* title, columns, notes, request: its cells are not looked at */
    const struct table_view *view;
    bool failed;
    size_t nrow;
    void *own;
    const struct table *given;  /* the caller's table; `table` has those of its columns that the view shows */
    struct table shown;
    size_t nhidden;             /* of these the last, which are there for what people read above the table alone */
    size_t *pick;               /* of each column of `table`, its place in `given` */
    int *yields;                /* of each: leaves where there is no room, 1, or 2: after the others; 0: stays */
    struct cell *kept;
};

KIND_HEADER(table, table_format, struct table_format);
const struct table_format *table_format_for_path(const char *path);

/* `view` must outlive the writer; NULL is one all zero. */
int table_begin(struct table_writer *w, const struct table_format *f, FILE *stream, const struct table *t,
                const struct table_view *view, struct err *err);
int table_row(struct table_writer *w, const struct cell *cell, struct err *err);
/* A row that is written at once; `t` has the writer's columns and keeps no row. */
int table_pass(struct table_writer *w, struct table *t, const struct named_cell *row, struct err *err);
/* Ends the document and releases; needed also after a failure, the message of which it keeps. Notes may be
 * added to the table until then. */
int table_end(struct table_writer *w, struct err *err);
/* All of it at once. ERR_IO when the stream refuses; what is still buffered is for output_commit to see. */
int table_write(const struct table *t, const struct table_format *f, FILE *stream, const struct table_view *view,
                struct err *err);
