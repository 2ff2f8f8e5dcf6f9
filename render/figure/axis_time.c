#include "render/figure/axis_time.h"

#include <time.h>

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

static struct tm date_of(double seconds)
{
    const time_t t = (time_t)floor(seconds);
    struct tm date;

    gmtime_r(&t, &date);
    return date;
}

/* The first instant of a month counted from January of the year 0. */
static double month_start(long months)
{
    struct tm date = { .tm_mon = (int)months - 12 * 1900, .tm_mday = 1 };

    return (double)timegm(&date);
}

static const char *month_name(int month)
{
    static const char name[][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov",
                                    "Dec" };

    return name[month];
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

/* The part of a date that earlier ticks have not said: the year once, or where it begins. */
static void label(char *out, size_t size, double at, int which, int said_year, bool dated)
{
    const struct tm d = date_of(at + 1e-6);
    const bool new_year = d.tm_year != said_year && !dated, midnight = fmod(at, DAY) == 0;

    if (step[which].months >= 12)
        snprintf(out, size, "%d", d.tm_year + 1900);
    else if (step[which].months)
        snprintf(out, size, new_year ? "%s %d" : "%s", month_name(d.tm_mon), d.tm_year + 1900);
    else if (step[which].seconds >= DAY || midnight)
        snprintf(out, size, new_year && step[which].seconds >= DAY ? "%d %s %d" : "%d %s", d.tm_mday,
                 month_name(d.tm_mon), d.tm_year + 1900);
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
    struct tm d;
    long i;

    if (!step[which].months)
        return (long)ceil(at / step[which].seconds - 1e-9);
    d = date_of(at);
    i = (12 * (d.tm_year + 1900) + d.tm_mon) / step[which].months;
    return i + (tick_of(i, which) < at);
}

/* The title has the day or the year where all ticks are within one. */
void axis_time_unit(char out[40], double lo, double hi)
{
    struct tm a, b;

    out[0] = '\0';
    if (!(fabs(lo) < TIME_MOST && fabs(hi) < TIME_MOST))
        return;
    a = date_of(lo);
    b = date_of(hi);
    if (a.tm_year != b.tm_year)
        return;
    if (a.tm_mon == b.tm_mon && a.tm_mday == b.tm_mday && hi > lo)
        snprintf(out, 40, "%d %s %d", a.tm_mday, month_name(a.tm_mon), a.tm_year + 1900);
    else
        snprintf(out, 40, "%d", a.tm_year + 1900);
}

bool axis_time_ticks(struct ticks *t, const struct scale *s, int most)
{
    int which = 0;
    long first, last;
    int said = -1901;

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
        said = date_of(at + 1e-6).tm_year;
        t->n++;
    }
    return true;
}
