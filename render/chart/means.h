/* means.h -- several y at one x of a series as their mean. */
#ifndef RENDER_CHART_MEANS_H
#define RENDER_CHART_MEANS_H

#include "render/figure/chart_data.h"

struct means {
    size_t least, most;         /* values that one mean is of, of all; 0: no x is there twice */
    bool single;                /* the chart's own use */
};
/* Series in which some x is there several times get a point for each x, in rising order: the mean of the finite y, and
 * as lo and hi one standard deviation (of a sample: n - 1) below and above, where there are two y at least. Others,
 * and what is laid over, stay. -1: memory. */
int means_take(struct chart *c, struct means *m);

#endif
