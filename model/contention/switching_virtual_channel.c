#include "model/contention/switching.h"
#include "texts/switching.h"

const struct switching switching_virtual_channel = {
    .name = "virtual-channel",
    SWITCHING_VIRTUAL_CHANNEL_TEXT,
    .source = "Dally 1992",
    .router = &router_usual
};
