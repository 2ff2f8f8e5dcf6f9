#include "model/contention/switching.h"

const struct switching switching_wormhole = {
    .name = "wormhole",
    .summary = "a message holds its links while it waits for the next",
    .source = "Dally and Seitz 1986",
    .notes = "wormhole-pipelined is another name of it.",
    .hold = true,
    .router = &router_single
};
