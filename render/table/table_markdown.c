#include <stdlib.h>
#include <string.h>

#include "render/table/cells.h"
#include "graph/base/utf8.h"

/* Text with what GitHub would read as markup made harmless. */
static int table_markdown_put_text(FILE *f, const char *text, struct err *err)
{
    char *line = utf8_line(text);

    if (!line)
        return err_memory(err);
    for (const char *p = line; *p; p++) {
        if (strchr("\\`*_|<~&", *p))
            putc('\\', f);
        putc(*p, f);
    }
    free(line);
    return 0;
}

static int head(struct table_writer *w, const struct cells *c, struct err *err)
{
    for (size_t i = 0; i < w->table->ncolumn; i++) {
        char *title = column_title(&w->table->column[i]);
        int ret = title ? 0 : err_memory(err);

        fputs(i ? " | " : "| ", w->stream);
        if (ret == 0)
            ret = table_markdown_put_text(w->stream, title, err);
        free(title);
        if (ret < 0)
            return -1;
    }
    fputs(" |\n", w->stream);
    for (size_t i = 0; i < w->table->ncolumn; i++)
        fputs(c->text[i] ? "|:---" : "|---:", w->stream);
    fputs("|\n", w->stream);
    return 0;
}

static int line(struct table_writer *w, const struct cells *c, const struct cell *cell, struct err *err)
{
    char digits[CELL_DIGITS];

    (void)c;
    for (size_t i = 0; i < w->table->ncolumn; i++) {
        fputs(i ? " | " : "| ", w->stream);
        if (cell[i].type != CELL_TEXT)
            fputs(cell_number(digits, &cell[i], w->table->column[i].decimals), w->stream);
        else if (table_markdown_put_text(w->stream, cell[i].u.text, err) < 0)
            return -1;
    }
    fputs(" |\n", w->stream);
    return 0;
}

static int table_markdown_begin(struct table_writer *w, struct err *err)
{
    struct cells *c;

    if (cells_begin(w, sizeof *c, err) < 0)
        return -1;
    c = w->own;
    c->head = head;
    c->line = line;
    if (w->table->title) {
        fputs("**", w->stream);
        if (table_markdown_put_text(w->stream, w->table->title, err) < 0)
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
        if (table_markdown_put_text(w->stream, w->table->note[i], err) < 0)
            return -1;
        putc('\n', w->stream);
    }
    return 0;
}

const struct table_format table_format_markdown = {
    .name = "markdown", .people = true,
    .summary = "a table with pipes, as GitHub reads it", .extension = ".md",
    .begin = table_markdown_begin, .row = cells_row, .end = table_markdown_end, .release = cells_release };
