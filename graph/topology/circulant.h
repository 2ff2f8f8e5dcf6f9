/* circulant.h -- circulant graphs: Z_n with jumps. Shared by circulant, midimew and complete. */
#pragma once

#include "graph/topology/topo.h"

/* LINES_JUMPS where the jumps are to serve as dimensions. Jumps ascending, different, 1..n/2. Refuses jumps that leave
 * parts unconnected. */
int circulant_open(struct net *net, int n, const int *jump, int njump, enum net_lines lines, struct err *err);
void circulant_facts(const struct net *net, struct topo_facts *facts);
