#include "graph/numeric/regress.h"

const struct regress_kind regress_quadratic = {
    .name = "quadratic",
    .summary = "y = a + b x + c x^2",
    .degree = 2
};
