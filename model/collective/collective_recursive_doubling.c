/* In step k each process exchanges all it has with the process that differs from it in bit k. */
#include "model/collective/blocks.h"
#include "texts/collective.h"

static int doubling_open(struct schedule *s, struct err *err)
{
    if (s->operation != ALLGATHER)
        s->npieces = 1;
    return blocks_core(s, 1, false, err) < 0 ? -1 : 0;
}

static const struct program doubling_allgather = {
    .open = doubling_open,
    .parts = (const struct program *const[]){ &blocks_fold_own, &blocks_doubling, &blocks_unfold_rest, NULL }
};
static const struct program doubling_allreduce = {
    .open = doubling_open,
    .parts = (const struct program *const[]){ &blocks_fold, &blocks_exchange, &blocks_unfold, NULL }
};

const struct collective collective_recursive_doubling = {
    COLLECTIVE_RECURSIVE_DOUBLING_ENTRY,
    .serves = { [ALLGATHER] = &doubling_allgather, [ALLREDUCE] = &doubling_allreduce, [BARRIER] = &doubling_allreduce }
};
