/* jobs.h -- work in parts that threads share. Parts are begun in their order, each by the first thread that is free; after
 * one that failed no more are begun. What failed is the error of the first part that did, whatever the threads are.
 * Parts leave their results apart from each other, or where the order of adding does not matter. */
#ifndef GRAPH_BASE_JOBS_H
#define GRAPH_BASE_JOBS_H

#include "graph/base/tick.h"

/* How many threads: those asked for (0: all there are), and no more than parts. */
int jobs_threads(int asked, size_t parts);
/* Calls `one` for each part, with the number of its thread, and a tick that it may ask at any time. */
int jobs_run(size_t parts, int threads, int (*one)(void *arg, int thread, size_t part, const struct tick *tick,
                                                   struct err *err), void *arg, const struct tick *tick, struct err *err);

#endif
