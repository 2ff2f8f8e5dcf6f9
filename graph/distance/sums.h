/* sums.h -- hops from the members of chosen sets to every node, set by set, summed: what is asked of a few sources of a
 * large network, where distances between all nodes are too many. Sets share searches of up to 512 members
 * (distances.h); memory is that of one such search a thread. */
#ifndef GRAPH_DISTANCE_SUMS_H
#define GRAPH_DISTANCE_SUMS_H

#include "graph/distance/distances.h"

#define SUMS_NONE UINT32_MAX    /* out of reach; of a sum: of some member */

struct sums {
    int n;
    const size_t *first;        /* n + 1: where each set begins in `member`; it has one member at least */
    const int *member;
    /* Once for every set, different ones at the same time by different threads: hops from its first member to each
     * node, and those from the others summed, which must fit 32 bits. -1: memory. */
    int (*visit)(void *about, int set, const uint32_t *from, const uint32_t *sum);
    void *about;
};
/* threads 0: as OpenMP decides, as many as there is memory for. */
int sums_each(const struct csr *c, const struct sums *s, int threads, const struct tick *progress, struct err *err);

#endif
