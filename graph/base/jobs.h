/* jobs.h -- work in parts that threads share. Parts are begun in their order, each by the first thread that is free;
 * after one that failed no more are begun. The error is that of the first part that failed, whatever the threads are.
 * Parts leave their results apart from each other, or where the order of adding does not matter. */
#pragma once

#include "graph/base/base.h"

/* How many threads: those asked for (0: all there are), and no more than parts. */
int jobs_threads(int asked, size_t parts);
/* One part, with the number of its thread, and a tick that it may ask at any time. */
typedef int jobs_part(void *arg, int thread, size_t part, const struct tick *tick, struct err *err);
int jobs_run(size_t parts, int threads, jobs_part *one, void *arg, const struct tick *tick, struct err *err);
