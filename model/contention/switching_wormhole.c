#include "model/contention/switching.h"
#include "texts/switching.h"

const struct switching switching_wormhole = {
    .name = "wormhole",
    SWITCHING_WORMHOLE_TEXT,
    .source = "Dally and Seitz 1986",
    .hold = true,
    .router = &router_single
};
