/* In each step a process sends the half of its blocks that it gives up, and adds what it gets of the other. */
#include "model/collective/blocks.h"
#include "texts/collective.h"

static int halving_open(struct schedule *s, struct err *err)
{
    return blocks_core(s, 1, false, err) < 0 ? -1 : 0;
}

static const struct program halving_scatter = {
    .open = halving_open,
    .parts = (const struct program *const[]){ &blocks_fold, &blocks_halving, &blocks_unfold_own, NULL }
};

const struct collective collective_recursive_halving = {
    COLLECTIVE_RECURSIVE_HALVING_ENTRY,
    .serves = { [REDUCE_SCATTER] = &halving_scatter }
};
