#include "model/contention/switching.h"

const struct switching switching_cut_through = {
    .name = "cut-through",
    .summary = "a message that waits is taken off its links into a buffer",
    .source = "Kermani and Kleinrock 1979",
    .notes = "A message of F flits over n links takes T = F + (n - 1) h + W_1 + ... + W_n: --hop-time h for each link "
        "after the first, and the waits W_k at the links, each of which it holds for H = F, or F/bandwidth.",
    .router = &router_unlimited
};
