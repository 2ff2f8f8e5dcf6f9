#include "model/contention/switching.h"
#include "texts/switching.h"

const struct switching switching_circuit = {
    .name = "circuit",
    SWITCHING_CIRCUIT_TEXT,
    .source = "Dally and Towles 2004, chapter 12",
    .hold = true,
    .sets_up = true,
    .router = &router_single
};
