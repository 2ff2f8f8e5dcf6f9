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

int cells_begin(struct table_writer *w, size_t size, struct err *err)
{
    struct cells *c = calloc(1, size);

    w->own = c;
    if (!c)
        return err_memory(err);
    table_init(&c->held, NULL, w->table->column, w->table->ncolumn);
    c->text = calloc(w->table->ncolumn + 1, sizeof *c->text);
    return c->text ? 0 : err_memory(err);
}

void cells_look(struct cells *c)
{
    for (size_t i = 0; i < c->held.ncell; i++)
        if (c->held.cell[i].type == CELL_TEXT)
            c->text[i % c->held.ncolumn] = true;
}

int cells_text(struct table_writer *w, const char *text, struct err *err)
{
    const struct cells *c = w->own;
    char *line = text ? utf8_line(text) : NULL;

    if (!line)
        return err_memory(err);
    for (const char *p = line; *p; p++)
        c->letter(w->stream, *p, p[1]);
    free(line);
    return 0;
}

/* Of titles where `cell` is NULL. */
static int cells_line(struct table_writer *w, const struct cell *cell, struct err *err)
{
    const struct cells *c = w->own;

    for (size_t i = 0; i < w->table->ncolumn; i++) {
        char *title = cell ? NULL : column_title(&w->table->column[i]);
        int ret = 0;

        fputs(i ? c->between : c->first, w->stream);
        if (cell && cell[i].type != CELL_TEXT)
            c->number(w->stream, &cell[i], w->table->column[i].decimals);
        else
            ret = cells_text(w, cell ? cell[i].u.text : title, err);
        free(title);
        if (ret < 0)
            return -1;
    }
    fputs(c->last, w->stream);
    return 0;
}

int cells_flush(struct table_writer *w, struct err *err)
{
    struct cells *c = w->own;

    if (!c->begun) {
        c->begun = true;
        cells_look(c);
        c->rule(w->stream, c->text, w->table->ncolumn, true);
        if (cells_line(w, NULL, err) < 0)
            return -1;
        c->rule(w->stream, c->text, w->table->ncolumn, false);
    }
    for (size_t r = 0; r < table_rows(&c->held); r++)
        if (cells_line(w, table_at(&c->held, r, 0), err) < 0)
            return -1;
    table_release(&c->held);
    table_init(&c->held, NULL, w->table->column, w->table->ncolumn);
    return 0;
}

int cells_row(struct table_writer *w, const struct cell *cell, struct err *err)
{
    struct cells *c = w->own;

    if (c->begun)
        return cells_line(w, cell, err);
    for (size_t i = 0; i < w->table->ncolumn; i++)
        table_cell(&c->held, &cell[i]);
    if (c->held.why.code != ERR_NONE)
        return err_memory(err);
    return table_rows(&c->held) == CELLS_HELD ? cells_flush(w, err) : 0;
}

void cells_release(struct table_writer *w)
{
    struct cells *c = w->own;

    if (!c)
        return;
    table_release(&c->held);
    free(c->text);
    free(c);
}
