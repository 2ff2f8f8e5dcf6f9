#include "model/contention/switching.h"
#include "texts/switching.h"

const struct switching switching_store_and_forward = {
    SWITCHING_STORE_AND_FORWARD_ENTRY,
    .stores = true,
    .router = &router_unlimited
};
