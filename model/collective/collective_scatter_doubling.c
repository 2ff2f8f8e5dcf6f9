/* Blocks are scattered along a binomial tree, then gathered by all by recursive doubling. */
#include "model/collective/blocks.h"
#include "texts/collective.h"

static int scatter_doubling_open(struct schedule *s, struct err *err)
{
    const int m = blocks_core(s, 0, false, err);

    s->npieces = m;
    return m < 0 ? -1 : 0;
}

static const struct program scatter_doubling_broadcast = {
    .open = scatter_doubling_open,
    .parts = (const struct program *const[]){ &blocks_scatter, &blocks_doubling, &blocks_unfold, NULL }
};

const struct collective collective_scatter_doubling = {
    COLLECTIVE_SCATTER_DOUBLING_ENTRY,
    .serves = { [BROADCAST] = &scatter_doubling_broadcast }
};
