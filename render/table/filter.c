#include "render/table/filter.h"

#include <stdlib.h>
#include <string.h>

#include "graph/base/text.h"
#include "render/table/from_csv.h"

enum relation { EQUAL, DIFFERENT, LESS, AT_MOST, MORE, AT_LEAST };

/* The longest sign that is there, leftmost. */
static const char *find_relation(const char *text, enum relation *which, size_t *length)
{
    static const struct {
        const char *sign;
        enum relation relation;
    } table[] = { { "!=", DIFFERENT }, { "<=", AT_MOST }, { ">=", AT_LEAST }, { "=", EQUAL }, { "<", LESS },
        { ">", MORE } };

    for (const char *at = text; *at; at++)
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)
            if (strncmp(at, table[i].sign, strlen(table[i].sign)) == 0) {
                *which = table[i].relation;
                *length = strlen(table[i].sign);
                return at;
            }
    return NULL;
}

static bool is_number(const struct cell *c)
{
    return c->type == CELL_INT || c->type == CELL_REAL;
}

/* -1, 0, 1; words and numbers are only ever different (2). */
static int compare(const struct cell *cell, char *value)
{
    struct cell v = csv_cell(value);
    int order;

    if (is_number(cell) && is_number(&v))
        return (cell_value(cell) > cell_value(&v)) - (cell_value(cell) < cell_value(&v));
    if (cell->type == CELL_NONE && v.type == CELL_NONE)
        return 0;
    if (cell->type != CELL_TEXT)
        return 2;
    order = strcmp(cell->u.text, value);
    return (order > 0) - (order < 0);
}

static bool is_one_of(const struct cell *cell, char *list)
{
    for (char *at = list; at;) {
        char *comma = strchr(at, ',');
        bool equal;

        if (comma)
            *comma = '\0';
        equal = compare(cell, at) == 0;
        if (comma)
            *comma = ',';
        if (equal)
            return true;
        at = comma ? comma + 1 : NULL;
    }
    return false;
}

static bool holds(const struct cell *cell, enum relation which, char *value)
{
    int order;

    if (which == EQUAL || which == DIFFERENT)
        return (compare(cell, value) == 0 || is_one_of(cell, value)) == (which == EQUAL);
    order = compare(cell, value);
    if (cell->type == CELL_NONE || order == 2)
        return false;
    return which == LESS ? order < 0 : which == AT_MOST ? order <= 0 : which == MORE ? order > 0 : order >= 0;
}

int table_unknown(const struct table *t, const char *name, struct err *err)
{
    const char **list = calloc(t->ncolumn + 1, sizeof *list);
    char near[80], all[240] = "";
    size_t len = 0;

    if (!list)
        return err_memory(err);
    for (size_t i = 0; i < t->ncolumn; i++) {
        list[i] = t->column[i].name;
        if (len < sizeof all)
            len += (size_t)snprintf(all + len, sizeof all - len, "%s%s", i ? ", " : "", list[i]);
    }
    text_suggest(near, name, list, t->ncolumn);
    free(list);
    return err_set(err, ERR_USAGE, "there is no column '%.60s'%s; the columns are %s%s", name, near, all,
                   len >= sizeof all ? "..." : "");
}

static void keep(struct table *t, size_t column, enum relation which, char *value)
{
    size_t kept = 0, rows = table_rows(t);

    for (size_t r = 0; r < rows; r++) {
        struct cell *row = &t->cell[r * t->ncolumn];

        if (!holds(&row[column], which, value)) {
            for (size_t i = 0; i < t->ncolumn; i++)
                if (row[i].type == CELL_TEXT)
                    free(row[i].u.text);
            continue;
        }
        if (kept < r) {
            memcpy(&t->cell[kept * t->ncolumn], row, t->ncolumn * sizeof *row);
            if (t->line)
                t->line[kept] = t->line[r];
        }
        kept++;
    }
    t->ncell = kept * t->ncolumn;
}

int table_filter(struct table *t, const char *condition, struct err *err)
{
    enum relation which = EQUAL;
    size_t length = 0;
    const char *at = find_relation(condition, &which, &length);
    char *column, *value;
    int found = -1;

    if (!at || at == condition)
        return err_set(err, ERR_USAGE, "--where is '%.60s'; it takes COLUMN=VALUE, or another of != < <= > >=",
                       condition);
    column = text_copy(condition, (size_t)(at - condition));
    value = text_copy(at + length, strlen(at + length));
    if (!column || !value) {
        err_memory(err);
    } else {
        found = table_find(t, column);
        if (found < 0)
            table_unknown(t, column, err);
        else
            keep(t, (size_t)found, which, value);
    }
    free(column);
    free(value);
    return found < 0 ? -1 : 0;
}
