#include "model/traffic/traffic.h"

const struct traffic_kind traffic_worst = {
    .name = "worst",
    .nested = true,
    .synopsis = "worst:ROUTING",
    .summary = "the permutation that a routing serves worst",
    .source = "Towles and Dally 2002",
    .notes = "The traffic that `metapath bound worst` finds: of all permutations the one with the highest load on a "
        "link. Terminals whose messages would not cross that link do not send. ROUTING may have keys, as in "
        "worst:dor,order=1+2; its shares must not depend on the load. All links have the same capacity, except in "
        "`bound throughput` and `compare`, which know the capacities.",
    .example = "worst:dor",
    .example_net = "torus:4x4"
};
