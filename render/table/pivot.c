#include "render/table/pivot.h"
#include "render/table/cells.h"
#include "render/table/unit.h"

struct line {                   /* a row of the new table */
    size_t number, scope;
    double mean, n;             /* of what it is ordered by */
};
struct list {                   /* combinations of values, by the rows where they come first */
    size_t *row, n;
};
struct turn {
    const struct table *t;
    int by, value, key[PIVOT_KEYS], nkey;
    struct list column, line, scope;
    struct line *sorted;
    size_t *from;               /* by line and column: the row of the value that stands there, from 1; 0: none */
};

static size_t list_find(struct list *list, const struct table *t, size_t row, const int *key, int n)
{
    for (size_t i = 0; i < list->n; i++) {
        int k = 0;

        while (k < n && cell_same(table_at(t, list->row[i], (size_t)key[k]), table_at(t, row, (size_t)key[k])))
            k++;
        if (k == n)
            return i;
    }
    list->row[list->n] = row;
    return list->n++;
}

static int line_before(const void *a, const void *b)
{
    const struct line *x = a, *y = b;

    if (x->scope != y->scope)
        return x->scope < y->scope ? -1 : 1;
    return x->mean != y->mean ? (x->mean < y->mean ? -1 : 1) : x->number < y->number ? -1 : 1;
}

static int turn_gather(struct turn *x, const struct pivot *p, struct err *err)
{
    const size_t rows = table_rows(x->t);

    if (TAKE("the table", err, ARRAY(x->column.row, rows + 1), ARRAY(x->line.row, rows + 1),
             ARRAY(x->scope.row, rows + 1), ZEROS(x->sorted, rows + 1)) < 0)
        return -1;
    for (size_t r = 0; r < rows; r++)
        list_find(&x->column, x->t, r, &x->by, 1);
    if (TAKE("the table", err, ZEROS(x->from, rows * x->column.n + 1)) < 0)
        return -1;
    for (size_t r = 0; r < rows; r++) {
        const size_t i = list_find(&x->line, x->t, r, x->key, x->nkey);
        const double order = cell_value(table_at(x->t, r, (size_t)table_find(x->t, p->order)));
        struct line *line = &x->sorted[i];

        x->from[i * x->column.n + list_find(&x->column, x->t, r, &x->by, 1)] = r + 1;
        line->number = i;
        line->scope = list_find(&x->scope, x->t, r, x->key, x->nkey - 1);
        if (!isnan(order))
            line->mean += (order - line->mean) / ++line->n;
    }
    qsort(x->sorted, x->line.n, sizeof *x->sorted, line_before);
    return 0;
}

/* "time_us" at 1024 is time_1024_us, headed as the caller has it. */
static int turn_columns(struct pivoted *out, const struct turn *x, const struct pivot *p, struct err *err)
{
    const struct column *value = &x->t->column[x->value];
    const size_t nkey = (size_t)x->nkey;
    size_t stem;

    if (TAKE("the table", err, ARRAY(out->column, nkey + x->column.n), ZEROS(out->name, 2 * x->column.n + 1)) < 0)
        return -1;
    if (!unit_of_name(value->name, &stem))
        stem = strlen(value->name);
    for (size_t k = 0; k < nkey; k++)
        out->column[k] = x->t->column[x->key[k]];
    for (size_t i = 0; i < x->column.n; i++) {
        const struct cell *at = table_at(x->t, x->column.row[i], (size_t)x->by);
        char number[CELL_DIGITS], heading[PIVOT_HEADING], *name = NULL;

        p->heading(heading, at);
        if (asprintf(&name, "%.*s_%s%s", (int)stem, value->name, cell_number(number, at, -1), value->name + stem) < 0)
            return err_memory(err);
        out->name[out->nname++] = name;
        out->name[out->nname] = text_copy(heading, strlen(heading));
        if (!out->name[out->nname])
            return err_memory(err);
        out->column[nkey + i] = *value;
        out->column[nkey + i].name = name;
        out->column[nkey + i].heading = out->name[out->nname++];
    }
    table_init(&out->t, p->title, out->column, nkey + x->column.n);
    return 0;
}

static void turn_rows(struct table *to, const struct turn *x)
{
    static const struct cell none = { .type = CELL_NONE };

    for (const struct line *l = x->sorted; l < x->sorted + x->line.n; l++) {
        for (int k = 0; k < x->nkey; k++)
            table_cell(to, table_at(x->t, x->line.row[l->number], (size_t)x->key[k]));
        for (size_t k = 0; k < x->column.n; k++) {
            const size_t from = x->from[l->number * x->column.n + k];

            table_cell(to, from ? table_at(x->t, from - 1, (size_t)x->value) : &none);
        }
    }
    for (size_t i = 0; i < x->t->nnote; i++)
        table_note(to, "%s", x->t->note[i]);
    for (size_t i = 0; i < x->t->nrequest; i++)
        table_request(to, x->t->request[2 * i], x->t->request[2 * i + 1]);
}

int pivot_make(struct pivoted *out, const struct table *t, const struct pivot *p, const char *value, struct err *err)
{
    struct turn x = { .t = t, .by = table_find(t, p->by), .value = table_find(t, value) };
    int ret;

    for (const char *const *key = p->key; *key; key++)
        x.key[x.nkey++] = table_find(t, *key);
    ret = turn_gather(&x, p, err) < 0 || turn_columns(out, &x, p, err) < 0 ? -1 : 0;
    if (ret == 0)
        turn_rows(&out->t, &x);
    FREE(x.column.row, x.line.row, x.scope.row, x.sorted, x.from);
    return ret;
}

void pivot_release(struct pivoted *p)
{
    table_release(&p->t);
    for (size_t i = 0; i < p->nname; i++)
        free(p->name[i]);
    FREE(p->name, p->column);
}
