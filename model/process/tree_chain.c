#include "model/process/tree.h"
#include "texts/tree.h"

static int tree_chain_parent(int v, int)
{
    return v - 1;
}

const struct tree tree_chain = {
    TREE_CHAIN_ENTRY,
    .source = "paper on reconfigurable MPI collectives, section 5",
    .parent = tree_chain_parent
};
