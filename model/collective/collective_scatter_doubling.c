/* Blocks are scattered along a binomial tree, then gathered by all by recursive doubling. */
#include "model/collective/blocks.h"

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
    .name = "scatter-doubling",
    .summary = "a block to each along a binomial tree, then allgather by recursive doubling",
    .source = "Thakur, Rabenseifner and Gropp 2005, after M. Barnett et al., \"Interprocessor collective "
              "communication library (InterCom)\", Scalable High Performance Computing Conference, 1994",
    .notes = "Beyond a power of two, m, the vector is cut into m blocks, and each of the n - m processes left aside "
             "gets the whole from its neighbour when all is done: 1 step more. MPICH then prefers scatter-ring.",
    .serves = { [BROADCAST] = &scatter_doubling_broadcast }
};
