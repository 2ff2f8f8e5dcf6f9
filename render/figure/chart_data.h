/* chart_data.h -- what a chart shows: points and words in series, axes, rules, panels. It never knows what they
 * mean. */
#pragma once

#include "graph/base/names.h"

/* A point where x or y is NaN is missing, and interrupts a line. What else there may be of it is NaN, NULL, false. */
struct datum {
    double x, y;
    double z;                   /* shown by colour or height */
    double lo, hi;              /* of y: ends of an error bar, or of a confidence band */
    const char *label;          /* marks the point; one of the chart's words */
    bool outside;               /* where the model is not to be believed */
};
struct series {
    char *name;                 /* for the legend; "": unnamed */
    size_t panel;               /* of the small multiples */
    struct datum *at;
    size_t n;
    size_t look;                /* colour and dashes (render/page/canvas.h); alike for one name in all panels */
    bool over;                  /* laid over the others: measured, published; marks alone */
    bool level;                 /* then: one value, a dashed line across the panel instead; of bars and lines */
};
/* A value of x that matters: a dashed line across the panel, behind the data. Drawn by kinds that have `rules`, over
 * numbers. */
#define RULE_GREY SIZE_MAX      /* the look of a rule that belongs to no series */
#define RULE_EVERYWHERE SIZE_MAX        /* the panel of one that stands in all */
struct rule {
    double x;                   /* finite */
    char *text;                 /* beside the line, or in the legend where it has no room; "": none */
    size_t look, panel;
    bool placed;                /* the text says where the line is */
};
enum axis_scale { SCALE_AUTO, SCALE_LINEAR, SCALE_LOG };
struct axis {
    char *title, *unit;         /* "Mean length", "hops" -> "Mean length [hops]"; either may be NULL */
    /* AUTO: logarithmic where all values are positive, span a factor of 50 or more, and would crowd in the lower
     * quarter of a linear axis; never of the heights of bars, which are read from zero. */
    enum axis_scale scale;
    double from, to;            /* NaN: as the data say */
    bool time;                  /* values are seconds since 1970, UTC: ticks at whole minutes, days, months, ... */
    bool whole;                 /* there is nothing between whole numbers */
    char **category;            /* ncategory names: values count them from 0; none: numbers */
    size_t ncategory;
    struct names index;         /* of the categories; chart_data.c's, as those of the chart */
};
struct regress_kind;
enum spread { SPREAD_BARS, SPREAD_BAND };
struct chart {
    const char *kind;           /* "line", "bar": not owned */
    char *title;                /* NULL: none */
    struct axis x, y, z;
    struct series *series;
    size_t nseries;
    bool joined;                /* a series stands for several that are equal, and has the names of all */
    struct rule *rule;
    size_t nrule;
    const char *ruled;          /* what rules of several series have in common: then their texts stand upright in the
                                 * colours of these, or this is one row of the legend; not owned; NULL: each by itself */
    char **panel;               /* titles of small multiples; none: one panel without a title */
    size_t npanel;
    size_t columns;             /* of panels; 0: as fits */
    struct axis *panel_y;       /* npanel of them: panels of different quantities, each with an axis of its own, below
                                 * each other over one x; NULL: all have the chart's y */
    char *note;                 /* a sentence or two at the foot: what the figure does not show by itself; NULL: none */
    const char *outside;        /* what its legend calls points that are not valid; NULL: of no model's validity */
    char **word;                /* labels of points */
    size_t nword;
    struct names panel_index, word_index;
    enum spread spread;         /* how lo and hi are drawn */
    bool ordered;               /* matrix: nodes in the order in which y has them, then x; no communities */
    bool stacked;               /* bars: on top of each other */
    const struct regress_kind *fit;     /* scatter: graph/numeric/regress.h; NULL: none */
    bool residuals;             /* scatter: what the fit leaves, below */
    size_t bins;                /* histogram: how many; 0: as the data say */
    bool best_most;             /* decision map: the greatest value wins, not the least */
    bool front_most[2];         /* pareto: the greatest x, the greatest y is best, not the least */
    bool complement;            /* cumulative: the share of greater values */
};

/* `kind` is the name of a kind of chart and is not copied; title and axes are strings of the chart's own (malloc). */
void chart_init(struct chart *c, const char *kind);
void chart_release(struct chart *c);
/* Index of the series of that name in that panel, added at the end when new; -1: memory. */
int chart_series(struct chart *c, const char *name, size_t panel);
/* The same for a series of another chart, with the look it has there. */
int chart_series_like(struct chart *c, const struct series *s);
int chart_datum(struct chart *c, int series, struct datum d);      /* -1: memory */
size_t chart_points(const struct chart *c);     /* of all series */
bool chart_has_points(const struct chart *c);   /* with x and y */
static inline int chart_point(struct chart *c, int series, double x, double y)
{
    return chart_datum(c, series, (struct datum){ .x = x, .y = y, .z = NAN, .lo = NAN, .hi = NAN });
}
/* Adds a rule; does nothing for one that is nowhere (NaN, infinite). -1: memory. `text` may be NULL. */
int chart_rule(struct chart *c, double x, const char *text, size_t look, size_t panel);
int chart_panel(struct chart *c, const char *title);   /* index, added when new; -1: memory */
const char *chart_word(struct chart *c, const char *word);      /* the chart's own copy; NULL: memory */
int chart_axis(struct axis *a, const char *title, const char *unit);
void chart_axis_release(struct axis *a);        /* of an axis that is no chart's */
/* Position of a category on the axis, added at the end when new; -1: memory. */
int chart_category(struct axis *a, const char *name);

/* The series of another chart as a chart's own, on categories along x, or (`up`) y: those that the other has there,
 * else one for each of the numbers, in rising order. -1: memory. */
int chart_on_categories(struct chart *to, const struct chart *from, bool up);

/* Places of series that stand side by side, to be freed: one for each name, the same in all panels, in order of
 * appearance; *n of them, 1 at least. What is laid over has none. NULL: ERR_MEMORY. */
size_t *chart_places(const struct chart *c, size_t *n, struct err *err);

/* Numbers sorted, those once that are no more than `same` apart: how many there are. */
size_t numbers_distinct(double *v, size_t n, double same);
