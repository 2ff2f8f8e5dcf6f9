#include "model/contention/switching.h"
#include "texts/switching.h"

const struct switching switching_cut_through = {
    .name = "cut-through",
    SWITCHING_CUT_THROUGH_TEXT,
    .source = "Kermani and Kleinrock 1979",
    .router = &router_unlimited
};
