#include "model/contention/router.h"

const struct router router_usual = { .vcs = 4, .buffer = 8 };
const struct router router_unlimited = { .vcs = INFINITY, .buffer = INFINITY, .speedup = true,
                                         .packets = true };
const struct router router_single = { .vcs = 1, .buffer = 1, .classes = 1, .speedup = true };
