#include "model/process/tree.h"
#include "texts/tree.h"

static int tree_binomial_parent(int v, int)
{
    return v & (v - 1);
}

const struct tree tree_binomial = {
    TREE_BINOMIAL_ENTRY,
    .source = "paper on reconfigurable MPI collectives, section 5; Thakur, Rabenseifner and Gropp 2005",
    .parent = tree_binomial_parent,
    .largest_first = true,
    .barrier = true,
    .whole = true
};
