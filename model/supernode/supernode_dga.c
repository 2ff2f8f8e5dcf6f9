#include "model/supernode/ball.h"

const struct supernode_kind supernode_dga = {
    .name = "dga",
    .synopsis = "dga:R",
    .summary = "gravity areas around source and destination: the nodes within R hops",
    .source = "Franco, Garces and Luque 1999 (Distributed Routing Balancing)",
    .notes = "Double gravity area. Destinations within 2R-1 hops are left out.",
    .example = "dga:2",
    .example_net = "torus:7x6",
    .both = true,
    .bind = ball_bind,
    .size = ball_size,
    .members = ball_members
};
