#include "render/table/commas.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "render/table/from_csv.h"

enum { THOUSANDS = 1, DECIMALS = 2 };   /* how a field may be read; both: either way, 0: it is no number */

static const char *past_digits(const char *at)
{
    while (isdigit((unsigned char)*at))
        at++;
    return at;
}

/* "1,234,567" by ',', "1.234.567" by '.': what is behind the groups; NULL: there are none. */
static const char *past_groups(const char *at, char mark)
{
    const char *end = past_digits(at);

    if (end == at || end - at > 3 || *at == '0' || *end != mark)
        return NULL;
    while (*end == mark && past_digits(end + 1) == end + 4)
        end += 4;
    return end;
}

/* Nothing but blanks is left, or an exponent. */
static bool is_end(const char *at)
{
    if (*at == 'e' || *at == 'E') {
        at += 1 + (at[1] == '+' || at[1] == '-');
        if (!isdigit((unsigned char)*at))
            return false;
        at = past_digits(at);
    }
    return !at[strspn(at, " \t")];
}

static int readings(char *field, bool *comma)
{
    const char *at = field + strspn(field, " \t"), *end;
    int may = 0;

    if (!strchr(field, ','))
        return csv_cell(field).type == CELL_TEXT ? 0 :
            strchr(field, '.') && csv_cell(field).type != CELL_NONE ? THOUSANDS : THOUSANDS | DECIMALS;
    *comma = true;
    at += *at == '-' || *at == '+';
    end = past_groups(at, ',');
    if (end && is_end(*end == '.' ? past_digits(end + 1) : end))
        may |= THOUSANDS;
    end = past_groups(at, '.');
    end = end ? end : past_digits(at);
    if (end > at && *end == ',' && isdigit((unsigned char)end[1]) && is_end(past_digits(end + 1)))
        may |= DECIMALS;
    return may;
}

/* How a column may be read; `comma`: there is one in it. */
static int column_readings(const struct csv *csv, size_t column, bool *comma)
{
    int may = csv->separator == ';' ? THOUSANDS | DECIMALS : THOUSANDS;

    *comma = false;
    for (size_t r = 0; may && r < csv->nrow; r++)
        may &= readings(csv->field[r * csv->ncol + column], comma);
    return may;
}

static void rewrite(char *field, bool decimals)
{
    char *to = field;

    if (!strchr(field, ',') && !decimals)
        return;
    for (const char *at = field; *at; at++)
        if (*at == ',' ? decimals : *at != '.' || !decimals)
            *to++ = *at == ',' ? '.' : *at;
    *to = '\0';
}

int commas_undo(struct csv *csv, const char *name, struct err *err)
{
    int seen = 0;               /* columns that can be read in one way alone */
    bool comma;

    for (size_t i = 0; i < csv->ncol; i++) {
        const int may = column_readings(csv, i, &comma);

        seen |= may == THOUSANDS || may == DECIMALS ? may : 0;
    }
    for (size_t i = 0; i < csv->ncol; i++) {
        int may = column_readings(csv, i, &comma);

        if (!may || !comma)
            continue;
        may = may == (THOUSANDS | DECIMALS) ? seen : may;
        for (size_t r = 0; r < csv->nrow; r++) {
            char *field = csv->field[r * csv->ncol + i];

            if (may == THOUSANDS || may == DECIMALS)
                rewrite(field, may == DECIMALS);
            else if (strchr(field, ','))
                return err_set(err, ERR_FORMAT, "%.200s:%zu: '%.40s' in column '%.60s' may be thousands or a decimal "
                               "comma; write such numbers with a point, or without a comma", name, csv->line[r], field,
                               csv->heading[i]);
        }
    }
    return 0;
}
