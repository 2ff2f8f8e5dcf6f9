#include "model/process/tree.h"

static int tree_chain_parent(int v, int n)
{
    (void)n;
    return v - 1;
}

const struct tree tree_chain = {
    .name = "chain",
    .summary = "every process sends to the next",
    .source = "paper on reconfigurable MPI collectives, section 5",
    .parent = tree_chain_parent
};
