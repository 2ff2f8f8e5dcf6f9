/* cycles.h -- cycles of dependencies: which resources are in any, and the shortest of them. */
#pragma once

#include "analysis/deadlock/dependencies.h"

/* part[v]: v is in a cycle with all that have the same number; -1: it is in none. In linear time (Tarjan 1972). */
int cycles_parts(int *part, bool *cyclic, const struct deadlock *d, struct err *err);
/* Sets cycle, ncycle and shortest: the first of the shortest cycles, through any resource or, where all nodes look alike
 * (folded), through those at node 0; in large graphs the shortest through the first resource that is in any. */
int cycles_find(struct deadlock *d, const int *part, bool folded, struct err *err);
