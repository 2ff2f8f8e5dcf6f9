/* axis.h -- from values to places along an axis: scales, ticks and their labels. Knows no page and no font. */
#pragma once

#include "graph/numeric/step.h"
#include "render/figure/chart_data.h"

/* Around a superscript in markup. Not <sup>, of which pango complains where such text is cut short. */
#define RAISED "<span size=\"70%\" baseline_shift=\"superscript\">"
#define RAISED_END "</span>"

enum scale_kind { LINEAR, LOGARITHMIC, CATEGORIES };

struct scale {
    enum scale_kind kind;
    int base;                   /* of a logarithm: 10 or 2 */
    double lo, hi;              /* the ends: values, exponents of the base, or -0.5 and ncategory - 0.5 */
    bool whole;                 /* ticks are at whole numbers */
    bool time;                  /* they are seconds since 1970: ticks by axis_time.h; */
    bool dated;                 /* the axis has a unit, which says the day or year of all of them */
    struct step step;           /* that the ends are multiples of; m = 0: they are not */
};
/* How an axis takes its data in. */
struct fit {
    enum axis_scale wanted;
    bool bars;                  /* starts at zero; logarithmic only where that is wanted */
    bool round;                 /* ends at ticks, where that wastes little */
    bool binary;                /* base 2 where the values are powers of two */
    bool exact;                 /* ends where the data do */
    bool colours;               /* logarithmic too where the positive ones of values that are none of them negative span
                                 * more than two decades: zero has a colour of its own */
    int most;                   /* ticks wanted at most, for `round` */
    const double *also;         /* values taken in where they are near: within a quarter of what the data span */
    size_t nalso;
    const struct axis *axis;    /* its from and to take precedence; NULL: none */
};
/* Logarithmic by the rule that chart.h states for SCALE_AUTO? */
bool scale_is_log(const double *v, size_t n, const struct fit *how);
/* A scale that takes in finite values; those that are not positive are passed over on a logarithmic one. */
void scale_fit(struct scale *s, const double *v, size_t n, const struct fit *how);
void scale_categories(struct scale *s, size_t n);
/* 0 at the low end, 1 at the high end. */
double scale_at(const struct scale *s, double value);

#define TICKS_MOST 64
#define MINOR_MOST 256
struct ticks {
    struct {
        double at;              /* 0..1 */
        char label[112];        /* markup; "" where there would be no room */
    } major[TICKS_MOST];
    size_t n;
    double minor[MINOR_MOST];   /* 0..1 */
    size_t nminor;
    int exponent;               /* labels are in units of 10^exponent */
};
/* How long labels are along the axis, in the unit of `length`. */
struct ruler {
    double length, gap;         /* of the axis; least distance of labels */
    double spacing;             /* wanted between ticks of a linear axis */
    double (*extent)(void *arg, const char *markup);
    void *arg;
};
/* The most ticks that still have labels which do not touch; for numeric scales. */
void ticks_choose(struct ticks *t, const struct scale *s, const struct ruler *r);
/* How many ticks an axis of that length wants. */
int ticks_wanted(const struct ruler *r);
