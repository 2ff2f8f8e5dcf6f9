#include "render/table/commas.h"
#include "render/table/from_csv.h"

enum { THOUSANDS = 1, DECIMALS = 2 };   /* how a field may be read; both: either way, 0: it is no number */

/* Is the field a number once its marks of thousands are dropped and the other mark is a point? Marks of thousands must
 * stand before groups of three digits. `to`: room for the result. */
static bool reads(char *to, const char *field, char thousands, char point)
{
    const char *at = field, *dot = strchr(field, point);

    for (; *at; at++) {
        if (*at == thousands && (dot && at > dot))
            return false;
        if (*at == thousands && (at == field || !isdigit((unsigned char)at[-1]) || strspn(at + 1, "0123456789") != 3))
            return false;
        if (*at != thousands)
            *to++ = *at == point ? '.' : *at;
    }
    *to = '\0';
    return true;
}

static int readings(const char *field, bool *comma)
{
    const size_t lead = strspn(field, " \t+-"), first = strspn(field + lead, "0123456789");
    char plain[100];
    int may = 0;

    *comma = *comma || strchr(field, ',');
    if (strlen(field) >= sizeof plain)
        return 0;
    for (int which = THOUSANDS; which <= DECIMALS; which++) {
        const char mark = which == THOUSANDS ? ',' : '.', point = which == THOUSANDS ? '.' : ',';

        if (strchr(field, mark) && (first < 1 || first > 3 || field[lead] == '0'))
            continue;
        if (reads(plain, field, mark, point) && csv_cell(plain).type != CELL_TEXT)
            may |= which;
    }
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
