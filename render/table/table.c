#include "render/table/table.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "graph/base/grow.h"
#include "graph/base/text.h"

#include "registry/table.inc"

KIND(table, table_format, struct table_format, .name = "table-format", .what = "table format", .rank = 16)

void table_init(struct table *t, const char *title, const struct column *column, size_t ncolumn)
{
    *t = (struct table){ .title = title, .column = column, .ncolumn = ncolumn };
}

static void free_texts(char **text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(text[i]);
    free(text);
}

void table_release(struct table *t)
{
    for (size_t i = 0; i < t->ncell; i++)
        if (t->cell[i].type == CELL_TEXT)
            free(t->cell[i].u.text);
    free(t->cell);
    free_texts(t->note, t->nnote);
    free_texts(t->request, 2 * t->nrequest);
    free(t->line);
    *t = (struct table){ 0 };
}

/* Takes over the text of a cell. After a failure nothing more is kept: cells would slip into wrong columns. */
static void push(struct table *t, struct cell cell)
{
    struct err ignored;

    t->failed = t->failed || GROW(&t->room, t->ncell + 1, "a table", &ignored, GROWN(t->cell)) < 0;
    if (!t->failed)
        t->cell[t->ncell++] = cell;
    else if (cell.type == CELL_TEXT)
        free(cell.u.text);
}

void table_none(struct table *t)
{
    push(t, (struct cell){ .type = CELL_NONE });
}

void table_text(struct table *t, const char *text)
{
    struct cell cell = { .type = text ? CELL_TEXT : CELL_NONE };

    if (text) {
        cell.u.text = text_copy(text, strlen(text));
        t->failed = t->failed || !cell.u.text;
    }
    push(t, cell);
}

void table_take(struct table *t, char *text)
{
    t->failed = t->failed || !text;
    push(t, (struct cell){ .type = text ? CELL_TEXT : CELL_NONE, .u.text = text });
}

void table_int(struct table *t, int64_t value)
{
    push(t, (struct cell){ .type = CELL_INT, .u.integer = value });
}

void table_real(struct table *t, double value)
{
    push(t, (struct cell){ .type = isnan(value) ? CELL_NONE : CELL_REAL, .u.real = value });
}

void table_cell(struct table *t, const struct cell *cell)
{
    if (cell->type == CELL_TEXT)
        table_text(t, cell->u.text);
    else if (cell->type == CELL_REAL)
        table_real(t, cell->u.real);
    else
        push(t, *cell);
}

void table_note(struct table *t, const char *fmt, ...)
{
    struct err ignored;
    char *note = NULL;
    va_list args;
    int len;

    va_start(args, fmt);
    len = vasprintf(&note, fmt, args);
    va_end(args);
    if (len < 0) {
        t->failed = true;
        return;
    }
    if (GROW_BY(t->nnote, 1, "notes", &ignored, GROWN(t->note)) < 0) {
        t->failed = true;
        free(note);
    } else {
        t->note[t->nnote++] = note;
    }
}

void table_request(struct table *t, const char *key, const char *value)
{
    char *k = text_copy(key, strlen(key)), *v = text_copy(value, strlen(value));
    struct err ignored;

    if (!k || !v || GROW_BY(t->nrequest, 1, "a request", &ignored, GROWN_OF(t->request, 2)) < 0) {
        t->failed = true;
        free(k);
        free(v);
        return;
    }
    t->request[2 * t->nrequest] = k;
    t->request[2 * t->nrequest + 1] = v;
    t->nrequest++;
}

int table_find(const struct table *t, const char *column)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if (strcmp(t->column[i].name, column) == 0)
            return (int)i;
    return -1;
}

const struct table_format *table_format_for_path(const char *path)
{
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && table_format_all[i]; i++)
        if (table_format_all[i]->extension && strcasecmp(dot, table_format_all[i]->extension) == 0)
            return table_format_all[i];
    return NULL;
}

/* What every step ends with: the step's own result, and what the stream says. */
static int checked(struct table_writer *w, int ret, struct err *err)
{
    if (ret == 0 && ferror(w->stream))
        ret = err_set(err, ERR_IO, "cannot write the table: %s", errno ? strerror(errno) : "write error");
    w->failed = w->failed || ret < 0;
    return ret;
}

/* The table without the columns that stand aside, for a format that people read. */
static int set_aside(struct table_writer *w, struct err *err)
{
    struct column *column = malloc((w->given->ncolumn + 1) * sizeof *column);
    size_t n = 0;

    w->kept = malloc((w->given->ncolumn + 1) * sizeof *w->kept);
    if (!column || !w->kept) {
        free(column);
        return err_memory(err);
    }
    for (size_t i = 0; i < w->given->ncolumn; i++)
        if (w->given->column[i].decimals != COLUMN_ASIDE)
            column[n++] = w->given->column[i];
    w->shown = *w->given;
    w->shown.column = column;
    w->shown.ncolumn = n;
    w->table = &w->shown;
    return 0;
}

int table_begin(struct table_writer *w, const struct table_format *f, FILE *stream, const struct table *t,
                bool terminal, struct err *err)
{
    bool aside = false;

    *w = (struct table_writer){ .format = f, .stream = stream, .table = t, .given = t, .terminal = terminal };
    for (size_t i = 0; i < t->ncolumn; i++)
        aside = aside || t->column[i].decimals == COLUMN_ASIDE;
    if (t->failed)
        return checked(w, err_memory(err), err);
    if (aside && f->people && set_aside(w, err) < 0)
        return checked(w, -1, err);
    return checked(w, f->begin(w, err), err);
}

int table_row(struct table_writer *w, const struct cell *cell, struct err *err)
{
    int ret;

    if (w->failed)
        return -1;
    if (w->kept) {
        size_t n = 0;

        for (size_t i = 0; i < w->given->ncolumn; i++)
            if (w->given->column[i].decimals != COLUMN_ASIDE)
                w->kept[n++] = cell[i];
        cell = w->kept;
    }
    ret = checked(w, w->format->row(w, cell, err), err);
    w->nrow++;
    return ret;
}

int table_end(struct table_writer *w, struct err *err)
{
    if (w->kept) {                      /* notes may have come since */
        w->shown.note = w->given->note;
        w->shown.nnote = w->given->nnote;
        w->shown.failed = w->given->failed;
    }
    if (!w->failed && w->table->failed)
        checked(w, err_memory(err), err);
    if (!w->failed)
        checked(w, w->format->end(w, err), err);
    if (w->format->release)
        w->format->release(w);
    if (w->kept)
        free((void *)(uintptr_t)w->shown.column);
    free(w->kept);
    w->kept = NULL;
    w->own = NULL;
    return w->failed ? -1 : 0;
}

int table_write(const struct table *t, const struct table_format *f, FILE *stream, bool terminal, struct err *err)
{
    struct table_writer w;
    int ret = table_begin(&w, f, stream, t, terminal, err);

    for (size_t r = 0; ret == 0 && r < table_rows(t); r++)
        ret = table_row(&w, table_at(t, r, 0), err);
    return table_end(&w, err);
}

bool table_has_text(const struct table *t, size_t column)
{
    for (size_t r = 0; r < table_rows(t); r++)
        if (table_at(t, r, column)->type == CELL_TEXT)
            return true;
    return false;
}

bool cell_same(const struct cell *a, const struct cell *b)
{
    if (a->type != b->type)
        return false;
    switch (a->type) {
    case CELL_TEXT: return strcmp(a->u.text, b->u.text) == 0;
    case CELL_INT: return a->u.integer == b->u.integer;
    case CELL_REAL: return a->u.real == b->u.real || (isnan(a->u.real) && isnan(b->u.real));
    default: return true;
    }
}
