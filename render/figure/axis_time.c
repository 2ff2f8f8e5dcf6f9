#include "render/figure/axis_time.h"

#include <math.h>
#include <stdio.h>

enum { MINUTE = 60, HOUR = 3600, DAY = 86400 };

/* Steps from fine to coarse: so many seconds, or months. */
static const struct {
    double seconds;
    int months;
} step[] = {
    { 0.001, 0 }, { 0.002, 0 }, { 0.005, 0 }, { 0.01, 0 }, { 0.02, 0 }, { 0.05, 0 }, { 0.1, 0 }, { 0.2, 0 },
    { 0.5, 0 }, { 1, 0 }, { 2, 0 }, { 5, 0 }, { 10, 0 }, { 15, 0 }, { 30, 0 }, { MINUTE, 0 }, { 2 * MINUTE, 0 },
    { 5 * MINUTE, 0 }, { 10 * MINUTE, 0 }, { 15 * MINUTE, 0 }, { 30 * MINUTE, 0 }, { HOUR, 0 }, { 2 * HOUR, 0 },
    { 3 * HOUR, 0 }, { 6 * HOUR, 0 }, { 12 * HOUR, 0 }, { DAY, 0 }, { 2 * DAY, 0 }, { 7 * DAY, 0 }, { 14 * DAY, 0 },
    { 0, 1 }, { 0, 2 }, { 0, 3 }, { 0, 6 }, { 0, 12 }, { 0, 24 }, { 0, 60 }, { 0, 120 }, { 0, 240 }, { 0, 600 },
    { 0, 1200 }, { 0, 2400 }, { 0, 6000 }, { 0, 12000 }
};
enum { STEPS = sizeof step / sizeof *step };

struct date {
    long year;
    int month, day;             /* from 1 */
};

/* By the proleptic Gregorian calendar: eras of 400 years of 146097 days, years that begin in March. */
static struct date date_of(double seconds)
{
    const long days = (long)floor(seconds / DAY) + 719468, era = (days >= 0 ? days : days - 146096) / 146097,
        in_era = days - era * 146097, year = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365,
        in_year = in_era - (365 * year + year / 4 - year / 100), m = (5 * in_year + 2) / 153;
    const int month = (int)(m < 10 ? m + 3 : m - 9);

    return (struct date){ year + era * 400 + (month <= 2), month, (int)(in_year - (153 * m + 2) / 5 + 1) };
}

/* The first instant of a month counted from January of the year 0. */
static double month_start(long months)
{
    const long year = (months >= 0 ? months : months - 11) / 12, month = months - 12 * year,
        y = year - (month < 2), era = (y >= 0 ? y : y - 399) / 400, in_era = y - era * 400,
        days = (153 * ((month + 10) % 12) + 2) / 5 + in_era * 365 + in_era / 4 - in_era / 100;

    return (double)DAY * (double)(era * 146097 + days - 719468);
}

static const char *month_name(int month)
{
    static const char name[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov",
                                    "Dec" };

    return name[month - 1];
}

/* "10:00:30.5", with as much of it as the step needs. */
static void clock_label(char *out, size_t size, double at, double of_step)
{
    const double day = floor(at / DAY) * DAY;
    const int decimals = of_step >= 1 ? 0 : of_step >= 0.1 ? 1 : of_step >= 0.01 ? 2 : 3;
    const double rest = at - day;
    const int minutes = (int)((rest + 1e-6) / MINUTE);
    int n = snprintf(out, size, "%02d:%02d", minutes / 60, minutes % 60);

    if (of_step < MINUTE && n > 0)
        snprintf(out + n, size - (size_t)n, ":%0*.*f", decimals ? 3 + decimals : 2, decimals,
                 fmax(0, rest - MINUTE * minutes));
}

/* What the tick says that those before it did not: years once, or at their beginnings. */
static void label(char *out, size_t size, double at, int which, long said_year, bool dated)
{
    const struct date d = date_of(at + 1e-6);
    const bool new_year = d.year != said_year && !dated, midnight = fmod(at, DAY) == 0;

    if (step[which].months >= 12)
        snprintf(out, size, "%ld", d.year);
    else if (step[which].months)
        snprintf(out, size, new_year ? "%s %ld" : "%s", month_name(d.month), d.year);
    else if (step[which].seconds >= DAY || midnight)
        snprintf(out, size, new_year && step[which].seconds >= DAY ? "%d %s %ld" : "%d %s", d.day,
                 month_name(d.month), d.year);
    else
        clock_label(out, size, at, step[which].seconds);
}

static double tick_of(long i, int which)
{
    return step[which].months ? month_start(i * step[which].months) : (double)i * step[which].seconds;
}

/* The number of the first tick at or after that instant. */
static long tick_from(double at, int which)
{
    struct date d;
    long i;

    if (!step[which].months)
        return (long)ceil(at / step[which].seconds - 1e-9);
    d = date_of(at);
    i = (12 * d.year + d.month - 1) / step[which].months;
    return i + (tick_of(i, which) < at);
}

/* A day and a year are said in the title where all is within one. */
void axis_time_unit(char out[40], double lo, double hi)
{
    struct date a, b;

    out[0] = '\0';
    if (!(fabs(lo) < TIME_MOST && fabs(hi) < TIME_MOST))
        return;
    a = date_of(lo);
    b = date_of(hi);
    if (a.year != b.year)
        return;
    if (a.month == b.month && a.day == b.day && hi > lo)
        snprintf(out, 40, "%d %s %ld", a.day, month_name(a.month), a.year);
    else
        snprintf(out, 40, "%ld", a.year);
}

bool axis_time_ticks(struct ticks *t, const struct scale *s, int most)
{
    int which = 0;
    long first, last, said = -1;

    t->n = t->nminor = 0;
    t->exponent = 0;
    if (!(fabs(s->lo) < TIME_MOST && fabs(s->hi) < TIME_MOST) || most < 1)
        return false;
    while (which + 1 < STEPS && (s->hi - s->lo) / (step[which].months ? step[which].months * 30.44 * DAY :
                                                    step[which].seconds) > most)
        which++;
    first = tick_from(s->lo, which);
    last = first + TICKS_MOST;
    for (long i = first; i < last && tick_of(i, which) <= s->hi; i++) {
        const double at = tick_of(i, which);

        t->major[t->n].at = fmin(1, fmax(0, (at - s->lo) / (s->hi - s->lo)));
        label(t->major[t->n].label, sizeof t->major[t->n].label, at, which, said, s->dated);
        said = date_of(at + 1e-6).year;
        t->n++;
    }
    return true;
}
