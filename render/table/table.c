/* table.c -- tables: rows filled in by column name, and written in any format (table.h).
 * 1. rows      cells are copied, a row at a time, and checked against the columns
 * 2. notes     sentences below the rows, and the request that made them
 * 3. formats   by the extension of a path
 * 4. writing   the columns that a view shows, row by row */
#include "render/table/table.h"

#include <strings.h>

#include "registry/table.inc"

KIND(table, table_format, struct table_format, .name = "table-format", .what = "table format", .rank = 16)

/* ---- rows -------------------------------------------------------------------------------------------- */

void table_init(struct table *t, const char *title, const struct column *column, size_t ncolumn)
{
    *t = (struct table){ .title = title, .column = column, .ncolumn = ncolumn };
}

static void clear_rows(struct table *t)
{
    for (size_t i = 0; i < t->ncell; i++)
        if (t->cell[i].type == CELL_TEXT)
            free(t->cell[i].u.text);
    t->ncell = 0;
}

void table_release(struct table *t)
{
    clear_rows(t);
    free(t->cell);
    mem_free_list(t->note, t->nnote);
    mem_free_list(t->request, 2 * t->nrequest);
    free(t->line);
    *t = (struct table){ 0 };
}

/* Room for `more` cells. After a failure nothing more is kept. */
static bool room_for(struct table *t, size_t more)
{
    if (t->why.code == ERR_NONE)
        GROW(&t->room, t->ncell + more, "a table", &t->why, GROWN(t->cell));
    return t->why.code == ERR_NONE;
}

/* Copies a cell with its text; NaN becomes CELL_NONE. False: memory. */
static bool cell_copy(struct cell *out, const struct cell *cell)
{
    *out = *cell;
    if (cell->type == CELL_REAL && isnan(cell->u.real))
        out->type = CELL_NONE;
    if (cell->type != CELL_TEXT && cell->type != CELL_TAKEN)
        return true;
    out->u.text = cell->u.text ? text_copy(cell->u.text, strlen(cell->u.text)) : NULL;
    out->type = out->u.text ? CELL_TEXT : CELL_NONE;
    return out->u.text != NULL;
}

void table_cell(struct table *t, const struct cell *cell)
{
    if (room_for(t, 1) && !cell_copy(&t->cell[t->ncell++], cell))
        err_memory(&t->why);
}

/* The column of that name, looked for from `from` on and round; -1: none. */
static int find_from(const struct table *t, size_t from, const char *column)
{
    for (size_t i = 0; i < t->ncolumn; i++) {
        const size_t at = from + i < t->ncolumn ? from + i : from + i - t->ncolumn;

        if (t->column[at].name == column || strcmp(t->column[at].name, column) == 0 ||
            (t->asked && strcmp(t->asked[at].name, column) == 0))
            return (int)at;
    }
    return -1;
}

static int refuse_row(const struct table *t, const char *what, const char *column, struct err *err)
{
    return err_set(err, ERR_INTERNAL, "a row of the table '%.80s' %s column '%.80s'", t->title ? t->title : "without "
                   "title", what, column);
}

/* NULL text is none. */
static struct cell member_cell(const struct member *m, const void *const *of)
{
    const char *at = of[m->of];
    const char *text;
    double real;

    if (!at)
        return (struct cell){ CELL_NONE, false, { 0 } };
    at += m->offset;
    switch (m->kind) {
    case MEMBER_INT: return (struct cell){ CELL_INT, false, { .integer = *(const int *)(const void *)at } };
    case MEMBER_INT64: return (struct cell){ CELL_INT, false, { .integer = *(const int64_t *)(const void *)at } };
    case MEMBER_SIZE:
        return (struct cell){ CELL_INT, false, { .integer = (int64_t)*(const size_t *)(const void *)at } };
    case MEMBER_BOOL: return cell_text(NULL, *(const bool *)at ? "yes" : "no").cell;
    case MEMBER_TEXT:
        memcpy(&text, at, sizeof text);
        return cell_text(NULL, text).cell;
    case MEMBER_CHARS: return cell_text(NULL, at).cell;
    case MEMBER_REAL: case MEMBER_WHOLE: case MEMBER_FINITE: case MEMBER_LOOSE: break;
    }
    memcpy(&real, at, sizeof real);
    return m->kind == MEMBER_WHOLE ? cell_count(NULL, real).cell :
        cell_real(NULL, m->kind == MEMBER_FINITE && isinf(real) ? NAN : real).cell;
}

/* A cell of column `at`, in the unit of the column. */
static int fill_cell(struct cell *cell, const struct table *t, size_t at, const struct cell *from, struct err *err)
{
    if (!cell_copy(cell, from))
        return err_memory(err);
    if (t->asked && t->asked[at].factor != 1 && (cell->type == CELL_REAL || cell->type == CELL_INT))
        *cell = (struct cell){ CELL_REAL, false, { .real = cell_value(cell) * t->asked[at].factor } };
    return 0;
}

static int fill_members(struct cell *cell, const struct table *t, const void *const *of, struct err *err)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if (t->column[i].member.kind != MEMBER_LOOSE) {
            const struct cell from = member_cell(&t->column[i].member, of);

            if (fill_cell(&cell[i], t, i, &from, err) < 0)
                return -1;
        }
    return 0;
}

/* Into `cell`, the cells of which are still open. */
static int fill_row(struct cell *cell, const struct table *t, const struct named_cell *row, bool all, struct err *err)
{
    size_t next = 0;

    if (row->cell.type == CELL_MEMBERS && fill_members(cell, t, row++->cell.u.members, err) < 0)
        return -1;
    for (; row->column; row++) {
        const int at = find_from(t, next, row->column);

        if (at < 0)
            return refuse_row(t, "fills an unknown", row->column, err);
        if (cell[at].type != CELL_OPEN)
            return refuse_row(t, "fills twice the", row->column, err);
        if (fill_cell(&cell[at], t, (size_t)at, &row->cell, err) < 0)
            return -1;
        next = (size_t)at + 1 < t->ncolumn ? (size_t)at + 1 : 0;
    }
    for (size_t i = 0; i < t->ncolumn; i++)
        if (cell[i].type == CELL_OPEN) {
            if (all)
                return refuse_row(t, "lacks", t->column[i].name, err);
            cell[i].type = CELL_NONE;
        }
    return 0;
}

static void add(struct table *t, const struct named_cell *row, bool all)
{
    struct cell *cell = room_for(t, t->ncolumn) ? t->cell + t->ncell : NULL;

    for (size_t i = 0; cell && i < t->ncolumn; i++)
        cell[i] = (struct cell){ .type = CELL_OPEN };
    if (cell && fill_row(cell, t, row, all, &t->why) == 0)
        t->ncell += t->ncolumn;
    else
        for (size_t i = 0; cell && i < t->ncolumn; i++)
            if (cell[i].type == CELL_TEXT)
                free(cell[i].u.text);
    for (; row->column; row++)
        if (row->cell.type == CELL_TAKEN)
            free(row->cell.u.text);
}

void table_add(struct table *t, const struct named_cell *row)
{
    add(t, row, true);
}

void table_add_some(struct table *t, const struct named_cell *row)
{
    add(t, row, false);
}

struct named_cell cell_text(const char *column, const char *text)
{
    return (struct named_cell){ column, { text ? CELL_TEXT : CELL_NONE, false, { .text = (char *)(uintptr_t)text } } };
}

struct named_cell cell_take(const char *column, char *text)
{
    return (struct named_cell){ column, { CELL_TAKEN, false, { .text = text } } };
}

struct named_cell cell_int(const char *column, int64_t value)
{
    return (struct named_cell){ column, { CELL_INT, false, { .integer = value } } };
}

struct named_cell cell_real(const char *column, double value)
{
    return (struct named_cell){ column, { CELL_REAL, false, { .real = value } } };
}

struct named_cell cell_count(const char *column, double value)
{
    return isfinite(value) ? cell_int(column, (int64_t)value) : cell_none(column);
}

struct named_cell cell_members(const void *const *of)
{
    return (struct named_cell){ "", { CELL_MEMBERS, false, { .members = of } } };
}

struct named_cell cell_none(const char *column)
{
    return (struct named_cell){ column, { CELL_NONE, false, { 0 } } };
}

/* ---- notes ------------------------------------------------------------------------------------------- */

void table_note(struct table *t, const char *fmt, ...)
{
    char *note = NULL;
    va_list args;
    int len;

    va_start(args, fmt);
    len = vasprintf(&note, fmt, args);
    va_end(args);
    if (len < 0) {
        err_memory(&t->why);
        return;
    }
    if (GROW_BY(t->nnote, 1, "notes", &t->why, GROWN(t->note)) < 0)
        free(note);
    else
        t->note[t->nnote++] = note;
}

void table_request(struct table *t, const char *key, const char *value)
{
    char *k = text_copy(key, strlen(key)), *v = text_copy(value, strlen(value));

    if (!k || !v || GROW_BY(t->nrequest, 1, "a request", &t->why, GROWN_OF(t->request, 2)) < 0) {
        err_memory(&t->why);
        FREE(k, v);
        return;
    }
    t->request[2 * t->nrequest] = k;
    t->request[2 * t->nrequest + 1] = v;
    t->nrequest++;
}

int table_unknown(const struct table *t, const char *name, struct err *err)
{
    const char **list = calloc(t->ncolumn + 1, sizeof *list);
    char near[80], all[840];
    size_t n = 0;

    if (!list)
        return err_memory(err);
    for (size_t i = 0; i < t->ncolumn; i++)
        list[i] = t->column[i].name;
    text_suggest(near, name, list, t->ncolumn);
    for (size_t i = 0; i < t->ncolumn; i++)     /* those that are always there */
        if (t->column[i].decimals < IF_FILLED(COLUMN_ASIDE))
            list[n++] = t->column[i].name;
    text_list(all, sizeof all, list, n, ", ");
    free(list);
    return err_set(err, ERR_USAGE, "there is no column '%.60s'%s; the columns are %s%s", name, near, all,
                   strlen(all) + 1 == sizeof all ? "..." : "");
}

int table_find(const struct table *t, const char *column)
{
    return find_from(t, 0, column);
}

bool table_shows(const struct table *t, const char *columns)
{
    for (size_t n; t->nnamed && *columns; columns += n + (columns[n] == ',')) {
        n = strcspn(columns, ",");
        for (size_t i = 0; i < t->nnamed; i++) {
            const int at = table_find(t, t->named[i]);
            const char *name = at < 0 ? "" : t->asked ? t->asked[at].name : t->column[at].name;

            if (strncmp(name, columns, n) == 0 && !name[n])
                return true;
        }
    }
    return t->nnamed == 0;
}

/* ---- formats ----------------------------------------------------------------------------------------- */

const struct table_format *table_format_for_path(const char *path)
{
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot && table_format_all[i]; i++)
        if (table_format_all[i]->extension && strcasecmp(dot, table_format_all[i]->extension) == 0)
            return table_format_all[i];
    return NULL;
}

/* -1 where a row or note could not be kept. */
static int table_whole(const struct table *t, struct err *err)
{
    if (t->why.code != ERR_NONE)
        *err = t->why;
    return t->why.code == ERR_NONE ? 0 : -1;
}

/* ---- writing ----------------------------------------------------------------------------------------- */

/* What every step ends with: the step's own result, and what the stream says. */
static int checked(struct table_writer *w, int ret, struct err *err)
{
    if (ret == 0 && ferror(w->stream))
        ret = err_set(err, ERR_IO, "cannot write the table: %s", errno ? strerror(errno) : "write error");
    w->failed = w->failed || ret < 0;
    return ret;
}

int table_view_check(const struct table *t, const struct table_view *view, struct err *err)
{
    for (size_t i = 0; i < view->ncolumn; i++) {
        if (table_find(t, view->column[i]) < 0)
            return table_unknown(t, view->column[i], err);
        for (size_t k = 0; k < i; k++)
            if (strcmp(view->column[k], view->column[i]) == 0)
                return err_set(err, ERR_USAGE, "the column '%.60s' is named twice", view->column[i]);
    }
    return 0;
}

/* False: of a column that is there only where filled, and is not; it becomes as others are. */
static bool stays(struct column *c, const struct table *t, size_t at)
{
    bool filled = c->decimals < IF_FILLED(COLUMN_ASIDE);

    for (size_t r = 0; r < table_rows(t) && !filled; r++)
        filled = table_at(t, r, at)->type != CELL_NONE;
    if (c->decimals >= IF_FILLED(COLUMN_ASIDE))
        c->decimals -= IF_FILLED(0);
    return filled;
}

/* 1, 2: leaves where there is no room, 2 after the others. */
static int yields(const struct column *c)
{
    return (c->decimals + 1) / YIELDS(0);
}

/* How many columns come first and say what a row is about: of properties that stand upright one, else those before the
 * first quantity. */
static size_t leading(const struct table *t)
{
    size_t n = 0;

    while (n < t->ncolumn && !t->column[n].unit && (t->column[n].decimals % YIELDS(0) == 0 ||
                                                    t->column[n].decimals == COLUMN_ASIDE))
        n++;
    return t->upright && n > 1 ? 1 : n;
}

/* The columns that the view shows, and behind them those that lead and are not shown, for the title. */
static int pick(struct table_writer *w, struct err *err)
{
    const struct table_view *v = w->view;
    const size_t room = w->given->ncolumn + 1;
    struct column *column;
    size_t n = 0;

    if (table_view_check(w->given, v, err) < 0)
        return -1;
    if (TAKE("the table", err, ZEROS(w->pick, room), ZEROS(w->kept, room), ZEROS(w->yields, room),
             ZEROS(column, room)) < 0)
        return -1;
    for (size_t i = 0; i < (v->ncolumn ? v->ncolumn : w->given->ncolumn); i++) {
        struct column c = w->given->column[i];

        if (v->ncolumn || (stays(&c, w->given, i) && (!w->format->people || v->wide || c.decimals != COLUMN_ASIDE)))
            w->pick[n++] = v->ncolumn ? (size_t)table_find(w->given, v->column[i]) : i;
    }
    for (size_t i = 0; w->format->people && v->ncolumn && i < leading(w->given); i++) {
        size_t k = 0;

        while (k < n && w->pick[k] != i)
            k++;
        if (k == n && w->given->column[i].decimals != COLUMN_ASIDE) {
            w->pick[n++] = i;
            w->nhidden++;
        }
    }
    for (size_t i = 0; i < n; i++) {
        column[i] = w->given->column[w->pick[i]];
        stays(&column[i], w->given, w->pick[i]);
        w->yields[i] = v->ncolumn || v->wide ? 0 : yields(&column[i]);
        column[i].decimals -= yields(&column[i]) * YIELDS(0);
    }
    w->shown = *w->given;
    w->shown.asked = NULL;
    w->shown.column = column;
    w->shown.ncolumn = n;
    w->table = &w->shown;
    return 0;
}

int table_begin(struct table_writer *w, const struct table_format *f, FILE *stream, const struct table *t,
                const struct table_view *view, struct err *err)
{
    static const struct table_view usual = { .ncolumn = 0 };

    *w = (struct table_writer){ .format = f, .stream = stream, .table = t, .given = t, .view = view ? view : &usual };
    if (table_whole(t, err) < 0 || pick(w, err) < 0)
        return checked(w, -1, err);
    return checked(w, f->begin(w, err), err);
}

int table_row(struct table_writer *w, const struct cell *cell, struct err *err)
{
    int ret;

    if (w->failed)
        return -1;
    for (size_t i = 0; i < w->table->ncolumn; i++)
        w->kept[i] = cell[w->pick[i]];
    ret = checked(w, w->format->row(w, w->kept, err), err);
    w->nrow++;
    return ret;
}

int table_pass(struct table_writer *w, struct table *t, const struct named_cell *row, struct err *err)
{
    int ret;

    table_add(t, row);
    ret = table_whole(t, err) < 0 ? checked(w, -1, err) : table_row(w, t->cell, err);
    clear_rows(t);
    return ret;
}

int table_end(struct table_writer *w, struct err *err)
{
    w->shown.note = w->given->note;     /* some may have come since */
    w->shown.nnote = w->given->nnote;
    w->shown.why = w->given->why;
    if (!w->failed)
        checked(w, table_whole(w->table, err), err);
    if (!w->failed)
        checked(w, w->format->end ? w->format->end(w, err) : 0, err);
    if (w->format->release)
        w->format->release(w);
    FREE((void *)(uintptr_t)w->shown.column, w->kept, w->pick, w->yields);
    w->yields = NULL;
    w->kept = NULL;
    w->pick = NULL;
    w->own = NULL;
    return w->failed ? -1 : 0;
}

int table_write(const struct table *t, const struct table_format *f, FILE *stream, const struct table_view *view,
                struct err *err)
{
    struct table_writer w;
    int ret = table_begin(&w, f, stream, t, view, err);

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
