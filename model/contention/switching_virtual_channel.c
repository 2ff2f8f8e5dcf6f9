#include "model/contention/switching.h"

const struct switching switching_virtual_channel = {
    .name = "virtual-channel",
    .summary = "links have several channels, each with a buffer, whose flits take turns: --vcs, --buffer",
    .source = "Dally 1992",
    .notes = "A message of F flits over n links takes T = F + (n - 1) h + W_1 + ... + W_n, as by cut-through; W_k "
        "is the "
        "wait for one of the V channels and for the link, which others' flits use in turn. With a credit loop of R "
        "cycles a channel of B flits moves at most B/R flits a cycle. The waits are in examples/guide/routers.md.",
    .router = &router_usual
};
