/* axis.c -- scales of axes, and their ticks and labels (axis.h).
 * 1. scales   linear or logarithmic, by the data; ends at nice steps (1, 2 or 5 times a power of ten), or as asked for
 * 2. labels   numbers in plain digits, powers, or with one exponent for the whole axis
 * 3. ticks    candidates from fine to coarse, up to the first that has labels which do not touch */
#include "render/figure/axis.h"

#include <float.h>

#include "render/figure/axis_time.h"

#define MINUS "\xe2\x88\x92"
#define FEW_POWERS 3.2          /* of ten: so few that 2 and 5 times each are ticks too */
#define NEAR 0.25               /* of what the data span */
#define WASTE 0.18              /* of what the data span: an axis that would leave more free ends near the data */
#define FEW 4                   /* ticks at least, from that many points on (20 mm) */
#define FEW_FROM 56.6
#define LEAST_SPAN 1e-10        /* of the values: below it digits would say nothing */

/* ---- scales ------------------------------------------------------------------------------------------ */

static double to_exponent(const struct scale *s, double v)
{
    return s->base == 2 ? log2(v) : log10(v);
}

/* (v - lo) / (hi - lo), also where the difference is beyond the largest double. */
static double part(double v, double lo, double hi)
{
    return isfinite(hi - lo) ? (v - lo) / (hi - lo) : (v / 2 - lo / 2) / (hi / 2 - lo / 2);
}

double scale_at(const struct scale *s, double value)
{
    return part(s->kind == LOGARITHMIC ? to_exponent(s, value) : value, s->lo, s->hi);
}

static bool is_power_of_two(double v)
{
    int e;

    return v > 0 && frexp(v, &e) == 0.5;
}

/* Least and largest, of the positive ones only when `positive`. False: there are none. */
static bool ends(const double *v, size_t n, bool positive, double *lo, double *hi)
{
    *lo = INFINITY;
    *hi = -INFINITY;
    for (size_t i = 0; i < n; i++)
        if (!positive || v[i] > 0) {
            *lo = fmin(*lo, v[i]);
            *hi = fmax(*hi, v[i]);
        }
    return *lo <= *hi;
}

bool scale_is_log(const double *v, size_t n, const struct fit *how)
{
    double lo, hi;
    size_t low = 0;

    if (how->wanted != SCALE_AUTO)
        return how->wanted == SCALE_LOG;
    if (how->bars || (how->axis && (how->axis->from <= 0 || how->axis->to <= 0)))
        return false;
    if (!ends(v, n, false, &lo, &hi) || lo < 0)
        return false;
    if (how->colours && ends(v, n, true, &lo, &hi) && hi / lo > 100)
        return true;
    if (!ends(v, n, false, &lo, &hi) || lo <= 0 || hi / lo < 50)
        return false;
    for (size_t i = 0; i < n; i++)
        low += v[i] < lo + (hi - lo) / 4;
    return 2 * low >= n;
}

static double step_down(double v, struct step s)
{
    return floor(v / s.m / step_value(1, s.k) + 1e-9);
}

static double step_up(double v, struct step s)
{
    return ceil(v / s.m / step_value(1, s.k) - 1e-9);
}

/* Widens what has no extent, or too little of it for digits to tell. */
static void axis_widen(double *lo, double *hi)
{
    double size = fmax(fabs(*lo), fabs(*hi));

    if (*hi / 2 - *lo / 2 > size * LEAST_SPAN && size > 1e-290)
        return;
    if (size <= 1e-290) {                   /* zero, and what cannot be told from it */
        *lo = *lo < 0 ? -1 : 0;
        *hi = 1;
        return;
    }
    *hi = fmin(*hi + size / 2, 1.7e308);
    *lo = fmax(*lo - size / 2, -1.7e308);
}

/* Out to multiples of the step. Far from zero, quotients are too coarse to trust. */
static void round_linear(struct scale *s, double lo, double hi, struct step step)
{
    double slack = 1e-10 * (hi / 2 - lo / 2), first = step_down(lo, step), last = step_up(hi, step), l, h;

    first -= step_value(first * step.m, step.k) > lo + slack;
    last += step_value(last * step.m, step.k) < hi - slack;
    l = step_value(first * step.m, step.k);
    h = step_value(last * step.m, step.k);
    s->lo = isfinite(l) ? l : lo;
    s->hi = isfinite(h) ? h : hi;
    s->step = step;
}

/* Where the next tick is far beyond the data, the axis ends near them, and its ticks lie within. */
static void trim(struct scale *s, double lo, double hi, bool from_zero, bool to_zero)
{
    const double span = hi - lo, near = 0.03 * span;

    if (!isfinite(s->hi - s->lo))
        return;
    if (!from_zero && lo - s->lo > WASTE * span && isfinite(lo - near)) {
        s->lo = lo - near;
        s->step.m = 0;
    }
    if (!to_zero && s->hi - hi > WASTE * span && isfinite(hi + near)) {
        s->hi = hi + near;
        s->step.m = 0;
    }
}

static void fit_linear(struct scale *s, double lo, double hi, const struct fit *how)
{
    double pad;
    bool from_zero, to_zero;

    axis_widen(&lo, &hi);
    if (how->exact) {
        s->lo = lo;
        s->hi = hi;
        return;
    }
    from_zero = lo >= 0 && (how->bars || lo <= (how->round ? 0.5 : 0.15) * hi);
    to_zero = hi <= 0 && (how->bars || hi >= (how->round ? 0.5 : 0.15) * lo);
    lo = from_zero ? 0 : lo;
    hi = to_zero ? 0 : hi;
    if (how->round) {
        round_linear(s, lo, hi, step_nice(lo, hi, how->most));
        trim(s, lo, hi, from_zero, to_zero);
        return;
    }
    pad = 0.02 * (hi / 2 - lo / 2) * 2;
    s->lo = from_zero || !isfinite(lo - pad) ? lo : lo - pad;
    s->hi = to_zero || !isfinite(hi + pad) ? hi : hi + pad;
}

/* The exponent of the nearest 1, 2 or 5 times a power of ten at or below (above) that of e. */
static double nice_below(double e)
{
    double whole = floor(e + 1e-9), rest = e + 1e-9 - whole;

    return whole + (rest >= log10(5) ? log10(5) : rest >= log10(2) ? log10(2) : 0);
}

static double nice_above(double e)
{
    double whole = floor(e - 1e-9), rest = e - 1e-9 - whole;

    return whole + (rest <= log10(2) ? log10(2) : rest <= log10(5) ? log10(5) : 1);
}

static void round_log(struct scale *s, double a, double b)
{
    double span = b - a;

    if (span < FEW_POWERS) {
        s->lo = nice_below(a);
        s->hi = nice_above(b);
        trim(s, a, b, false, false);
        return;
    }
    if (a - floor(a) < 0.15 * span)         /* a whole power that is near enough */
        s->lo = floor(a);
    if (ceil(b) - b < 0.15 * span)
        s->hi = ceil(b);
}

static void fit_log(struct scale *s, double lo, double hi, const struct fit *how)
{
    double a = to_exponent(s, lo), b = to_exponent(s, hi), span;

    if (b - a < 1e-6) {
        a -= 0.5;
        b += 0.5;
    }
    span = how->exact ? 0 : b - a;
    s->lo = a - 0.03 * span;
    s->hi = b + 0.03 * span;
    if (how->exact)
        return;
    if (how->round)
        round_log(s, a, b);
    if (how->bars)                          /* the least bar, too, must be seen */
        s->lo = a - floor(a) >= 0.1 ? floor(a) : floor(a) - 0.5;
}

/* Ends that were asked for. */
static void take_ends(struct scale *s, const struct axis *a)
{
    bool logarithmic = s->kind == LOGARITHMIC;
    double from = logarithmic && !(a->from > 0) ? (double)NAN : a->from,
        to = logarithmic && !(a->to > 0) ? (double)NAN : a->to;

    if (isnan(from) && isnan(to))
        return;
    s->step.m = 0;
    if (!isnan(from))
        s->lo = logarithmic ? to_exponent(s, from) : from;
    if (!isnan(to))
        s->hi = logarithmic ? to_exponent(s, to) : to;
    if (s->hi > s->lo)
        return;
    if (isnan(to))                          /* all data lie beyond the end that was asked for */
        s->hi = fmin(s->lo + fmax(1, fabs(s->lo)), DBL_MAX);
    else
        s->lo = fmax(s->hi - fmax(1, fabs(s->hi)), -DBL_MAX);
}

static void take_in(const struct scale *s, double *lo, double *hi, const struct fit *how)
{
    const bool logarithmic = s->kind == LOGARITHMIC;
    const double a = logarithmic ? to_exponent(s, *lo) : *lo, b = logarithmic ? to_exponent(s, *hi) : *hi,
        reach = NEAR * (b - a);

    for (size_t i = 0; i < how->nalso; i++) {
        double v = how->also[i], e = !logarithmic ? v : v > 0 ? to_exponent(s, v) : (double)NAN;

        if (e >= a - reach && e <= b + reach) {
            *lo = fmin(*lo, v);
            *hi = fmax(*hi, v);
        }
    }
}

static void fit_data(struct scale *s, const double *v, size_t n, const struct fit *how)
{
    bool logarithmic = scale_is_log(v, n, how);
    double lo, hi;
    size_t powers = 0;

    *s = (struct scale){ .kind = LINEAR, .base = 10, .lo = 0, .hi = 1 };
    if (!ends(v, n, logarithmic, &lo, &hi))
        return;
    if (!logarithmic) {
        take_in(s, &lo, &hi, how);
        fit_linear(s, lo, hi, how);
        return;
    }
    s->kind = LOGARITHMIC;
    for (size_t i = 0; i < n; i++)
        powers += is_power_of_two(v[i]);
    if (how->binary && 10 * powers >= 6 * n && hi / lo >= 4 && hi / lo <= 1e20)
        s->base = 2;
    take_in(s, &lo, &hi, how);
    fit_log(s, lo, hi, how);
}

void scale_fit(struct scale *s, const double *v, size_t n, const struct fit *how)
{
    struct fit linear = *how;

    linear.wanted = how->axis && how->axis->time ? SCALE_LINEAR : how->wanted;
    fit_data(s, v, n, &linear);
    s->time = how->axis && how->axis->time;
    s->dated = s->time && how->axis->unit;
    if (how->axis)
        take_ends(s, how->axis);
    s->whole = how->axis && how->axis->whole;
}

void scale_categories(struct scale *s, size_t n)
{
    *s = (struct scale){ .kind = CATEGORIES, .base = 10, .lo = -0.5, .hi = (n ? (double)n : 1) - 0.5 };
}

/* ---- labels ------------------------------------------------------------------------------------------ */

/* 12.50 with that many places, and a true minus. */
static size_t plain(char *out, size_t size, double v, int decimals)
{
    int n = snprintf(out, size, "%s%.*f", v < 0 ? MINUS : "", decimals, fabs(v));

    return n < 0 ? 0 : (size_t)n;
}

/* base^exponent, after `factor` times when that is not 1. */
static void power(char *out, size_t size, int factor, int base, int exponent)
{
    char times[16] = "";

    if (factor != 1)
        snprintf(times, sizeof times, "%d\xc3\x97", factor);
    snprintf(out, size, "%s%d%s%s%d%s", times, base, RAISED, exponent < 0 ? MINUS : "", abs(exponent), RAISED_END);
}

/* A power of a thousand, of large or small values, goes into the title of the axis. */
static int common_exponent(double lo, double hi)
{
    double size = fmax(fabs(lo), fabs(hi));

    if (size == 0 || (size > 1.0001e-3 && size < 1e5))
        return 0;
    return 3 * (int)floor(log10(size * (1 + 1e-12)) / 3);
}

/* ---- ticks ------------------------------------------------------------------------------------------- */

static void axis_add(struct ticks *t, double at)
{
    if (t->n < TICKS_MOST && at > -1e-6 && at < 1 + 1e-6) {
        t->major[t->n].at = fmin(fmax(at, 0), 1);
        t->major[t->n].label[0] = '\0';
        t->n++;
    }
}

static void add_minor(struct ticks *t, double at)
{
    if (t->nminor < MINOR_MOST && at > 0 && at < 1)
        t->minor[t->nminor++] = at;
}

/* Multiples of a step between the values lo and hi, wherever the scale puts them. */
static void linear_ticks(struct ticks *t, const struct scale *s, double lo, double hi, struct step step)
{
    double first, last;
    int decimals;

    if (s->whole && step.k < 0)
        step = (struct step){ 1, 0 };
    first = step_up(lo, step);
    last = step_down(hi, step);

    t->exponent = common_exponent(step_value(first * step.m, step.k), step_value(last * step.m, step.k));
    if (t->exponent > 0 && t->exponent - step.k > 6)       /* 1000000.001 is read more easily than 1.000000001 [10^6] */
        t->exponent = 0;
    decimals = t->exponent > step.k ? t->exponent - step.k : 0;
    for (double i = first; i <= last && i < first + TICKS_MOST; i++) {      /* none where doubles skip whole numbers */
        size_t before = t->n;

        axis_add(t, scale_at(s, step_value(i * step.m, step.k)));
        if (t->n > before)
            plain(t->major[before].label, sizeof t->major[before].label, step_value(i * step.m, step.k - t->exponent),
                  decimals);
    }
}

/* Are factors of all powers of the base within the scale written in full? */
static bool in_full(const struct scale *s)
{
    if (s->base == 2)
        return s->lo > -0.5 && s->hi < 17;
    return s->lo > -3.2 && s->hi < 5.2;
}

static void log_label(struct ticks *t, const struct scale *s, int factor, int exponent)
{
    char *out = t->major[t->n - 1].label;
    size_t size = sizeof t->major[t->n - 1].label;

    if (!in_full(s))
        power(out, size, factor, s->base, exponent);
    else
        plain(out, size, s->base == 2 ? ldexp(factor, exponent) : step_value(factor, exponent),
              s->base == 10 && exponent < 0 ? -exponent : 0);
}

/* The given factors of every stride-th power. */
static void log_ticks(struct ticks *t, const struct scale *s, const int *factor, size_t nfactor, int stride)
{
    int first = (int)floor(s->lo / stride) * stride;

    for (int e = first; e <= s->hi + 1e-9; e += stride)
        for (size_t i = 0; i < nfactor; i++) {
            size_t before = t->n;

            axis_add(t, part(e + log(factor[i]) / log(s->base), s->lo, s->hi));
            if (t->n > before)
                log_label(t, s, factor[i], e);
        }
}

/* Unlabelled ticks between: 2..9 of every decade, or the powers that were left out. */
static void log_minor(struct ticks *t, const struct scale *s, int stride, double length)
{
    double each = length / (s->hi - s->lo);         /* length of one power */

    for (int e = (int)floor(s->lo); e <= s->hi; e++) {
        if (stride > 1 && e % stride && each >= 2)
            add_minor(t, part(e, s->lo, s->hi));
        for (int m = 2; s->base == 10 && stride == 1 && each >= 20 && m < 10; m++)
            add_minor(t, part(e + log10(m), s->lo, s->hi));
    }
}

/* From a dense choice (0) to ever sparser ones; false when there is none any more. Below 0, where there are not even
 * powers to show, ever denser ones. */
static bool log_choice(struct ticks *t, const struct scale *s, int choice, const struct ruler *r)
{
    static const int one[] = { 1 }, few[] = { 1, 2, 5 };
    static const int by10[] = { 1, 2, 3, 5, 10, 20, 50, 100, 200, 500 }, by2[] = { 1, 2, 4, 8, 16, 32, 64 };
    double span = s->hi - s->lo;
    int most = ticks_wanted(r), n = s->base == 2 ? 7 : 10, stride;

    if (s->base == 10 && span < 1.05) {             /* no powers to speak of */
        if (most - choice < 1)
            return false;
        linear_ticks(t, s, pow(10, s->lo), pow(10, s->hi), step_nice(pow(10, s->lo), pow(10, s->hi), most - choice));
        return true;
    }
    choice = choice < 0 ? 0 : choice;
    if (s->base == 10 && span <= FEW_POWERS + 0.3 && choice-- == 0) {
        log_ticks(t, s, few, 3, 1);
        log_minor(t, s, 1, r->length);
        return true;
    }
    if (choice >= n)
        return false;
    stride = s->base == 2 ? by2[choice] : by10[choice];
    log_ticks(t, s, one, 1, stride);
    log_minor(t, s, stride, r->length);
    return true;
}

static bool axis_choose(struct ticks *t, const struct scale *s, int choice, const struct ruler *r)
{
    struct step step;

    t->n = t->nminor = 0;
    t->exponent = 0;
    if (s->kind == LOGARITHMIC)
        return log_choice(t, s, choice, r);
    if (s->time)
        return axis_time_ticks(t, s, ticks_wanted(r) - choice);
    if (ticks_wanted(r) - choice < 1)
        return false;
    step = choice == 0 && s->step.m ? s->step : step_nice(s->lo, s->hi, ticks_wanted(r) - choice);
    linear_ticks(t, s, s->lo, s->hi, step);
    return true;
}

/* With `drop`, labels that would touch are taken away instead of being refused. */
static bool axis_fits(struct ticks *t, const struct ruler *r, bool drop)
{
    double end = -INFINITY;

    for (size_t i = 0; i < t->n; i++) {
        double half = r->extent(r->arg, t->major[i].label) / 2, middle = t->major[i].at * r->length;

        if (middle - half < end + r->gap) {
            if (!drop)
                return false;
            t->major[i].label[0] = '\0';
        } else {
            end = middle + half;
        }
    }
    return true;
}

int ticks_wanted(const struct ruler *r)
{
    const double n = floor(r->length / r->spacing), least = r->length >= FEW_FROM ? FEW : 2;

    return n < least ? (int)least : n > 10 ? 10 : (int)n;
}

/* On an axis that is long enough, steps get finer until there are a few, as long as their labels have room. */
static void ticks_more(struct ticks *t, const struct scale *s, const struct ruler *r, int choice)
{
    const struct ticks had = *t;

    if (r->length < FEW_FROM || t->n >= FEW)
        return;
    for (int more = choice - 1; more > choice - 6 && axis_choose(t, s, more, r); more--)
        if (t->n >= FEW)
            break;
    if (t->n < FEW || t->n > 2 * FEW || !axis_fits(t, r, false))
        *t = had;
}

void ticks_choose(struct ticks *t, const struct scale *s, const struct ruler *r)
{
    for (int choice = 0; axis_choose(t, s, choice, r); choice++)
        if (t->n >= 2 && axis_fits(t, r, false)) {       /* one tick alone says nothing of the scale */
            ticks_more(t, s, r, choice);
            return;
        }
    for (int choice = 0; choice > -8; choice--) {   /* too short an axis: more ticks than it has room to label */
        axis_choose(t, s, choice, r);
        if (t->n >= 2)
            break;
    }
    axis_fits(t, r, true);
}
