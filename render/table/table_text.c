/* table_text.c -- for people. Aligned by libsmartcols, CELLS_HELD rows at a time so that a long table neither
 * waits for its end nor fills the memory; later blocks keep the widths of the first. */
#include <libsmartcols/libsmartcols.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "render/table/cells.h"
#include "graph/base/utf8.h"

#define BOLD "\033[1m"
#define PLAIN "\033[0m"
#define MOST_UPRIGHT 12             /* rows side by side; more stand one below the other after all */

struct own {
    struct cells cells;             /* must be first */
    double *width;                  /* by column, of the block before */
    bool any;                       /* a block was written */
    locale_t utf8;                  /* so that the same cells give the same bytes wherever it runs */
};

/* The lines without blanks at their ends. */
static void put_trimmed(FILE *f, const char *text)
{
    while (*text) {
        size_t line = strcspn(text, "\n"), keep = line;

        while (keep && text[keep - 1] == ' ')
            keep--;
        fwrite(text, 1, keep, f);
        if (text[line] == '\n')
            putc('\n', f);
        text += line + (text[line] == '\n');
    }
    putc('\n', f);
}

static int put_line(struct table_writer *w, const char *text, bool bold, struct err *err)
{
    char *line = utf8_line(text);

    if (!line)
        return err_memory(err);
    fprintf(w->stream, "%s%s%s\n", bold ? BOLD : "", line, bold ? PLAIN : "");
    free(line);
    return 0;
}

static struct libscols_column *add_column(struct libscols_table *t, const char *title, bool left, bool cut, bool bold)
{
    char *clean = utf8_line(title);
    struct libscols_column *c = NULL;
    int flags = (left ? 0 : SCOLS_FL_RIGHT) | (cut ? SCOLS_FL_TRUNC : 0);

    if (clean)
        c = scols_table_new_column(t, clean, 0, flags);
    if (c && bold && scols_cell_set_color(scols_column_get_header(c), BOLD) != 0)
        c = NULL;
    free(clean);
    return c;
}

static int set_cell(struct libscols_line *line, size_t at, const struct cell *cell, int decimals)
{
    char digits[CELL_DIGITS], *clean;
    int ret;

    if (cell->type != CELL_TEXT)
        return scols_line_set_data(line, at, cell_number(digits, cell, decimals));
    clean = utf8_line(cell->u.text);
    ret = clean ? scols_line_set_data(line, at, clean) : -1;
    free(clean);
    return ret;
}

static struct libscols_table *new_table(const struct table_writer *w)
{
    struct libscols_table *t = scols_new_table();

    if (!t)
        return NULL;
    if (scols_table_set_column_separator(t, "  ") != 0) {   /* headings have blanks in them */
        scols_unref_table(t);
        return NULL;
    }
    scols_table_enable_noencoding(t, 1);            /* utf8_line has already made the text safe */
    scols_table_enable_colors(t, w->terminal);
    scols_table_set_termforce(t, w->terminal ? SCOLS_TERMFORCE_ALWAYS : SCOLS_TERMFORCE_NEVER);
    if (w->terminal) {
        struct winsize size;

        if (ioctl(fileno(w->stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
            scols_table_set_termwidth(t, size.ws_col);
    }
    return t;
}

/* Prints under a locale that knows UTF-8, whatever the caller's. */
static int print(struct table_writer *w, struct libscols_table *t)
{
    struct own *own = w->own;
    locale_t old = own->utf8 ? uselocale(own->utf8) : (locale_t)0;
    char *text = NULL;
    int ret = scols_print_table_to_string(t, &text);

    if (own->utf8)
        uselocale(old);
    if (ret == 0 && text)
        put_trimmed(w->stream, text);
    free(text);
    return ret;
}

static int fill_block(struct libscols_table *t, struct table_writer *w)
{
    struct own *own = w->own;
    const struct table *held = &own->cells.held;

    for (size_t i = 0; i < held->ncolumn; i++) {
        char *title = column_title(&held->column[i]);
        bool left = own->cells.text[i];
        struct libscols_column *c = title ? add_column(t, title, left, left && w->terminal, w->terminal) : NULL;

        free(title);
        if (!c)
            return -1;
        if (own->any && scols_column_set_whint(c, own->width[i]) != 0)
            return -1;
    }
    for (size_t r = 0; r < table_rows(held); r++) {
        struct libscols_line *line = scols_table_new_line(t, NULL);

        for (size_t i = 0; i < held->ncolumn; i++)
            if (!line || set_cell(line, i, table_at(held, r, i), held->column[i].decimals) != 0)
                return -1;
    }
    return 0;
}

static int put_block(struct table_writer *w, struct err *err)
{
    struct own *own = w->own;
    struct libscols_table *t = new_table(w);
    int ret = -1;

    cells_look(&own->cells);
    if (t && fill_block(t, w) == 0) {
        scols_table_enable_noheadings(t, own->any);
        ret = print(w, t);
    }
    for (size_t i = 0; ret == 0 && i < w->table->ncolumn; i++)
        own->width[i] = (double)scols_column_get_width(scols_table_get_column(t, i));
    own->any = true;
    scols_unref_table(t);
    table_release(&own->cells.held);
    table_init(&own->cells.held, NULL, w->table->column, w->table->ncolumn);
    return ret == 0 ? 0 : err_memory(err);
}

static int fill_upright(struct libscols_table *t, const struct table *held)
{
    size_t nrow = table_rows(held);

    for (size_t r = 0; r <= nrow; r++)
        if (!add_column(t, "", true, false, false))
            return -1;
    for (size_t i = 0; i < held->ncolumn; i++) {
        struct libscols_line *line = scols_table_new_line(t, NULL);
        char *title = column_title(&held->column[i]), *clean = title ? utf8_line(title) : NULL;
        int ret = line && clean ? scols_line_set_data(line, 0, clean) : -1;

        for (size_t r = 0; ret == 0 && r < nrow; r++)
            ret = set_cell(line, r + 1, table_at(held, r, i), held->column[i].decimals);
        free(title);
        free(clean);
        if (ret != 0)
            return -1;
    }
    return 0;
}

/* Properties down. Everything is left-aligned: what stands below one another is of different units. */
static int put_upright(struct table_writer *w, struct err *err)
{
    struct own *own = w->own;
    struct libscols_table *t = new_table(w);
    int ret = -1;

    if (t && fill_upright(t, &own->cells.held) == 0) {
        scols_table_enable_noheadings(t, 1);
        ret = print(w, t);
    }
    scols_unref_table(t);
    own->any = true;
    return ret == 0 ? 0 : err_memory(err);
}

static int table_text_begin(struct table_writer *w, struct err *err)
{
    struct own *own;

    if (cells_begin(w, sizeof *own, err) < 0)
        return -1;
    own = w->own;
    own->utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);   /* 0 where there is none: the caller's */
    own->width = calloc(w->table->ncolumn + 1, sizeof *own->width);
    if (!own->width)
        return err_memory(err);
    if (w->table->title) {
        if (put_line(w, w->table->title, w->terminal, err) < 0)
            return -1;
        putc('\n', w->stream);
    }
    return 0;
}

static int table_text_row(struct table_writer *w, const struct cell *cell, struct err *err)
{
    struct own *own = w->own;

    for (size_t i = 0; i < w->table->ncolumn; i++)
        table_cell(&own->cells.held, &cell[i]);
    if (own->cells.held.why.code != ERR_NONE)
        return err_memory(err);
    return table_rows(&own->cells.held) == CELLS_HELD ? put_block(w, err) : 0;
}

static int table_text_end(struct table_writer *w, struct err *err)
{
    struct own *own = w->own;
    size_t nrow = table_rows(&own->cells.held);
    int ret = 0;

    if (nrow && w->table->upright && !own->any && nrow <= MOST_UPRIGHT)
        ret = put_upright(w, err);
    else if (nrow)
        ret = put_block(w, err);
    else if (!own->any)
        fputs("(no rows)\n", w->stream);
    if (ret == 0 && w->table->nnote)
        putc('\n', w->stream);
    for (size_t i = 0; ret == 0 && i < w->table->nnote; i++)
        ret = put_line(w, w->table->note[i], false, err);
    return ret;
}

static void table_text_release(struct table_writer *w)
{
    struct own *own = w->own;

    if (!own)
        return;
    if (own->utf8)
        freelocale(own->utf8);
    free(own->width);
    cells_release(w);
}

const struct table_format table_format_text = {
    .name = "text", .people = true,
    .summary = "aligned columns for people", .extension = ".txt",
    .begin = table_text_begin, .row = table_text_row, .end = table_text_end, .release = table_text_release };
