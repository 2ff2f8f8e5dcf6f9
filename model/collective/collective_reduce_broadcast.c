#include "model/collective/trees.h"

static int reduce_broadcast_open(struct schedule *s, struct err *err)
{
    return trees_open_named(s, "binomial", err);
}

const struct collective collective_reduce_broadcast = {
    .name = "reduce-broadcast",
    .summary = "a binomial reduce, then a binomial broadcast of the result",
    .source = "Thakur, Rabenseifner and Gropp 2005; Chan, Heimlich, Purkayastha and van de Geijn 2007",
    .serves = {
        [ALLREDUCE] = &(const struct program){ .open = reduce_broadcast_open, .parts = trees_there_and_back }
    },
    .segments = true
};
