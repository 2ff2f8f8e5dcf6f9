#include "model/contention/switching.h"
#include "texts/switching.h"

const struct switching switching_wormhole = {
    SWITCHING_WORMHOLE_ENTRY,
    .hold = true,
    .router = &router_single
};
