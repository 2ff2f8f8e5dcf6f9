#include "render/table/pivot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "graph/base/mem.h"
#include "graph/base/text.h"
#include "render/table/cells.h"
#include "render/table/unit.h"

#define TIE 5e-4

struct line {                   /* a row of the new table */
    size_t first, number, scope;        /* the row that it begins with; its number, and that of the first with which it
                                         * is compared */
    double over;                        /* mean of its values, in parts of the least */
};
struct turn {
    const struct table *t;
    int by, value, key[PIVOT_KEYS], nkey;
    struct line *line;
    size_t *column, nline, ncolumn;     /* column: the first row of each */
    size_t *row;                        /* by number of the line, and column: whose value stands there; NONE */
    double *least;                      /* by scope and column; NAN */
};
#define NONE SIZE_MAX

static bool same_keys(const struct turn *x, size_t a, size_t b, int nkey)
{
    for (int k = 0; k < nkey; k++)
        if (!cell_same(table_at(x->t, a, (size_t)x->key[k]), table_at(x->t, b, (size_t)x->key[k])))
            return false;
    return true;
}

static size_t column_of(struct turn *x, size_t row)
{
    size_t i = 0;

    while (i < x->ncolumn &&
           !cell_same(table_at(x->t, x->column[i], (size_t)x->by), table_at(x->t, row, (size_t)x->by)))
        i++;
    if (i == x->ncolumn)
        x->column[x->ncolumn++] = row;
    return i;
}

static size_t line_of(struct turn *x, size_t row)
{
    size_t i = 0, scope = 0;

    while (i < x->nline && !same_keys(x, x->line[i].first, row, x->nkey))
        i++;
    if (i < x->nline)
        return i;
    while (scope < x->nline && !same_keys(x, x->line[scope].first, row, x->nkey - 1))
        scope++;
    x->line[i] = (struct line){ row, i, scope, 0 };
    return x->nline++;
}

static double turn_value(const struct turn *x, size_t number, size_t column)
{
    const size_t row = x->row[number * x->ncolumn + column];

    return row == NONE ? (double)NAN : cell_value(table_at(x->t, row, (size_t)x->value));
}

static int turn_gather(struct turn *x, struct err *err)
{
    const size_t rows = table_rows(x->t);

    if (TAKE("the table", err, ARRAY(x->column, rows + 1), ARRAY(x->line, rows + 1)) < 0)
        return -1;
    for (size_t r = 0; r < rows; r++) {
        column_of(x, r);
        line_of(x, r);
    }
    if (TAKE("the table", err, ARRAY(x->row, x->nline * x->ncolumn + 1),
             ARRAY(x->least, x->nline * x->ncolumn + 1)) < 0)
        return -1;
    for (size_t i = 0; i < x->nline * x->ncolumn; i++) {
        x->row[i] = NONE;
        x->least[i] = NAN;
    }
    for (size_t r = 0; r < rows; r++) {
        const size_t i = line_of(x, r), k = column_of(x, r);
        double *least = &x->least[x->line[i].scope * x->ncolumn + k];

        x->row[i * x->ncolumn + k] = r;
        *least = fmin(*least, turn_value(x, i, k));
    }
    return 0;
}

static int line_before(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    if (x->scope != y->scope)
        return x->scope < y->scope ? -1 : 1;
    if (x->over != y->over)
        return x->over < y->over ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

static void turn_sort(struct turn *x)
{
    for (size_t i = 0; i < x->nline; i++) {
        double n = 0;

        for (size_t k = 0; k < x->ncolumn; k++) {
            const double over = turn_value(x, i, k) / x->least[x->line[i].scope * x->ncolumn + k];

            if (!isnan(over))
                x->line[i].over += (over - x->line[i].over) / ++n;
        }
    }
    qsort(x->line, x->nline, sizeof *x->line, line_before);
}

/* "time_us" at 1024 is time_1024_us, headed as the caller has it. */
static int turn_columns(struct pivoted *out, const struct turn *x, const struct pivot *p, struct err *err)
{
    const struct column *value = &x->t->column[x->value];
    const size_t nkey = (size_t)x->nkey;
    size_t stem;

    if (TAKE("the table", err, ARRAY(out->column, nkey + x->ncolumn), ZEROS(out->name, 2 * x->ncolumn + 1)) < 0)
        return -1;
    if (!unit_of_name(value->name, &stem))
        stem = strlen(value->name);
    for (size_t k = 0; k < nkey; k++)
        out->column[k] = x->t->column[x->key[k]];
    for (size_t i = 0; i < x->ncolumn; i++) {
        const struct cell *at = table_at(x->t, x->column[i], (size_t)x->by);
        struct column *to = &out->column[nkey + i];
        char number[CELL_DIGITS], heading[PIVOT_HEADING];
        char *name = NULL;

        p->heading(heading, at);
        if (asprintf(&name, "%.*s_%s%s", (int)stem, value->name, cell_number(number, at, -1), value->name + stem) < 0)
            return err_memory(err);
        out->name[out->nname++] = name;
        out->name[out->nname] = text_copy(heading, strlen(heading));
        if (!out->name[out->nname])
            return err_memory(err);
        *to = *value;
        to->name = name;
        to->heading = out->name[out->nname++];
    }
    table_init(&out->t, p->title, out->column, nkey + x->ncolumn);
    return 0;
}

static void turn_rows(struct table *to, const struct turn *x)
{
    for (const struct line *l = x->line; l < x->line + x->nline; l++) {
        for (int k = 0; k < x->nkey; k++)
            table_cell(to, table_at(x->t, l->first, (size_t)x->key[k]));
        for (size_t k = 0; k < x->ncolumn; k++) {
            const size_t row = x->row[l->number * x->ncolumn + k];
            struct cell cell = row == NONE ? (struct cell){ .type = CELL_NONE } :
                *table_at(x->t, row, (size_t)x->value);

            cell.marked = cell_value(&cell) <= x->least[l->scope * x->ncolumn + k] * (1 + TIE);
            table_cell(to, &cell);
        }
    }
    for (size_t i = 0; i < x->t->nnote; i++)
        table_note(to, "%s", x->t->note[i]);
    for (size_t i = 0; i < x->t->nrequest; i++)
        table_request(to, x->t->request[2 * i], x->t->request[2 * i + 1]);
}

int pivot_make(struct pivoted *out, const struct table *t, const struct pivot *p, struct err *err)
{
    struct turn x = { .t = t, .by = table_find(t, p->by), .value = -1 };
    int ret;

    for (const char *const *v = p->value; *v && x.value < 0 && table_rows(t); v++)
        if (table_at(t, 0, (size_t)table_find(t, *v))->type != CELL_NONE)
            x.value = table_find(t, *v);
    x.value = x.value < 0 ? table_find(t, p->value[0]) : x.value;
    for (const char *const *key = p->key; *key; key++)
        x.key[x.nkey++] = table_find(t, *key);
    ret = turn_gather(&x, err) < 0 || turn_columns(out, &x, p, err) < 0 ? -1 : 0;
    if (ret == 0) {
        turn_sort(&x);
        turn_rows(&out->t, &x);
    }
    FREE(x.line, x.column, x.row, x.least);
    return ret;
}

void pivot_release(struct pivoted *p)
{
    table_release(&p->t);
    for (size_t i = 0; i < p->nname; i++)
        free(p->name[i]);
    FREE(p->name, p->column);
}
