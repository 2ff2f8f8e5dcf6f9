/* Halving with the nearest first, so that most bytes go least far; then blocks are gathered the way they came. */
#include "model/collective/blocks.h"
#include "texts/collective.h"

static int rabenseifner_open(struct schedule *s, struct err *err)
{
    const int m = blocks_core(s, 0, true, err);

    s->npieces = m;
    return m < 0 ? -1 : 0;
}

static const struct program rabenseifner_allreduce = {
    .open = rabenseifner_open,
    .parts = (const struct program *const[]){ &blocks_fold_halves, &blocks_halving, &blocks_doubling, &blocks_unfold,
                                              NULL }
};
static const struct program rabenseifner_reduce = {
    .open = rabenseifner_open,
    .parts = (const struct program *const[]){ &blocks_fold_halves, &blocks_halving, &blocks_gather, NULL }
};

const struct collective collective_rabenseifner = {
    COLLECTIVE_RABENSEIFNER_ENTRY,
    .serves = { [ALLREDUCE] = &rabenseifner_allreduce, [REDUCE] = &rabenseifner_reduce }
};
