#include "model/contention/switching.h"

const struct switching switching_circuit = {
    .name = "circuit",
    .summary = "links are taken one after the other and held until the message has passed: waits as in wormhole; the "
               "way is set up there and back",
    .source = "Dally and Towles 2004, chapter 12",
    .hold = true,
    .sets_up = true,
    .router = &router_single
};
