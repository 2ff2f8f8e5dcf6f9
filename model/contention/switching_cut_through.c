#include "model/contention/switching.h"

const struct switching switching_cut_through = {
    .name = "cut-through",
    .summary = "a message that waits is taken off its links into a buffer",
    .source = "Kermani and Kleinrock 1979",
    .router = &router_unlimited
};
