#include "model/contention/switching.h"

const struct switching switching_wormhole_pipelined = {
    .name = "wormhole-pipelined",
    .summary = "the same, flit by flit: every link after the first adds the time of a hop",
    .source = "Dally and Seitz 1986",
    .hold = true,
    .flits = true,
    .collides = true
};
