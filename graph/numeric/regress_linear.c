#include "graph/numeric/regress.h"

const struct regress_kind regress_linear = {
    .name = "linear",
    .summary = "y = a + b x",
    .degree = 1
};
