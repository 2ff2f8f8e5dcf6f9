#include "model/contention/switching.h"

const struct switching switching_wormhole = {
    .name = "wormhole",
    .summary = "a message holds its links while it waits for the next; its transmission time is the same on every path",
    .source = "Dally and Seitz 1986",
    .hold = true,
    .collides = true
};
