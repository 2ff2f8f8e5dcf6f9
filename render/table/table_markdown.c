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

static int put_paragraph(FILE *f, const char *mark, const char *text, struct err *err)
{
    if (!text)
        return 0;
    fputs(mark, f);
    if (cells_letters(f, text, put_letter, err) < 0)
        return -1;
    fprintf(f, "%s\n\n", mark);
    return 0;
}

/* A heading's lines, of which there is one here, follow each other. */
static int put_line(FILE *f, const struct grid *g, size_t line, size_t lines, struct err *err)
{
    for (size_t i = 0; i < g->ncolumn; i++) {
        bool any = false;

        fputs(i ? " | " : "| ", f);
        for (size_t k = line; k < line + lines; k++) {
            const char *text = grid_at(g, k, i)->text;

            fputs(any && *text ? " " : "", f);
            any = any || *text;
            if (cells_letters(f, text, put_letter, err) < 0)
                return -1;
        }
    }
    fputs(" |\n", f);
    return 0;
}

static int table_markdown_block(struct table_writer *w, const struct grid *g, bool first, struct err *err)
{
    const struct grid_plan *plan = &((struct cells *)w->own)->plan;

    if (first) {
        if (put_paragraph(w->stream, "**", plan->title, err) < 0 ||
            put_paragraph(w->stream, "", plan->common, err) < 0 || put_line(w->stream, g, 0, g->nhead, err) < 0)
            return -1;
        for (size_t i = 0; i < g->ncolumn; i++)
            fputs(g->left[i] ? "|:---" : "|---:", w->stream);
        fputs("|\n", w->stream);
    }
    for (size_t r = 0; r < g->nrow; r++)
        if (put_line(w->stream, g, g->nhead + r, 1, err) < 0)
            return -1;
    return 0;
}

static int table_markdown_begin(struct table_writer *w, struct err *err)
{
    return cells_begin(w, sizeof(struct cells), table_markdown_block, err);
}

static int table_markdown_end(struct table_writer *w, struct err *err)
{
    if (cells_flush(w, err) < 0)
        return -1;
    for (size_t i = 0; i < w->table->nnote; i++) {
        putc('\n', w->stream);
        if (cells_letters(w->stream, w->table->note[i], put_letter, err) < 0)
            return -1;
        putc('\n', w->stream);
    }
    return 0;
}

const struct table_format table_format_markdown = {
    .name = "markdown", .people = true,
    .summary = "a table with pipes, as GitHub reads it", .extension = ".md",
    .begin = table_markdown_begin, .row = cells_row, .end = table_markdown_end, .release = cells_release };
