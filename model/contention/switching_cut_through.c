#include "model/contention/switching.h"
#include "texts/switching.h"

const struct switching switching_cut_through = {
    SWITCHING_CUT_THROUGH_ENTRY,
    .router = &router_unlimited
};
