#include "model/collective/trees.h"
#include "texts/collective.h"

const struct collective collective_reduce_broadcast = {
    COLLECTIVE_REDUCE_BROADCAST_ENTRY,
    .serves = { [ALLREDUCE] = &trees_both },
    .segments = true
};
