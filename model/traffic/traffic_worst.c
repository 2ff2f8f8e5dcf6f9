#include "model/traffic/traffic.h"

const struct traffic_kind traffic_worst = {
    .name = "worst",
    .nested = true,
    .synopsis = "worst:ROUTING",
    .summary = "the permutation that a routing serves worst",
    .source = "Towles and Dally 2002",
    .notes = "Who sends to whom where `metapath bound worst` is reached: of all permutations the one that puts most "
             "on a link, found\nexactly. Terminals whose messages would not cross that link do not send. ROUTING with "
             "keys of its own, as in\nworst:dor,order=1+2; its shares must not depend on waits. All links count "
             "alike, but for `bound throughput` and\n`compare`, which know their capacities.",
    .example = "worst:dor",
    .example_net = "torus:4x4"
};
