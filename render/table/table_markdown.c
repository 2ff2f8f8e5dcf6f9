#include <string.h>

#include "render/table/cells.h"

/* Text with what GitHub would read as markup made harmless. */
static void put_letter(FILE *f, char c, char next)
{
    (void)next;
    if (strchr("\\`*_|<~&", c))
        putc('\\', f);
    putc(c, f);
}

static void put_number(FILE *f, const struct cell *cell, int decimals)
{
    char digits[CELL_DIGITS];

    fputs(cell_number(digits, cell, decimals), f);
}

static void put_rule(FILE *f, const bool *text, size_t ncolumn, bool above)
{
    for (size_t i = 0; !above && i < ncolumn; i++)
        fputs(text[i] ? "|:---" : "|---:", f);
    fputs(above ? "" : "|\n", f);
}

static int table_markdown_begin(struct table_writer *w, struct err *err)
{
    struct cells *c;

    if (cells_begin(w, sizeof *c, err) < 0)
        return -1;
    c = w->own;
    c->first = "| ";
    c->between = " | ";
    c->last = " |\n";
    c->letter = put_letter;
    c->number = put_number;
    c->rule = put_rule;
    if (w->table->title) {
        fputs("**", w->stream);
        if (cells_text(w, w->table->title, err) < 0)
            return -1;
        fputs("**\n\n", w->stream);
    }
    return 0;
}

static int table_markdown_end(struct table_writer *w, struct err *err)
{
    if (cells_flush(w, err) < 0)
        return -1;
    for (size_t i = 0; i < w->table->nnote; i++) {
        putc('\n', w->stream);
        if (cells_text(w, w->table->note[i], err) < 0)
            return -1;
        putc('\n', w->stream);
    }
    return 0;
}

const struct table_format table_format_markdown = {
    .name = "markdown", .people = true,
    .summary = "a table with pipes, as GitHub reads it", .extension = ".md",
    .begin = table_markdown_begin, .row = cells_row, .end = table_markdown_end, .release = cells_release };
