#include "model/contention/switching.h"

const struct switching switching_store_and_forward = {
    .name = "store-and-forward",
    .summary = "a message is received as a whole before it goes on: waits as in cut-through, its time again on every "
               "link (broadcasts: a step a link)",
    .source = "Dally and Towles 2004, chapter 13",
    .notes = "A message of F flits over n links takes T = n F + (n - 1) h + W_1 + ... + W_n: --hop-time h for each "
        "link "
        "after the first, and the waits W_k at the links, each of which it holds for H = F, or F/bandwidth.",
    .stores = true,
    .router = &router_unlimited
};
