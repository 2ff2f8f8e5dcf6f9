#include "cli/request/look.h"

const struct cell *look_cell(const struct table *t, size_t row, const char *column)
{
    const int at = table_find(t, column);

    return at < 0 ? NULL : &t->cell[row * t->ncolumn + (size_t)at];
}

const char *look_text(const struct table *t, size_t row, const char *column)
{
    const struct cell *c = look_cell(t, row, column);

    return c && c->type == CELL_TEXT ? c->u.text : "";
}

double look_real(const struct table *t, size_t row, const char *column)
{
    const struct cell *c = look_cell(t, row, column);

    return c ? cell_value(c) : (double)NAN;
}

bool look_same(const struct table *t, size_t a, size_t b, const char *column)
{
    const double x = look_real(t, a, column), y = look_real(t, b, column);

    return strcmp(look_text(t, a, column), look_text(t, b, column)) == 0 && (x == y || (isnan(x) && isnan(y)));
}

bool look_varies(const struct table *t, const char *column)
{
    for (size_t r = 1; r < table_rows(t); r++)
        if (!look_same(t, 0, r, column))
            return true;
    return false;
}

size_t look_varying(const char **out, const struct table *t, const char *const *column, size_t n)
{
    size_t found = 0;

    for (size_t i = 0; i < n; i++)
        if (look_varies(t, column[i]))
            out[found++] = column[i];
    if (found == 0)
        out[found++] = column[0];
    return found;
}
