#include "render/table/dates.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Days since 1 March of the year 0 of the proleptic Gregorian calendar; years begin in March. */
static long days_of(int year, int month, int day)
{
    const long y = year - (month <= 2), m = (month + 9) % 12;

    return 365 * y + y / 4 - y / 100 + y / 400 + (153 * m + 2) / 5 + day - 1;
}

static int days_in(int year, int month)
{
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    const bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

    return days[month - 1] + (month == 2 && leap);
}

/* That many digits at *at, which moves behind them; -1: there are not. */
static int digits(const char **at, int n)
{
    int v = 0;

    for (int i = 0; i < n; i++, ++*at) {
        if (!isdigit((unsigned char)**at))
            return -1;
        v = 10 * v + **at - '0';
    }
    return v;
}

/* "10:00", "10:00:30.5" */
static bool take_clock(double *seconds, const char **at)
{
    const int hour = digits(at, 2), minute = hour >= 0 && **at == ':' ? (++*at, digits(at, 2)) : -1;
    int second = 0;

    if (hour < 0 || hour > 24 || minute < 0 || minute > 59)
        return false;
    *seconds += 3600.0 * hour + 60.0 * minute;
    if (**at != ':')
        return true;
    ++*at;
    second = digits(at, 2);
    *seconds += second;
    if (second >= 0 && second <= 60 && **at == '.') {
        double place = 0.1;

        for (++*at; isdigit((unsigned char)**at); ++*at, place /= 10)
            *seconds += place * (**at - '0');
    }
    return second >= 0 && second <= 60;
}

/* "Z", "+01:00", "-0330", or nothing */
static bool take_zone(double *seconds, const char **at)
{
    const int sign = **at == '+' ? 1 : **at == '-' ? -1 : 0;
    int hour, minute;

    if (!sign) {
        *at += **at == 'Z';
        return true;
    }
    ++*at;
    hour = digits(at, 2);
    *at += **at == ':';
    minute = digits(at, 2);
    *seconds -= sign * (3600.0 * hour + 60.0 * minute);
    return hour >= 0 && hour <= 14 && minute >= 0 && minute <= 59;
}

bool date_parse(double *seconds, const char *text)
{
    const char *at = text + strspn(text, " \t");
    int year, month, day;

    year = digits(&at, 4);
    if (year < 1 || *at++ != '-')
        return false;
    month = digits(&at, 2);
    if (month < 1 || month > 12 || *at++ != '-')
        return false;
    day = digits(&at, 2);
    if (day < 1 || day > days_in(year, month))
        return false;
    *seconds = 86400.0 * (double)(days_of(year, month, day) - days_of(1970, 1, 1));
    if ((*at == 'T' || *at == ' ') && isdigit((unsigned char)at[1])) {
        at++;
        if (!take_clock(seconds, &at) || !take_zone(seconds, &at))
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

void table_take_dates(struct table *t, struct column *columns, size_t column)
{
    for (size_t r = 0; r < table_rows(t); r++) {
        struct cell *c = &t->cell[r * t->ncolumn + column];
        double seconds;

        if (c->type != CELL_TEXT || !date_parse(&seconds, c->u.text))
            continue;
        free(c->u.text);
        *c = (struct cell){ CELL_REAL, { .real = seconds } };
    }
    columns[column].decimals = COLUMN_DATES;
}
