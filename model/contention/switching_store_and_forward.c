#include "model/contention/switching.h"

const struct switching switching_store_and_forward = {
    .name = "store-and-forward",
    .summary = "a message is received as a whole before it goes on: waits as in cut-through, its time again on every "
               "link (broadcasts: a step a link)",
    .source = "Dally and Towles 2004, chapter 13",
    .stores = true,
    .router = &router_unlimited
};
