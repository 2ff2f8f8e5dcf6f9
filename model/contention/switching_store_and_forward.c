#include "model/contention/switching.h"
#include "texts/switching.h"

const struct switching switching_store_and_forward = {
    .name = "store-and-forward",
    SWITCHING_STORE_AND_FORWARD_TEXT,
    .source = "Dally and Towles 2004, chapter 13",
    .stores = true,
    .router = &router_unlimited
};
