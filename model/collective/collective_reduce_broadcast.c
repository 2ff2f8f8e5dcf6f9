#include "model/collective/trees.h"

const struct collective collective_reduce_broadcast = {
    .name = "reduce-broadcast",
    .summary = "a binomial reduce, then a binomial broadcast of the result",
    .source = "Thakur, Rabenseifner and Gropp 2005; Chan, Heimlich, Purkayastha and van de Geijn 2007",
    .serves = { [ALLREDUCE] = &trees_both },
    .segments = true
};
