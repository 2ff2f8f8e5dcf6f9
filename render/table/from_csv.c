#include "render/table/from_csv.h"
#include "render/table/commas.h"
#include "render/table/dates.h"
#include "render/table/unit.h"

/* NONE: no number and no text in it. */
static enum cell_type column_type(const struct csv *csv, size_t column)
{
    bool real = false, finite = false, any = false;

    for (size_t r = 0; r < csv->nrow; r++) {
        struct cell cell = csv_cell(csv->field[r * csv->ncol + column]);

        if (cell.type == CELL_TEXT)
            return CELL_TEXT;
        any = any || cell.type != CELL_NONE;
        real = real || cell.type == CELL_REAL;
        finite = finite || cell.type == CELL_INT || (cell.type == CELL_REAL && isfinite(cell.u.real));
    }
    if (any && !finite)             /* nothing but "inf": a word like any other */
        return CELL_TEXT;
    return !any ? CELL_NONE : real ? CELL_REAL : CELL_INT;
}

/* "mean_length" as "Mean length", but a symbol ("t", "V_dd") as it is; returns what is free behind it. */
static char *put_heading(char *at, const char *name, size_t len)
{
    for (size_t i = 0; i < len; i++)
        at[i] = name[i] == '_' ? ' ' : name[i];
    at[len] = '\0';
    if (len > 1 && islower((unsigned char)at[1]))
        at[0] = (char)toupper((unsigned char)at[0]);
    return at + len + 1;
}

/* "latency [us]" has its unit in brackets, of numbers these may be round: its length without them, and the unit in out;
 * 0: it has not. */
static size_t bracketed(char out[40], const char *name, bool round)
{
    size_t len = strlen(name);
    const bool closed = len && round && name[len - 1] == ')';
    const char *open = strrchr(name, closed ? '(' : '[');

    if (!open || open == name || name[len - 1] != (closed ? ')' : ']') || (size_t)(name + len - open) > 40)
        return 0;
    memcpy(out, open + 1, (size_t)(name + len - open) - 2);
    out[name + len - open - 2] = '\0';
    len = (size_t)(open - name);
    while (len && name[len - 1] == ' ')
        len--;
    return *out ? len : 0;
}

/* Columns, and behind them in the same block their names and headings. */
static struct column *new_columns(const struct csv *csv, const enum cell_type *type)
{
    size_t bytes = csv->ncol * sizeof(struct column);
    struct column *c;
    char *at;

    for (size_t i = 0; i < csv->ncol; i++)
        bytes += 2 * strlen(csv->heading[i]) + 2 + 40;
    c = malloc(bytes + 1);
    if (!c)
        return NULL;
    at = (char *)(c + csv->ncol);
    for (size_t i = 0; i < csv->ncol; i++) {
        const char *name = csv->heading[i], *unit;
        size_t len = strlen(name), stem = len, before;
        char word[40];

        before = bracketed(word, name, type[i] != CELL_TEXT);
        unit = type[i] == CELL_TEXT ? NULL : unit_of_name(name, &stem);
        c[i] = (struct column){ .name = at, .unit = unit, .decimals = -1 };
        at = stpcpy(at, name) + 1;
        c[i].heading = at;
        at = put_heading(at, name, before ? before : unit ? stem : len);
        if (before) {
            c[i].unit = at;
            at = stpcpy(at, unit_of_word(word)) + 1;
        }
    }
    return c;
}

static void put_cell(struct table *t, char *field, enum cell_type type)
{
    struct cell cell = csv_cell(field);

    if (type == CELL_TEXT)
        cell = (struct cell){ *field ? CELL_TEXT : CELL_NONE, false, { .text = field } };
    else if (type == CELL_REAL && cell.type == CELL_INT)
        cell = (struct cell){ CELL_REAL, false, { .real = strtod(field, NULL) } };
    table_cell(t, &cell);
}

static int check_headings(const struct csv *csv, struct err *err)
{
    for (size_t i = 0; i < csv->ncol; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(csv->heading[i], csv->heading[k]) == 0)
                return err_set(err, ERR_FORMAT, "columns %zu and %zu %s%.60s%s; name one otherwise", k + 1, i + 1,
                               *csv->heading[i] ? "are both called '" : "have no names", csv->heading[i],
                               *csv->heading[i] ? "'" : "");
    return 0;
}

int table_from_csv(struct table *t, struct column **columns, const struct csv *csv, struct err *err)
{
    enum cell_type *type = malloc((csv->ncol + 1) * sizeof *type);
    struct column *c = NULL;
    struct table out = { 0 };
    int ret = -1;

    if (!type)
        goto memory;
    if (check_headings(csv, err) < 0)
        goto done;
    for (size_t i = 0; i < csv->ncol; i++)
        type[i] = column_type(csv, i);
    c = new_columns(csv, type);
    if (!c)
        goto memory;
    table_init(&out, NULL, c, csv->ncol);
    out.line = malloc((csv->nrow + 1) * sizeof *out.line);
    if (!out.line)
        goto memory;
    for (size_t r = 0; r < csv->nrow; r++)
        out.line[r] = csv->line[r];
    for (size_t r = 0; r < csv->nrow && out.why.code == ERR_NONE; r++)
        for (size_t i = 0; i < csv->ncol; i++)
            put_cell(&out, csv->field[r * csv->ncol + i], type[i]);
    if (out.why.code != ERR_NONE)
        goto memory;
    *t = out;
    *columns = c;
    ret = 0;
    goto done;
memory:
    err_memory(err);
    table_release(&out);
    free(c);
done:
    free(type);
    return ret;
}

int csv_table_open(struct csv_table *t, const char *path, struct err *err)
{
    *t = (struct csv_table){ .path = path };
    return csv_read(&t->csv, path, err) < 0 ? -1 : table_from_csv(&t->table, &t->columns, &t->csv, err);
}

/* A first row of numbers and dates alone is the first row of data. */
static int without_heading(struct csv_table *t, struct err *err)
{
    struct csv *csv = &t->csv;
    double date;

    for (size_t i = 0; i < csv->ncol; i++) {
        const enum cell_type type = csv_cell(csv->heading[i]).type;

        if (type != CELL_INT && type != CELL_REAL && !date_parse(&date, csv->heading[i]))
            return 0;
    }
    if (TAKE("a CSV file", err, ARRAY(t->names, csv->ncol)) < 0 ||
        GROW_BY(csv->nrow, 1, "the rows of a file", err, GROWN_OF(csv->field, csv->ncol), GROWN(csv->line)) < 0)
        return -1;
    memmove(csv->field + csv->ncol, csv->field, csv->nrow * csv->ncol * sizeof *csv->field);
    memmove(csv->line + 1, csv->line, csv->nrow++ * sizeof *csv->line);
    csv->line[0] = csv->heading_line;
    for (size_t i = 0; i < csv->ncol; i++) {
        csv->field[i] = csv->heading[i];
        snprintf(t->names[i], sizeof t->names[i], "column %zu", i + 1);
        csv->heading[i] = t->names[i];
    }
    t->headless = true;
    return 0;
}

/* Takes the signs from a column of "10%" and "12.5 %"; false: there is none, or a cell without one. */
static bool percents_undo(struct csv *csv, size_t column)
{
    bool any = false;

    for (int undo = 0; undo < 2; undo++)
        for (size_t r = 0; r < csv->nrow; r++) {
            char *field = csv->field[r * csv->ncol + column], *sign = field + strspn(field, " \t+-.,0123456789eE");

            if (csv_cell(field).type == CELL_NONE)
                continue;
            if (!undo && (*sign != '%' || sign[1 + strspn(sign + 1, " \t")] || !strpbrk(field, "0123456789")))
                return false;
            any = true;
            *sign = undo ? '\0' : *sign;
        }
    return any;
}

int csv_table_take(struct csv_table *t, struct err *err)
{
    bool *percent;
    int ret = -1;

    if (without_heading(t, err) < 0 || TAKE("a CSV file", err, ARRAY(percent, t->csv.ncol)) < 0)
        return -1;
    for (size_t i = 0; i < t->csv.ncol; i++)
        percent[i] = percents_undo(&t->csv, i);
    if (commas_undo(&t->csv, t->path, err) == 0)
        ret = table_from_csv(&t->table, &t->columns, &t->csv, err) < 0 ? err_at(err, "%.200s", t->path) : 0;
    for (size_t i = 0; ret == 0 && i < t->csv.ncol; i++)
        t->columns[i].unit = percent[i] && !t->columns[i].unit ? "%" : t->columns[i].unit;
    free(percent);
    return ret;
}

int csv_table_open_any(struct csv_table *t, const char *path, struct err *err)
{
    *t = (struct csv_table){ .path = path };
    return csv_read(&t->csv, path, err) < 0 ? -1 : csv_table_take(t, err);
}

void csv_table_release(struct csv_table *t)
{
    table_release(&t->table);
    FREE(t->columns, t->names);
    csv_release(&t->csv);
}
