#include "render/table/cells.h"

void html_letter(FILE *f, char c, char)
{
    switch (c) {
    case '<': fputs("&lt;", f); break;
    case '>': fputs("&gt;", f); break;
    case '&': fputs("&amp;", f); break;
    case '"': fputs("&quot;", f); break;
    default: putc(c, f);
    }
}

static void put_element(FILE *f, const char *open, const char *text, const char *close)
{
    fputs(open, f);
    cells_letters(f, text, html_letter);
    fputs(close, f);
}

/* A heading's lines follow each other; of an upright table the first cell of a line heads it. */
static void put_line(FILE *f, const struct grid *g, size_t line, size_t lines, bool upright)
{
    const bool head = line < g->nhead;

    fputs("<tr>", f);
    for (size_t i = 0; i < g->ncolumn; i++) {
        const bool heads = head || (upright && i == 0);

        fprintf(f, heads ? "<th scope=\"%s\"%s>" : "<td%.0s%s>", head ? "col" : "row",
                g->left[i] ? "" : " class=\"number\"");
        for (size_t k = line; k < line + lines; k++) {
            const char *text = grid_at(g, k, i)->text;

            put_element(f, k > line && *text ? " " : "", text, "");
        }
        fputs(heads ? "</th>" : "</td>", f);
    }
    fputs("</tr>\n", f);
}

static int table_html_block(struct table_writer *w, const struct grid *g, bool first, struct err *)
{
    const struct cells *c = w->own;

    if (first) {
        if (c->plan.title)
            put_element(w->stream, "<p class=\"title\">", c->plan.title, "</p>\n");
        if (c->plan.common)
            put_element(w->stream, "<p class=\"title\">", c->plan.common, "</p>\n");
        fprintf(w->stream, "<table class=\"%s\">\n<thead>\n", c->upright ? "upright" : "rows");
        if (g->nhead)
            put_line(w->stream, g, 0, g->nhead, c->upright);
        fputs("</thead>\n<tbody>\n", w->stream);
    }
    for (size_t r = 0; r < g->nrow; r++)
        put_line(w->stream, g, g->nhead + r, 1, c->upright);
    return 0;
}

static void put_note(struct table_writer *w, size_t, const char *note)
{
    put_element(w->stream, "<p class=\"note\">", note, "</p>\n");
}

static int table_html_end(struct table_writer *w, struct err *err)
{
    const int ret = cells_flush(w, err);

    fputs("</tbody>\n</table>\n", w->stream);
    return ret < 0 ? -1 : cells_notes(w, put_note, err);
}

const struct table_format table_format_html = {
    .name = "html", .people = true,
    .summary = "a table for a web page, without a style of its own", .extension = ".html",
    .state = sizeof(struct cells), .block = table_html_block,
    .begin = cells_begin, .row = cells_row, .end = table_html_end, .release = cells_release };
