#include "graph/numeric/regress.h"

const struct regress_kind regress_exponential = {
    .name = "exponential",
    .summary = "y = a e^(b x)",
    .log_y = true,
    .degree = 1
};
