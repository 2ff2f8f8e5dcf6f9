#include "model/process/tree.h"
#include "texts/tree.h"

static int tree_binary_parent(int v, int)
{
    return (v - 1) / 2;
}

const struct tree tree_binary = {
    TREE_BINARY_ENTRY,
    .source = "paper on reconfigurable MPI collectives, section 5",
    .parent = tree_binary_parent,
    .barrier = true
};
