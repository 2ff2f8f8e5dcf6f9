/* latency_figures.h -- the figures natural to the tables of `metapath latency`. */
#pragma once

#include "cli/sweep/latency_tables.h"
#include "cli/request/options.h"
#include "render/chart/chart.h"

/* Loads: latency against load or interval, dashed (of one line, hatched) where the model is not to be believed, dressed
 * by latency_lines.h. Channels: bars, or lines over intervals. Links: the network, coloured by how long they are held.
 * Nodes: a map of waits, of networks of two dimensions. A panel for each of several (at most 36). */
int latency_figure(struct picture *f, const struct table *t, enum latency_table which, const char *axis,
                   struct err *err);
