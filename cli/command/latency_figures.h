/* latency_figures.h -- the figures natural to the tables of `metapath latency`. */
#ifndef CLI_COMMAND_LATENCY_FIGURES_H
#define CLI_COMMAND_LATENCY_FIGURES_H

#include "cli/command/latency_tables.h"
#include "cli/request/options.h"
#include "render/chart/chart.h"

/* What a chart of latencies has beside its curves, whose series are named by the columns `by` of the table: a line
 * across where each saturates, by the columns saturation_load (`axis` "load") or saturation_interval_cycles, none of
 * closed sources (column `loop`); over loads a linear axis, and of open sources latencies only up to some five times
 * that without load (column zero_load_latency_cycles; without it the largest of the curves' least ones), with a note
 * where some are greater. Scales and ends that the axes have already stay. ERR_MEMORY. */
int latency_dress(struct chart *c, const struct table *t, const char *axis, const char *const *by, size_t nby,
                  struct err *err);

/* Lines of latency dressed like that. */
int latency_figure_lines(struct picture *f, const struct table *t, const struct natural *lines, struct err *err);

/* Loads: latency against load or interval, dashed (of one line, hatched) where the model is not to be believed, dressed
 * as above. Channels: bars, or lines over intervals. Links: the network, coloured by how long they are held. Nodes: a
 * map of waits, of networks of two dimensions. A panel for each of several (at most 36). */
int latency_figure(struct picture *f, const struct table *t, enum latency_table which, const char *axis,
                   struct err *err);

#endif
