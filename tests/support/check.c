/* What a failing comparison says: expressions, values in decimal, and the rows of tables that the test is at. */
#include "tests/support/check.h"

#include <inttypes.h>
#include <string.h>

enum { ROWS = 4 };              /* loops in each other */
static struct {
    const char *function;       /* that walks them */
    struct {
        const char *table;
        size_t row;
    } at[ROWS];
    size_t n;
} rows;

bool check_row(const char *table, size_t row, const char *function)
{
    size_t k = 0;

    if (!rows.function || strcmp(rows.function, function) != 0)
        rows.n = 0;
    rows.function = function;
    while (k < rows.n && strcmp(rows.at[k].table, table) != 0)
        k++;
    if (k < ROWS) {
        rows.at[k].table = table;
        rows.at[k].row = row;
        rows.n = k + 1;         /* loops inside begin anew */
    }
    return true;
}

static void check_fail(const char *want, const char *want_text, const char *file, int line)
{
    if (strcmp(want, want_text) != 0)
        print_error(" = %s", want_text);
    for (size_t k = 0; k < rows.n; k++)
        print_error("%s%s[%zu]", k ? ", " : " at ", rows.at[k].table, rows.at[k].row);
    print_error("%s%s\n", rows.n ? " of " : "", rows.n ? rows.function : "");
    _fail(file, line);
}

void check_near_at(double got, double want, double within, const char *got_text, const char *want_text,
                   const char *file, int line)
{
    char value[40];

    if (fabs(got - want) <= within)
        return;
    snprintf(value, sizeof value, "%.17g", want);
    print_error("%s is %.17g, not within %g of %s", got_text, got, within, value);
    check_fail(value, want_text, file, line);
}

void check_int_at(intmax_t got, intmax_t want, const char *got_text, const char *want_text, const char *file, int line)
{
    char value[40];

    if (got == want)
        return;
    snprintf(value, sizeof value, "%" PRIdMAX, want);
    print_error("%s is %" PRIdMAX ", not %s", got_text, got, value);
    check_fail(value, want_text, file, line);
}
