#include "model/contention/switching.h"

const struct switching switching_circuit = {
    .name = "circuit",
    .summary = "links are taken one after the other and held until the message has passed: waits as in wormhole; the "
               "way is set up there and back",
    .source = "Dally and Towles 2004, chapter 12",
    .notes = "A message of F flits over n links takes T = F + (n - 1) h + 2 n h + W_1 + ... + W_n: --hop-time h "
        "for each "
        "link after the first, n h for the header and n h for its answer, and the waits W_k at the links. It holds "
        "link "
        "k for H_k = F + W_(k+1) + ... + W_n.",
    .hold = true,
    .sets_up = true,
    .router = &router_single
};
