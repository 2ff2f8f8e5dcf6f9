/* In step k each process exchanges all it has with the process that differs from it in bit k. */
#include "model/collective/blocks.h"

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
    .name = "recursive-doubling",
    .summary = "all that a process has is exchanged at distance 1, 2, 4, ...",
    .source = "Thakur, Rabenseifner and Gropp 2005",
    .notes = "Beyond a power of two, m, each of the first n - m even processes gives what it has to the odd one after "
             "it, and gets from it what it lacks when all is done: 2 steps more. (MPICH's allgather instead passes on "
             "what is missing within the cube, in up to 2 floor(log2 n) steps.)",
    .serves = { [ALLGATHER] = &doubling_allgather, [ALLREDUCE] = &doubling_allreduce, [BARRIER] = &doubling_allreduce }
};
