#include "model/process/tree.h"

static int tree_binary_parent(int v, int n)
{
    (void)n;
    return (v - 1) / 2;
}

const struct tree tree_binary = {
    .name = "binary",
    .summary = "every process sends to two others, 2v + 1 and 2v + 2",
    .source = "paper on reconfigurable MPI collectives, section 5",
    .parent = tree_binary_parent
};
