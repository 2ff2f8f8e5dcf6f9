#include "render/table/cells.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/text.h"
#include "graph/base/utf8.h"
#include "render/table/unit.h"

/* Four significant digits, without an exponent for what people read more easily in full. */
static void four_digits(char out[CELL_DIGITS], double v)
{
    if (fabs(v) >= 9999.5 && fabs(v) < 1e7)
        snprintf(out, CELL_DIGITS, "%.0f", v);
    else
        snprintf(out, CELL_DIGITS, "%.4g", v);
}

const char *cell_number(char out[CELL_DIGITS], const struct cell *cell, int decimals)
{
    double v;

    if (cell->type == CELL_INT) {
        snprintf(out, CELL_DIGITS, "%" PRId64, cell->u.integer);
        return out;
    }
    if (cell->type != CELL_REAL || isnan(cell->u.real))
        return strcpy(out, "-");
    v = cell->u.real;
    if (isinf(v))
        return strcpy(out, v > 0 ? "inf" : "-inf");
    if (decimals < 0 || decimals > 17 || fabs(v) >= 1e15)
        four_digits(out, v);
    else
        snprintf(out, CELL_DIGITS, "%.*f", decimals, v);
    if (out[0] == '-' && !strpbrk(out, "123456789"))        /* -0.00 says nothing that 0.00 does not */
        memmove(out, out + 1, strlen(out));
    return out;
}

/* The name in words, without the suffix that repeats the unit. */
static char *heading_of_name(const struct column *c)
{
    size_t len = strlen(c->name), stem;
    const char *unit = unit_of_name(c->name, &stem);
    char *text = text_copy(c->name, c->unit && unit && strcmp(c->unit, unit) == 0 ? stem : len);

    for (char *p = text; p && *p; p++)
        if (*p == '_')
            *p = ' ';
    if (text)
        text[0] = (char)toupper((unsigned char)text[0]);
    return text;
}

char *column_heading(const struct column *c)
{
    return c->heading ? text_copy(c->heading, strlen(c->heading)) : heading_of_name(c);
}

char *column_title(const struct column *c)
{
    char *heading = column_heading(c), *title = NULL;

    if (!heading || !c->unit || !*c->unit)
        return heading;
    if (asprintf(&title, "%s%s[%s]", heading, *heading ? " " : "", c->unit) < 0)
        title = NULL;
    free(heading);
    return title;
}

int cells_begin(struct table_writer *w, struct err *err)
{
    struct cells *c = calloc(1, w->format->state);

    w->own = c;
    if (!c)
        return err_memory(err);
    table_init(&c->held, NULL, w->table->column, w->table->ncolumn);
    return 0;
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
                                       w->table->upright && rows <= MOST_UPRIGHT);
    if (first && (grid_plan(&c->plan, &c->held, w->table->title, whole, w->table->upright || w->view->ncolumn,
                            w->nhidden, err) < 0 ||
                  (!c->upright && rows && grid_fit(&c->plan, &c->held, w->yields, w->view->width > TABLE_FITS ?
                                           w->view->width : TABLE_FITS, err) < 0)))
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
