#include "render/table/cells.h"
#include "graph/base/utf8.h"

int cells_begin(struct table_writer *w, struct err *err)
{
    struct cells *c = calloc(1, w->format->state);

    w->own = c;
    if (!c)
        return err_memory(err);
    table_init(&c->held, NULL, w->table->column, w->table->ncolumn);
    return 0;
}

#define COLUMN_FITS 60          /* letters of \scriptsize in a column of a paper */

/* A table of few rows that is too wide for a screen may stand as records; one of more is made to fit. */
static size_t block_width(const struct table_writer *w, size_t rows)
{
    if (w->view->paper.column)
        return COLUMN_FITS;
    return w->view->width > TABLE_FITS || (w->view->width && rows > MOST_RECORDS) ? w->view->width : TABLE_FITS;
}

/* Columns that were asked for stay where they are, unless the table is only narrow enough without those that never
 * change. */
static int plan_block(struct table_writer *w, bool whole, struct err *err)
{
    struct cells *c = w->own;
    const size_t rows = table_rows(&c->held), width = block_width(w, rows);
    bool fixed = w->table->upright || w->view->ncolumn;
    int fits = 0;

    for (;;) {
        if (grid_plan(&c->plan, &c->held, w->table->title, whole, fixed, w->nhidden, err) < 0)
            return -1;
        if (!c->upright && rows && (fits = grid_fit(&c->plan, &c->held, w->yields, width, err)) < 0)
            return -1;
        if (c->upright || !rows || fits || !fixed || rows <= MOST_RECORDS)
            return 0;
        grid_plan_release(&c->plan);
        fixed = false;
    }
}

static int put_block(struct table_writer *w, bool whole, struct err *err)
{
    struct cells *c = w->own;
    const size_t rows = table_rows(&c->held);
    const bool first = !c->begun;
    struct grid grid = { 0 };
    int ret = -1;

    if (first)
        c->upright = whole && rows && (rows == 1 ? w->table->upright || w->table->ncolumn - w->nhidden > MOST_ALONG :
                                       w->table->upright && (rows <= MOST_UPRIGHT || w->table->always));
    if (first && plan_block(w, whole, err) < 0)
        return -1;
    if (grid_make(&grid, &c->held, &c->plan, c->upright, err) == 0)
        ret = w->format->block(w, &grid, first, err);
    c->begun = true;
    grid_release(&grid);
    table_release(&c->held);
    table_init(&c->held, NULL, w->table->column, w->table->ncolumn);
    return ret;
}

int cells_row(struct table_writer *w, const struct cell *cell, struct err *err)
{
    struct cells *c = w->own;

    if (w->table->ncolumn && table_rows(&c->held) == CELLS_HELD && put_block(w, false, err) < 0)
        return -1;
    for (size_t i = 0; i < w->table->ncolumn; i++)
        table_cell(&c->held, &cell[i]);
    return c->held.why.code != ERR_NONE ? err_memory(err) : 0;
}

int cells_flush(struct table_writer *w, struct err *err)
{
    struct cells *c = w->own;

    return c->begun && table_rows(&c->held) == 0 ? 0 : put_block(w, !c->begun, err);
}

void cells_letters(FILE *f, const char *text, cells_letter *letter)
{
    for (; *text; text++)
        letter(f, *text, text[1]);
}

int cells_notes(struct table_writer *w, void (*put)(struct table_writer *w, size_t i, const char *note),
                struct err *err)
{
    for (size_t i = 0; i < w->table->nnote; i++) {
        char *line = utf8_line(w->table->note[i]);

        if (!line)
            return err_memory(err);
        put(w, i, line);
        free(line);
    }
    return 0;
}

void cells_release(struct table_writer *w)
{
    struct cells *c = w->own;

    if (!c)
        return;
    table_release(&c->held);
    grid_plan_release(&c->plan);
    free(c);
}
