#include "render/table/table.h"

/* RFC 4180 quotes what holds a quote, a comma or a line end. Readers also lose blanks at the ends, take an
 * unquoted '#' at the start of a line for a comment, and pass over a line that is empty. */
static bool needs_quotes(const char *text, bool alone)
{
    size_t len = strlen(text);

    if (len == 0)
        return alone;
    return text[0] == '#' || text[0] == ' ' || text[len - 1] == ' ' || strpbrk(text, "\",\r\n\t");
}

static void table_csv_put_text(FILE *f, const char *text, bool alone)
{
    if (!needs_quotes(text, alone)) {
        fputs(text, f);
        return;
    }
    putc('"', f);
    for (; *text; text++) {
        if (*text == '"')
            putc('"', f);
        putc(*text, f);
    }
    putc('"', f);
}

static void put_cell(FILE *f, const struct cell *cell, bool alone)
{
    char digits[32];

    switch (cell->type) {
    case CELL_TEXT: table_csv_put_text(f, cell->u.text, alone); break;
    case CELL_INT: fprintf(f, "%lld", (long long)cell->u.integer); break;
    case CELL_REAL:
        if (cell->u.real == cell->u.real)
            fputs(num_shortest(digits, cell->u.real), f);
        else
            table_csv_put_text(f, "", alone);
        break;
    default: table_csv_put_text(f, "", alone);
    }
}

/* NULL: the names of columns. */
static int table_csv_row(struct table_writer *w, const struct cell *cell, struct err *)
{
    const bool alone = w->table->ncolumn == 1;

    for (size_t i = 0; i < w->table->ncolumn; i++) {
        if (i)
            putc(',', w->stream);
        if (cell)
            put_cell(w->stream, &cell[i], alone);
        else
            table_csv_put_text(w->stream, w->table->column[i].name, alone);
    }
    putc('\n', w->stream);
    return 0;
}

static int table_csv_begin(struct table_writer *w, struct err *err)
{
    return table_csv_row(w, NULL, err);
}

const struct table_format table_format_csv = {
    .name = "csv", .summary = "comma-separated values (RFC 4180), numbers in full", .extension = ".csv",
    .bare = true,
    .begin = table_csv_begin, .row = table_csv_row };
