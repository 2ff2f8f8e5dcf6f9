#include "model/traffic/traffic.h"
#include "texts/traffic.h"

const struct traffic_kind traffic_worst = {
    .name = "worst",
    .nested = true,
    .synopsis = "worst:ROUTING",
    TRAFFIC_WORST_TEXT,
    .source = "Towles and Dally 2002",
    .example = "worst:dor",
    .example_net = "torus:4x4"
};
