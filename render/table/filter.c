#include "render/table/filter.h"
#include "render/table/from_csv.h"

enum relation { EQUAL, DIFFERENT, LESS, AT_MOST, MORE, AT_LEAST };

/* The longest sign that is there, leftmost. */
static const char *find_relation(const char *text, enum relation *which, size_t *length)
{
    static const struct {
        const char *sign;
        enum relation relation;
    } table[] = { { "!=", DIFFERENT }, { "<=", AT_MOST }, { ">=", AT_LEAST }, { "==", EQUAL }, { "=", EQUAL },
        { "<", LESS }, { ">", MORE } };

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

static bool any_holds(const struct table *t, size_t column, enum relation which, char *value)
{
    size_t r = 0;

    while (r < table_rows(t) && !holds(table_at(t, r, column), which, value))
        r++;
    return r < table_rows(t);
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

static void free_row(struct table *t, size_t row)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if (table_at(t, row, i)->type == CELL_TEXT)
            free(table_at(t, row, i)->u.text);
}

static void keep(struct table *t, size_t column, enum relation which, char *value)
{
    size_t kept = 0, rows = table_rows(t);

    for (size_t r = 0; r < rows; r++) {
        struct cell *row = &t->cell[r * t->ncolumn];

        if (!holds(&row[column], which, value)) {
            free_row(t, r);
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

#define SHOWN 10                /* values of a column, where none is the one asked for */

static const char *shown(char out[64], const struct cell *cell)
{
    char number[32];

    snprintf(out, 64, "%.60s", cell->type == CELL_TEXT ? cell->u.text : is_number(cell) ?
             num_shortest(number, cell_value(cell)) : "none");
    return out;
}

/* The distinct values of a column for a message: the first of many, or the range of numbers. */
static int nothing_left(const struct table *t, size_t column, const char *condition, struct err *err)
{
    const struct cell *seen[SHOWN], *least = NULL, *most = NULL;
    char all[SHOWN * 66] = "", text[2][64];
    size_t n = 0, len = 0;
    bool more = false, numbers = true;

    for (size_t r = 0; r < table_rows(t); r++) {
        const struct cell *c = table_at(t, r, column);
        size_t k = 0;

        while (k < n && !cell_same(seen[k], c))
            k++;
        if (k == n && n < SHOWN)
            seen[n++] = c;
        more = more || (k == n && n == SHOWN);
        if (!is_number(c)) {
            numbers = numbers && c->type == CELL_NONE;
            continue;
        }
        least = !least || cell_value(c) < cell_value(least) ? c : least;
        most = !most || cell_value(c) > cell_value(most) ? c : most;
    }
    if (more && numbers && least)
        snprintf(all, sizeof all, "from %s to %s", shown(text[0], least), shown(text[1], most));
    else
        for (size_t k = 0; k < n && len < 200; k++)
            len += (size_t)snprintf(all + len, sizeof all - len, "%s%s", k ? ", " : "", shown(text[0], seen[k]));
    return err_set(err, ERR_FORMAT, "no row is left by --where '%.80s'; %.60s is %.280s%s", condition,
                   t->column[column].name, all, more && !(numbers && least) ? ", ..." : "");
}

int table_filter(struct table *t, const char *condition, struct err *err)
{
    enum relation which = EQUAL;
    size_t length = 0;
    const char *at = find_relation(condition, &which, &length);
    char *column, *value;
    int found = -1, ret = -1;

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
        else if (table_rows(t) > 0 && !any_holds(t, (size_t)found, which, value))
            nothing_left(t, (size_t)found, condition, err);
        else
            ret = 0;
        if (found >= 0)
            keep(t, (size_t)found, which, value);
    }
    FREE(column, value);
    return ret;
}

struct order {
    const struct table *t;
    size_t column;
    bool down;
};

/* Numbers, then words, then unknown values, which stay last in falling order too. */
static int rank(const struct cell *c)
{
    return is_number(c) ? 0 : c->type == CELL_TEXT ? 1 : 2;
}

static int by_cell(const void *pa, const void *pb, void *arg)
{
    const struct order *o = arg;
    const size_t ra = *(const size_t *)pa, rb = *(const size_t *)pb;
    const struct cell *a = table_at(o->t, ra, o->column), *b = table_at(o->t, rb, o->column);
    int order = 0;

    if (rank(a) == 2 || rank(b) == 2)
        order = (rank(a) - rank(b)) * (o->down ? -1 : 1);
    else if (rank(a) != rank(b))
        order = rank(a) - rank(b);
    else if (rank(a) == 1)
        order = strverscmp(a->u.text, b->u.text);
    else if (a->type == CELL_INT && b->type == CELL_INT)
        order = (a->u.integer > b->u.integer) - (a->u.integer < b->u.integer);
    else
        order = (cell_value(a) > cell_value(b)) - (cell_value(a) < cell_value(b));
    return order ? o->down ? -order : order : (ra > rb) - (ra < rb);
}

int table_sort(struct table *t, const char *key, struct err *err)
{
    const size_t rows = table_rows(t);
    struct order o = { .t = t, .down = key[0] == '-' };
    const int at = table_find(t, key + o.down);
    size_t *row, *line;
    struct cell *cell;

    if (at < 0)
        return table_unknown(t, key + o.down, err);
    o.column = (size_t)at;
    if (TAKE("the table", err, ARRAY(row, rows + 1), ARRAY(line, rows + 1), ARRAY(cell, t->ncell + 1)) < 0)
        return -1;
    for (size_t r = 0; r < rows; r++)
        row[r] = r;
    qsort_r(row, rows, sizeof *row, by_cell, &o);
    for (size_t r = 0; r < rows; r++) {
        memcpy(&cell[r * t->ncolumn], table_at(t, row[r], 0), t->ncolumn * sizeof *cell);
        line[r] = t->line ? t->line[row[r]] : 0;
    }
    if (rows)
        memcpy(t->cell, cell, rows * t->ncolumn * sizeof *cell);
    if (rows && t->line)
        memcpy(t->line, line, rows * sizeof *line);
    FREE(row, line, cell);
    return 0;
}

void table_drop(struct table *t, size_t row)
{
    const size_t after = table_rows(t) - row - 1;

    free_row(t, row);
    memmove(&t->cell[row * t->ncolumn], &t->cell[(row + 1) * t->ncolumn], after * t->ncolumn * sizeof *t->cell);
    if (t->line)
        memmove(&t->line[row], &t->line[row + 1], after * sizeof *t->line);
    t->ncell -= t->ncolumn;
}

void table_top(struct table *t, size_t n)
{
    while (table_rows(t) > n)
        table_drop(t, table_rows(t) - 1);
}
