/* table_text.c -- for people. Aligned, a block of rows at a time; later blocks keep the widths of the first. What is
 * too wide for the screen is written as records: properties down, as many rows side by side as there is room for.
 * Sentences go on in the next line at a blank; nothing is cut. */
#include "render/table/cells.h"

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

struct own {
    struct cells cells;             /* must be first */
    size_t *width;                  /* by column, of the block before */
    bool records, breaks;           /* too wide for the screen, even with words that go on in further rows */
};

#define CONTINUED 2                 /* where sentences go on in the next line */

/* That sentences and records fit. */
static size_t page_width(const struct table_writer *w)
{
    return w->view->width ? w->view->width : TABLE_FITS;
}

static void put_blanks(FILE *f, size_t n)
{
    fprintf(f, "%*s", (int)n, "");
}

/* Words from column `at` on, in lines up to `width` (0: one line), of which those after the first begin at `indent`; a
 * word that has no room there has a line of its own. */
static void put_words(FILE *f, const char *text, size_t at, size_t indent, size_t width)
{
    while (width && *text) {
        const char *end = strchrnul(text + strspn(text, " "), ' ');
        char *word = strndup(text, (size_t)(end - text));
        const size_t n = word ? grid_width(word) : 0, first = indent + n > width ? 0 : indent;

        free(word);
        if (at + n > width && at > first) {
            putc('\n', f);
            put_blanks(f, first);
            text += strspn(text, " ");
            at = first;
            continue;
        }
        fwrite(text, 1, (size_t)(end - text), f);
        at += n;
        text = end;
    }
    fputs(text, f);
}

static void put_sentence(struct table_writer *w, const char *text, bool bold)
{
    fputs(bold ? BOLD : "", w->stream);
    put_words(w->stream, text, 0, CONTINUED, page_width(w));
    fputs(bold ? PLAIN "\n" : "\n", w->stream);
}

/* The first column, and those from..to. */
static void put_lines(const struct table_writer *w, const struct grid *g, const size_t *width, size_t from, size_t to,
                      bool heads)
{
    const struct own *own = w->own;
    const size_t limit = own->records ? page_width(w) : 0;

    for (size_t r = heads ? 0 : g->nhead; r < g->nhead + g->nrow; r++) {
        const bool bold = w->view->colour && r < g->nhead;
        size_t blanks = 0, at = 0;

        fputs(bold ? BOLD : "", w->stream);
        for (size_t i = 0; i < g->ncolumn && i < to; i = i == 0 && from > 1 ? from : i + 1) {
            const char *text = grid_at(g, r, i)->text;
            const size_t n = grid_width(text), before = g->left[i] ? 0 : width[i] - n;

            if (*text) {
                put_blanks(w->stream, blanks + before);
                put_words(w->stream, text, at, at, i > 0 && i + 1 == to ? limit : 0);
                blanks = 0;
            }
            blanks += (*text ? 0 : before + n) + (width[i] - before - n) + GAP;
            at += width[i] + GAP;
        }
        fputs(bold ? PLAIN "\n" : "\n", w->stream);
    }
}

/* As many rows side by side as there is room for, then the next. */
static void put_records(const struct table_writer *w, const struct grid *g, const size_t *width)
{
    for (size_t from = 1, to; from < g->ncolumn; from = to) {
        size_t sum = width[0];

        for (to = from; to < g->ncolumn && (to == from || sum + GAP + width[to] <= page_width(w)); to++)
            sum += GAP + width[to];
        if (from > 1)
            putc('\n', w->stream);
        put_lines(w, g, width, from, to, true);
    }
}

static int put_upright(const struct table_writer *w, struct err *err)
{
    const struct own *own = w->own;
    struct grid g = { 0 };
    size_t *width = NULL;
    int ret = grid_make(&g, &own->cells.held, &own->cells.plan, true, err);

    if (ret == 0 && !(width = calloc(g.ncolumn + 1, sizeof *width)))
        ret = err_memory(err);
    if (ret == 0) {
        grid_measure(width, &g, GAP);
        put_records(w, &g, width);
    }
    free(width);
    grid_release(&g);
    return ret;
}

static void put_title(struct table_writer *w)
{
    const struct grid_plan *p = &((struct own *)w->own)->cells.plan;

    if (p->title)
        put_sentence(w, p->title, w->view->colour);
    if (p->common)
        put_sentence(w, p->common, false);
    if (p->title || p->common)
        putc('\n', w->stream);
}

static int table_text_block(struct table_writer *w, const struct grid *g, bool first, struct err *err)
{
    struct own *own = w->own;
    const size_t limit = own->cells.upright || w->view->width ? page_width(w) : SIZE_MAX, last = g->ncolumn - 1;
    struct grid broken = { 0 };
    size_t sum;
    int ret;

    if (first) {
        if (TAKE("the table", err, ZEROS(own->width, g->ncolumn + 1)) < 0)
            return -1;
        put_title(w);
    }
    if (g->nrow == 0 && !own->cells.upright) {
        fputs("(no rows)\n", w->stream);
        return 0;
    }
    sum = own->breaks ? 0 : grid_measure(own->width, g, GAP);
    if (first && sum > limit) {
        own->breaks = !own->cells.upright &&
            grid_narrow(own->width, g, g->nrow > MOST_RECORDS ? 0 : last, limit) <= limit;
        own->records = !own->breaks;
    }
    if (own->records)
        return put_upright(w, err);
    ret = own->breaks ? grid_break(&broken, g, own->width, err) : 0;
    if (ret == 0)
        put_lines(w, own->breaks ? &broken : g, own->width, 1, g->ncolumn, first);
    grid_release(&broken);
    return ret;
}

static void put_note(struct table_writer *w, size_t, const char *note)
{
    put_sentence(w, note, false);
}

static int table_text_end(struct table_writer *w, struct err *err)
{
    const struct grid_plan *p = &((struct own *)w->own)->cells.plan;

    if (cells_flush(w, err) < 0)
        return -1;
    if (p->left_out && !((struct own *)w->own)->records)
        put_sentence(w, p->left_out, false);
    if (w->table->nnote)
        putc('\n', w->stream);
    return cells_notes(w, put_note, err);
}

static void table_text_release(struct table_writer *w)
{
    if (w->own)
        free(((struct own *)w->own)->width);
    cells_release(w);
}

const struct table_format table_format_text = {
    .name = "text", .people = true,
    .summary = "aligned columns for people", .extension = ".txt",
    .state = sizeof(struct own), .block = table_text_block,
    .begin = cells_begin, .row = cells_row, .end = table_text_end, .release = table_text_release };
