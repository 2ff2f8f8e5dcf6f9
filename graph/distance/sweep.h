/* sweep.h -- bit-parallel multi-source breadth-first search, which distances.h rests on: up to 512 sources at once, one
 * bit of a 64-byte word per source, level by level. For graph/ and its tests.
 *
 * A level visits the nodes whose word may grow; each takes over the words of those linked to it. */
#pragma once

#include <stdalign.h>

#include "graph/distance/distances.h"

#define SWEEP_WORDS (DIST_BLOCK / 64)
#define SWEEP_SLOTS 16          /* words of newly reached sources counted together */
#define SWEEP_MASKS 32          /* weights are ints */

struct sweep;
/* The parts compiled for several instruction sets. */
struct sweep_kernel {
    const char *name;
    bool (*runs_here)(void);
    /* Puts the words of list[0..nlist) into next[] of the nodes they are linked to: where these are many more, each is
     * linked to few of the list, and looking at all that is linked to them takes longer. */
    void (*push)(struct sweep *s);
    /* Visits list[0..nvisit), each of which takes over the words linked to it unless they were pushed; leaves in list
     * the nodes that grew and returns their number. */
    size_t (*pull)(struct sweep *s, size_t nvisit);
    /* row in bit planes, as `pull` leaves it (sweep.c), to one byte per source. */
    void (*spread)(const struct sweep *s, uint8_t *row, int planes);
};
extern const struct sweep_kernel *const sweep_kernels[];    /* fastest first, NULL at the end */

struct sweep {
    alignas(64) uint64_t slot[SWEEP_SLOTS][SWEEP_WORDS];
    alignas(64) uint64_t bits[4][SWEEP_WORDS];  /* sums, bit-sliced: ones, twos, fours, eights */
    alignas(64) uint64_t full[SWEEP_WORDS];     /* a bit for every source there is */
    alignas(64) uint64_t mask[SWEEP_MASKS][SWEEP_WORDS];    /* sources whose weight has bit k set */
    const struct csr *out, *in;             /* the same when every link has its opposite */
    const struct sweep_kernel *kernel;
    uint64_t (*now)[SWEEP_WORDS], (*next)[SWEEP_WORDS];     /* sources that have reached a node: before and after
                                                             * the level under way */
    unsigned char *state, *mark, *group;    /* mark: visit it; group: whether any of 64 nodes is marked */
    bool pushed;                /* the words of this level are in next[] */
    bool far;                   /* many links lead to words that are not in the cache: they are fetched ahead */
    bool lasting;                           /* marks stay until a node is full */
    int *list;
    size_t nlist;                           /* nodes that grew at the last level */
    int *touched;                           /* nodes that a source reached at the last level, none before */
    size_t ntouched, nvirgin, nfull;
    size_t pages;                           /* bytes at `now` */
    const unsigned char *counted;           /* n flags, 1 for nodes that count; NULL: nothing is counted */
    const int *leaves;          /* n: how many others are found with a node; NULL: none */
    unsigned nmask;
    uint64_t sum, leaf_sum;     /* weighted pairs that the last level found, of nodes that count and of leaves */
    uint8_t *plane;                         /* where to keep distances, n x DIST_BLOCK, or NULL */
    int level;
};

/* `in` is `out` with its links turned round. */
int sweep_init(struct sweep *s, const struct csr *out, const struct csr *in);   /* -1: memory */
void sweep_release(struct sweep *s);
double sweep_bytes(int n);
/* weight: one per source, or NULL. */
void sweep_start(struct sweep *s, const int *source, const int *weight, int nsource);
/* One level further; false when nothing grew. Afterwards now[] holds the sources that have reached each node,
 * list[0..nlist) the nodes that grew, and next[] their previous words. */
bool sweep_step(struct sweep *s);

/* Links turned round. */
int csr_reverse(struct csr *r, const struct csr *c, struct err *err);
bool csr_same(const struct csr *a, const struct csr *b);
double csr_bytes(const struct csr *c);
double csr_order_bytes(const struct csr *c);
