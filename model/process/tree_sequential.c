#include "model/process/tree.h"
#include "texts/tree.h"

static int tree_sequential_parent(int, int)
{
    return 0;
}

const struct tree tree_sequential = {
    TREE_SEQUENTIAL_ENTRY,
    .source = "paper on reconfigurable MPI collectives, section 5",
    .parent = tree_sequential_parent,
    .barrier = true,
    .flat = true,
    .whole = true
};
