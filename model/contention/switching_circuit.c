#include "model/contention/switching.h"
#include "texts/switching.h"

const struct switching switching_circuit = {
    SWITCHING_CIRCUIT_ENTRY,
    .hold = true,
    .sets_up = true,
    .router = &router_single
};
