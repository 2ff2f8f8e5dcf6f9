#include "graph/numeric/regress.h"

const struct regress_kind regress_logarithmic = {
    .name = "logarithmic",
    .summary = "y = a + b ln x",
    .log_x = true,
    .degree = 1
};
