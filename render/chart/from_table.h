/* from_table.h -- a chart of columns of a table. */
#pragma once

#include "render/chart/chart.h"
#include "render/table/table.h"

/* Which column says what; NULL and 0: none. */
struct chart_columns {
    const char *x;
    const char *x_end;          /* of intervals: where they end; the first y is the lane they start on, the second that
                                 * they end on */
    const char *const *y;
    size_t ny;
    const char *z;              /* colour or height: for the kinds of chart that need it; of intervals: the wait */
    const char *const *group;   /* a series for each combination of their values */
    size_t ngroup;
    const char *const *facet;   /* a panel for each */
    size_t nfacet;
    const char *const *lo, *const *hi;  /* of each y: ends of error bars or of a band, both the same column: half of
                                 * its length; NULL: none of it, or of any */
    const char *label;          /* what is not empty marks the point */
    const char *valid;          /* 0, no, false: outside the model's validity */
    bool as_rows;               /* categories that are numbers stand in the order of the rows, not in their own */
    const size_t *panel;        /* of each y, where they are of several quantities: panels below each other, each with
                                 * its own axis; NULL: all share one */
    bool means;                 /* of lines and bars: several y of a series at one x are drawn as their mean, with a
                                 * band or bars of a standard deviation, not below zero where no y is; the chart's note
                                 * says so */
    const char *over;           /* laid over what the chart has already, with this behind the names: "published" */
};

/* Fills an initialised chart (its kind is set): one series per panel, column of `y` and combination of the group
 * columns' values, in order of first appearance, named by these values and, when there are several y, by their
 * headings. Axes are named by headings and units, unless they have names already; several y share an axis, which has a
 * unit when they agree (else the names of the series have them). `x` makes categories when it holds text or the kind
 * wants them (numbers then in ascending order); along numbers, points are sorted, but for kinds that show z. There, `y`
 * may hold text too, and so may z. A row of intervals is two points of one series; without a second lane it stays on
 * the first. A row without x is passed over; y without a number interrupts its line.
 * Errors: ERR_USAGE for a column that is not there or that the kind needs, ERR_FORMAT for text where numbers are wanted
 * (with the line of the file when the table knows it), ERR_DOMAIN for more than 1000 series or 100 panels. The chart is
 * to be released either way. */
int chart_from_table(struct chart *c, const struct table *t, const struct chart_columns *columns, struct err *err);

/* Refuses a column that holds text, naming the first cell that is no number: a whole column read from a file is text
 * because of one such cell. ERR_FORMAT. */
int chart_check_numbers(const struct table *t, size_t column, struct err *err);

/* Sensible columns for what is left open, and a kind where that is (NULL). Where nothing at all is said:
 *   x       dates, else the first numbers that vary, but for repetitions (`seed`, `run`, ...); names, where each row
 *           has its own and the rest is in one unit or there is one column of numbers alone
 *   y       all other numbers: those of a unit share an axis, other units have panels of their own, CHOICE_PANELS at
 *           most; of a panel so many columns that it has up to CHOICE_SERIES series, or one; of more than 24
 *           columns the first 12; about a mean its spread, where names say so (spread.h); numbers that are all the same
 *           where nothing else is beside x
 *   series  the first columns of words, else of a few whole numbers, that make the rows of one x differ
 *   scales  x that doubles is logarithmic; y too where its positive values differ by more than 20 times
 *   kind    a timeline where columns are called start and end, and another can be its lanes; a matrix where two columns are called from,to or the like, and each pair is there once; a map where two
 *           columns of numbers make a grid and there is a third; bars along names; points, labelled by names if there
 *           are, where rows are in no order, or most x of a series have two values: a line through means needs three; boxes
 *           of ten values and more a name; a histogram of a single column; else lines
 * Otherwise: x as above (of words, where the kind has categories), one y, and z the next numbers, for kinds that show
 * it; series as above. Names are the table's own. */
enum { CHOICE_PANELS = 6, CHOICE_SERIES = 14, CHOICE_Y = CHOICE_PANELS * CHOICE_SERIES, CHOICE_LEFT = 12 };
struct chart_choice {
    const char *kind;           /* a line, heat, ...; that given, where it is */
    const char *x, *x_end, *z, *label, *group[3];
    enum axis_scale x_scale, y_scale;
    const char *y[CHOICE_Y];
    size_t panel[CHOICE_Y];     /* of each y */
    const char *lo[CHOICE_Y], *hi[CHOICE_Y];    /* of each y, as in struct chart_columns */
    bool spread;                /* some y have such */
    size_t ny, npanel, ngroup;
    const char *left[CHOICE_LEFT];      /* other numbers that vary, and empty columns: the first of nleft */
    size_t nleft;
};
void chart_choose(struct chart_choice *out, const struct table *t, const struct chart_columns *given,
                  const struct chart_kind *kind);
/* The panel of each of those columns: numbers of one unit share one, or without a unit of like size. How many panels;
 * 0: a column is unknown, or there are more than CHOICE_Y. */
size_t chart_share(size_t panel[CHOICE_Y], const struct table *t, const char *const *y, size_t ny);
