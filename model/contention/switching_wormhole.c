#include "model/contention/switching.h"

const struct switching switching_wormhole = {
    .name = "wormhole",
    .summary = "a message holds its links while it waits for the next",
    .source = "Dally and Seitz 1986",
    .notes = "A message of F flits over n links takes T = F + (n - 1) h + W_1 + ... + W_n: --hop-time h for each link "
        "after the first, and the waits W_k at the links. It holds link k for H_k = F + W_(k+1) + ... + W_n. "
        "wormhole-pipelined is another name of it.",
    .hold = true,
    .router = &router_single
};
