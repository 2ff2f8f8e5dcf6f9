#include "graph/numeric/regress.h"

const struct regress_kind regress_power = {
    .name = "power",
    .summary = "y = a x^b",
    .log_x = true,
    .log_y = true,
    .degree = 1
};
