#include "model/contention/switching.h"

const struct switching switching_virtual_channel = {
    .name = "virtual-channel",
    .summary = "links have several channels, each with a buffer, whose flits take turns: --vcs, --buffer",
    .source = "Dally 1992",
    .router = &router_usual
};
