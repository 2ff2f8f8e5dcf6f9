#include "render/table/cells.h"

/* Text with what GitHub would read as markup made harmless. */
static void put_letter(FILE *f, char c, char)
{
    if (strchr("\\`*_|<~&", c))
        putc('\\', f);
    putc(c, f);
}

static void put_paragraph(FILE *f, const char *mark, const char *text)
{
    fputs(mark, f);
    cells_letters(f, text, put_letter);
    fprintf(f, "%s\n\n", mark);
}

/* A heading's lines, of which there is one here, follow each other. */
static void put_line(FILE *f, const struct grid *g, size_t line, size_t lines)
{
    for (size_t i = 0; i < g->ncolumn; i++) {
        bool any = false;

        fputs(i ? " | " : "| ", f);
        for (size_t k = line; k < line + lines; k++) {
            const char *text = grid_at(g, k, i)->text;

            fputs(any && *text ? " " : "", f);
            any = any || *text;
            cells_letters(f, text, put_letter);
        }
    }
    fputs(" |\n", f);
}

static int table_markdown_block(struct table_writer *w, const struct grid *g, bool first, struct err *)
{
    const struct grid_plan *plan = &((struct cells *)w->own)->plan;

    if (first) {
        if (plan->title)
            put_paragraph(w->stream, "**", plan->title);
        if (plan->common)
            put_paragraph(w->stream, "", plan->common);
        put_line(w->stream, g, 0, g->nhead);
        for (size_t i = 0; i < g->ncolumn; i++)
            fputs(g->left[i] ? "|:---" : "|---:", w->stream);
        fputs("|\n", w->stream);
    }
    for (size_t r = 0; r < g->nrow; r++)
        put_line(w->stream, g, g->nhead + r, 1);
    return 0;
}

static void put_note(struct table_writer *w, size_t, const char *note)
{
    putc('\n', w->stream);
    cells_letters(w->stream, note, put_letter);
    putc('\n', w->stream);
}

static int table_markdown_end(struct table_writer *w, struct err *err)
{
    return cells_flush(w, err) < 0 ? -1 : cells_notes(w, put_note, err);
}

const struct table_format table_format_markdown = {
    .name = "markdown", .people = true,
    .summary = "a table with pipes, as GitHub reads it", .extension = ".md",
    .state = sizeof(struct cells), .block = table_markdown_block,
    .begin = cells_begin, .row = cells_row, .end = table_markdown_end, .release = cells_release };
