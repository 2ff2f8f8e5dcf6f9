#include "cli/request/winners.h"

#include <math.h>
#include <string.h>

#include "cli/request/look.h"
#include "render/table/filter.h"

struct contest {
    struct table *t;
    const struct conclusion *c;
    int score;
};

static double score_at(const struct contest *x, size_t row)
{
    const double score = cell_value(table_at(x->t, row, (size_t)x->score));

    return x->c->most ? -score : score;
}

static bool contends(const struct contest *x, size_t row)
{
    return strcmp(look_text(x->t, row, x->c->contender[0]), x->c->but) != 0;
}

static bool same_case(const struct contest *x, size_t a, size_t b)
{
    for (const char *const *key = x->c->scope; *key; key++)
        if (!look_same(x->t, a, b, *key))
            return false;
    return true;
}

static void mark(const struct contest *x, size_t row)
{
    const double score = score_at(x, row);
    size_t rows = 0;

    if (!contends(x, row) || isnan(score))
        return;
    for (size_t r = 0; r < table_rows(x->t); r++) {
        if (!contends(x, r) || !same_case(x, r, row))
            continue;
        if (score - score_at(x, r) > CONCLUDE_TIE * fabs(score_at(x, r)))
            return;
        rows++;
    }
    x->t->cell[row * x->t->ncolumn + (size_t)x->score].marked = rows > 1;
}

/* Whether a row says no number that the other does not. */
static bool repeats(const struct contest *x, size_t row, size_t other)
{
    for (size_t i = 0; i < x->t->ncolumn; i++) {
        const struct cell *a = table_at(x->t, row, i), *b = table_at(x->t, other, i);

        if (a->type != CELL_TEXT && b->type != CELL_TEXT && !cell_same(a, b))
            return false;
    }
    return true;
}

static bool superfluous(const struct contest *x, size_t row, char *const *column, size_t n)
{
    for (size_t r = 0; r < table_rows(x->t); r++) {
        bool told = contends(x, r) && same_case(x, r, row) && repeats(x, row, r);

        for (size_t i = 0; told && i < n; i++)
            told = strcmp(column[i], x->c->contender[0]) == 0 || look_same(x->t, r, row, column[i]);
        if (told)
            return true;
    }
    return false;
}

void winners_mark(struct table *t, const struct conclusion *c, char *const *column, size_t n)
{
    const struct contest x = { .t = t, .c = c, .score = table_find(t, c->score) };
    size_t rows = table_rows(t), marked = 0;

    if (rows > CONCLUDE_ROWS)
        return;
    for (size_t r = 0; r < rows; r++)
        mark(&x, r);
    while (rows-- > 0)
        if (!contends(&x, rows) && superfluous(&x, rows, column, n))
            table_drop(t, rows);
        else
            marked += table_at(t, rows, (size_t)x.score)->marked;
    if (marked)
        table_note(t, "* the %s %s.", c->most ? "highest" : "lowest", c->noun);
}
