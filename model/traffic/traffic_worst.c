#include "model/traffic/traffic.h"
#include "texts/traffic.h"

const struct traffic_kind traffic_worst = {
    TRAFFIC_WORST_ENTRY,
    .nested = true
};
