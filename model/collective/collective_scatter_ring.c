/* Blocks are scattered along a binomial tree, then go round a ring. */
#include "model/collective/blocks.h"
#include "texts/collective.h"

static const struct program scatter_ring_broadcast = {
    .parts = (const struct program *const[]){ &blocks_scatter, &blocks_ring, NULL }
};

const struct collective collective_scatter_ring = {
    COLLECTIVE_SCATTER_RING_ENTRY,
    .serves = { [BROADCAST] = &scatter_ring_broadcast }
};
