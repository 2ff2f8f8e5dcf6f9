/* distances.h -- hop distances of any graph by bit-parallel multi-source breadth-first search: 512 sources a
 * block, one bit each, over a compressed copy, blocks shared out to threads. The nearer the sources of a block
 * lie to each other the faster: dist_count sees to it, callers of dist_rows* do with csr_order.
 * Results do not depend on the number of threads. */
#pragma once

#include <igraph_datatype.h>

#include "graph/base/base.h"

#define DIST_BLOCK 512

/* Compressed copy of a graph. Undirected edges appear both ways, parallel ones once (trunks.h). `first` has n + 1
 * entries, `to` ascends within a node. */
struct csr {
    int n;
    size_t m;                   /* entries of `to` */
    size_t *first;
    int *to;
};
/* reverse: links turned round (matters to directed graphs only). */
int csr_init(struct csr *c, const igraph_t *graph, bool reverse, struct err *err);
/* The links of a network as they are, kept with it for all that ask; of one with a group, its graph is not made for that. */
struct net;
int csr_kept(const struct csr **out, struct net *net, struct err *err);
/* The same with parallel edges one by one. */
int csr_init_each(struct csr *c, const igraph_t *graph, bool reverse, struct err *err);
/* What csr_init takes while it works; half of it stays. */
double csr_init_bytes(const igraph_t *graph);
void csr_release(struct csr *c);
/* The entry of `to` that is the link between two nodes; m: there is none. */
size_t csr_link(const struct csr *c, int from, int to);

/* Flags of the leaves of a graph whose links go both ways, and how many: nodes with one neighbour, which keeps it; of two
 * that have no other the lower one stays. */
size_t csr_leaves(unsigned char *leaf, const struct csr *c);
/* The graph without them, nodes in their order: at[v] is the place of v there, or of what the leaf v hangs on. */
int csr_core(struct csr *core, int *at, const unsigned char *leaf, const struct csr *c, struct err *err);

/* Single-source distances, the obvious way: hops[v], -1 out of reach; queue has room for n. */
void csr_bfs(const struct csr *c, int source, int *hops, int *queue);

/* Nodes in an order that keeps neighbours together (cut in two between two far ends, again and again down to
 * the size of a block), so that the 512 sources of a block pass a node at neighbouring levels. */
int csr_order(const struct csr *c, int *order, struct err *err);

/* How many ordered pairs (source, target) of different nodes lie at each distance. */
struct dist_count {
    uint64_t *pairs;            /* pairs[d], d = 0..longest; pairs[0] = 0 */
    int longest;                /* largest finite distance; 0 when there is no pair */
    uint64_t unreachable;       /* pairs without a path */
    int lost[2];                /* one such pair: the first source that misses one and a target it misses; else -1,
                                 * -1 */
};
struct dist_ends {
    int n;                      /* sources, different nodes */
    const int *source, *weight; /* each stands for weight[i] sources (NULL: 1 each), no more than an int holds in all */
    const unsigned char *is_target;     /* by node; NULL: all are */
};
/* Leaves, as hosts on switches are, cost next to nothing. threads 0: as OpenMP decides. */
int dist_count(struct dist_count *out, const struct csr *c, const struct dist_ends *ends, int threads,
               const struct tick *tick, struct err *err);
void dist_count_release(struct dist_count *d);
/* Bytes dist_count takes beyond the graph. */
double dist_count_bytes(const struct csr *c, int threads);

/* Distances of one block, one call per thread at a time: row[v * DIST_BLOCK + i] = hops from source[i] to v
 * (nsource <= DIST_BLOCK), 0xff / 0xffffffff where unreachable. The narrow form returns -1 (no err) when a
 * distance exceeds 254; take the wide one then. `work` comes from dist_work_new. Rows that begin at
 * a multiple of 64 bytes are filled faster. */
struct dist_work;
struct dist_work *dist_work_new(const struct csr *c);       /* NULL: memory */
void dist_work_free(struct dist_work *w);
double dist_work_bytes(const struct csr *c);
int dist_rows8(uint8_t *row, struct dist_work *w, const struct csr *c, const int *source, int nsource);
void dist_rows32(uint32_t *row, struct dist_work *w, const struct csr *c, const int *source, int nsource);
