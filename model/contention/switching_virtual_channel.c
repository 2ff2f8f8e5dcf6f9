#include "model/contention/switching.h"
#include "texts/switching.h"

const struct switching switching_virtual_channel = {
    SWITCHING_VIRTUAL_CHANNEL_ENTRY,
    .router = &router_usual
};
