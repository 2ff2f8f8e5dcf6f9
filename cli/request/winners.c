#include "cli/request/winners.h"
#include "cli/request/look.h"
#include "render/table/filter.h"

struct contest {
    struct table *t;
    const struct conclusion *c;
    int score, scope[CONCLUDE_KEYS + 1], nscope;
};

static bool contends(const struct contest *x, size_t row)
{
    return !x->c->but || strcmp(look_text(x->t, row, x->c->contender[0]), x->c->but) != 0;
}

static bool same_case(const struct contest *x, size_t a, size_t b)
{
    for (int k = 0; k < x->nscope; k++)
        if (!cell_same(table_at(x->t, a, (size_t)x->scope[k]), table_at(x->t, b, (size_t)x->scope[k])))
            return false;
    return true;
}

static bool wins(const struct contest *x, size_t row)
{
    const double score = cell_value(table_at(x->t, row, (size_t)x->score)), sign = x->c->most ? -1 : 1;
    size_t rows = 0;

    for (size_t r = 0; !isnan(score) && r < table_rows(x->t); r++) {
        const double other = cell_value(table_at(x->t, r, (size_t)x->score));

        if (!same_case(x, r, row) || !contends(x, r))
            continue;
        if (sign * (score - other) > CONCLUDE_TIE * fabs(other))
            return false;
        rows++;
    }
    return rows > 1;
}

/* Whether row r says all that `row` does. */
static bool repeats(const struct contest *x, size_t row, size_t r, const struct seen *seen)
{
    bool all = same_case(x, r, row) && contends(x, r);

    for (size_t i = 0; all && i < x->t->ncolumn; i++) {
        const struct cell *a = table_at(x->t, row, i), *b = table_at(x->t, r, i);

        all = a->type == CELL_TEXT || b->type == CELL_TEXT || cell_same(a, b);
    }
    for (size_t i = 0; all && i < seen->n; i++)
        all = strcmp(seen->column[i], x->c->contender[0]) == 0 || look_same(x->t, r, row, seen->column[i]);
    return all;
}

bool winners_mark(struct table *t, const struct conclusion *c, const struct seen *seen)
{
    struct contest x = { .t = t, .c = c, .score = table_find(t, c->score) };
    bool marked = false, shown = seen->n == 0;

    for (const char *const *key = c->scope; *key; key++)
        x.scope[x.nscope++] = table_find(t, *key);
    for (size_t i = 0; i < seen->n; i++)
        shown = shown || strcmp(seen->column[i], c->score) == 0;
    for (size_t r = 0; table_rows(t) <= CONCLUDE_ROWS && r < table_rows(t); r++)
        if (contends(&x, r) && wins(&x, r))
            t->cell[r * t->ncolumn + (size_t)x.score].marked = marked = true;
    for (size_t r = table_rows(t); !seen->wide && c->but && r-- > 0;)
        for (size_t k = 0; !contends(&x, r) && k < table_rows(t); k++)
            if (repeats(&x, r, k, seen)) {
                table_drop(t, r);
                break;
            }
    return marked && shown;
}
