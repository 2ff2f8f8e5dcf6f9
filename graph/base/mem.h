/* mem.h -- forecasts of memory: what would not fit is refused before it is tried. */
#ifndef GRAPH_BASE_MEM_H
#define GRAPH_BASE_MEM_H

#include "graph/base/err.h"

/* Bytes this process may still take: the least of what the machine has available, the control group's
 * limit and the address space limit. Infinity when nothing says. */
double mem_available(void);
/* -1 with ERR_MEMORY and both figures when `bytes` exceeds what is available. */
int mem_need(double bytes, const char *what, struct err *err);

#endif
