/* choose.c -- which columns to draw, where that is left open. */
#include <string.h>

#include "render/chart/from_table.h"

#define NONE SIZE_MAX           /* no such column */

static bool varies(const struct table *t, size_t column)
{
    for (size_t r = 1; r < table_rows(t); r++)
        if (!cell_same(table_at(t, r, column), table_at(t, r - 1, column)))
            return true;
    return false;
}

static bool has_numbers(const struct table *t, size_t column)
{
    for (size_t r = 0; r < table_rows(t); r++)
        if (table_at(t, r, column)->type == CELL_INT || table_at(t, r, column)->type == CELL_REAL)
            return !table_has_text(t, column);
    return false;
}

static bool same_column(const struct table *t, size_t a, size_t b)
{
    for (size_t r = 0; r < table_rows(t); r++)
        if (!cell_same(table_at(t, r, a), table_at(t, r, b)))
            return false;
    return true;
}

/* The first column of numbers that vary, is not taken and does not repeat one that is; measured ones (fractions, or
 * with a unit) before counts, when `measured`. NULL: none. */
static const char *next_number(const struct table *t, const char *const *taken, size_t ntaken, bool measured)
{
    const char *count = NULL;

    for (size_t i = 0; i < t->ncolumn; i++) {
        bool free_yet = has_numbers(t, i) && varies(t, i), real = t->column[i].unit != NULL;

        for (size_t k = 0; k < ntaken && free_yet; k++) {
            int other = taken[k] ? table_find(t, taken[k]) : -1;

            free_yet = other < 0 || !same_column(t, i, (size_t)other);
        }
        for (size_t r = 0; r < table_rows(t) && !real; r++)
            real = table_at(t, r, i)->type == CELL_REAL;
        if (free_yet && (real || !measured))
            return t->column[i].name;
        if (free_yet && !count)
            count = t->column[i].name;
    }
    return count;
}

/* Are there two rows alike in all of the columns `name`, and (unless NONE) not in that other one? Quadratic, so only
 * the first rows are looked at. */
static bool ambiguous(const struct table *t, const char *const *name, size_t n, size_t other)
{
    const size_t rows = table_rows(t) < 500 ? table_rows(t) : 500;

    for (size_t a = 0; a < rows; a++)
        for (size_t b = 0; b < a; b++) {
            bool same = other == NONE || !cell_same(table_at(t, a, other), table_at(t, b, other));

            for (size_t k = 0; same && k < n; k++) {
                int column = name[k] ? table_find(t, name[k]) : -1;

                same = column < 0 || cell_same(table_at(t, a, (size_t)column), table_at(t, b, (size_t)column));
            }
            if (same)
                return true;
        }
    return false;
}

/* The first column of words that vary; NULL: none. */
static const char *next_words(const struct table *t)
{
    for (size_t i = 0; i < t->ncolumn; i++)
        if (table_has_text(t, i) && varies(t, i))
            return t->column[i].name;
    return NULL;
}

void chart_choose(struct chart_choice *out, const struct table *t, const struct chart_columns *given,
                  const struct chart_kind *kind)
{
    const bool z = kind && (kind->needs & ROLE_Z);
    const char *key[4];
    size_t nkey = 0;

    *out = (struct chart_choice){ .x = given->x, .y = given->ny ? given->y[0] : NULL, .z = given->z };
    if (!out->x && kind && kind->x_categories)
        out->x = next_words(t);
    if (!out->x)
        out->x = next_number(t, (const char *[]){ out->y, out->z }, 2, false);
    if (!given->x && !z && next_words(t) && !(kind && kind->numbers_x) &&
        !next_number(t, (const char *[]){ out->x }, 1, false))
        out->x = next_words(t);             /* the only numbers go up the axis */
    if (!out->x && t->ncolumn)
        out->x = t->column[0].name;
    if (!out->y)
        out->y = next_number(t, (const char *[]){ out->x, out->z }, 2, !z);
    if (!out->z && z)
        out->z = next_number(t, (const char *[]){ out->x, out->y }, 2, true);
    key[nkey++] = out->x;
    for (size_t i = 0; !z && given->ngroup + given->nfacet == 0 && i < t->ncolumn && out->ngroup < 2; i++)
        if (table_has_text(t, i) && !(out->x && strcmp(t->column[i].name, out->x) == 0) && ambiguous(t, key, nkey, i))
            key[nkey++] = out->group[out->ngroup++] = t->column[i].name;
}
