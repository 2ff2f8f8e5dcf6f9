#include "render/table/dates.h"

#include <strings.h>
#include <time.h>

/* Digits where the mask has 0. */
static bool like(const char *text, const char *mask)
{
    for (; *mask; mask++, text++)
        if (*mask == '0' ? !isdigit((unsigned char)*text) : *text != *mask)
            return false;
    return true;
}

/* "10:00:30.5+01:00" */
static bool take_clock(double *seconds, const char **at)
{
    const int hour = atoi(*at), minute = atoi(*at + 3);
    double second = 0, zone = 0;
    char *end;

    *at += 5;
    if (like(*at, ":00")) {
        second = strtod(*at + 1, &end);
        *at = end;
    }
    if (**at == 'Z') {
        ++*at;
    } else if ((**at == '+' || **at == '-') && (like(*at + 1, "00:00") || like(*at + 1, "0000"))) {
        const int colon = (*at)[3] == ':', hours = 10 * ((*at)[1] - '0') + (*at)[2] - '0';

        zone = (**at == '-' ? -1 : 1) * (3600.0 * hours + 60.0 * atoi(*at + 3 + colon));
        *at += 5 + colon;
    }
    *seconds += 3600.0 * hour + 60.0 * minute + second - zone;
    return hour <= 24 && minute <= 59 && second < 61 && zone >= -14 * 3600.0 && zone <= 14 * 3600.0;
}

bool date_parse(double *seconds, const char *text)
{
    const char *at = text + strspn(text, " \t");
    struct tm day = { 0 }, normal;

    if (!like(at, "0000-00-00"))
        return false;
    day.tm_year = atoi(at) - 1900;
    day.tm_mon = atoi(at + 5) - 1;
    day.tm_mday = atoi(at + 8);
    normal = day;
    *seconds = (double)timegm(&normal);
    if (day.tm_year <= -1900 || normal.tm_mon != day.tm_mon || normal.tm_mday != day.tm_mday)
        return false;
    at += 10;
    if ((*at == 'T' || *at == ' ') && like(at + 1, "00:00")) {
        at++;
        if (!take_clock(seconds, &at))
            return false;
    }
    return !at[strspn(at, " \t")];
}

bool table_has_dates(const struct table *t, size_t column)
{
    bool any = false;

    for (size_t r = 0; r < table_rows(t); r++) {
        const struct cell *c = table_at(t, r, column);
        double ignored;

        if (c->type == CELL_TEXT ? !date_parse(&ignored, c->u.text) : c->type != CELL_NONE)
            return false;
        any = any || c->type == CELL_TEXT;
    }
    return any;
}

bool table_has_epochs(const struct table *t, size_t column)
{
    static const char *const words[] = { "time", "timestamp", "epoch", "date", "ts", "t", "t_s", "time_s" };
    bool any = false, named = false;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        named = named || strcasecmp(t->column[column].name, words[i]) == 0;
    for (size_t r = 0; named && r < table_rows(t); r++) {
        const double v = cell_value(table_at(t, r, column));

        if (table_at(t, r, column)->type != CELL_NONE && !(v >= 1e9 && v < 2.2e9))
            return false;
        any = any || v > 0;
    }
    return any;
}

void table_take_dates(struct table *t, struct column *columns, size_t column)
{
    for (size_t r = 0; r < table_rows(t); r++) {
        struct cell *c = &t->cell[r * t->ncolumn + column];
        double seconds;

        if (c->type != CELL_TEXT || !date_parse(&seconds, c->u.text))
            continue;
        free(c->u.text);
        *c = (struct cell){ CELL_REAL, false, { .real = seconds } };
    }
    columns[column].decimals = COLUMN_DATES;
}
