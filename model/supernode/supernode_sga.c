#include "model/supernode/ball.h"

const struct supernode_kind supernode_sga = {
    .name = "sga",
    .synopsis = "sga:R",
    .summary = "gravity area around the source: the nodes within R hops",
    .source = "Franco, Garces and Luque 1999 (Distributed Routing Balancing)",
    .notes = "Single gravity area. Destinations within R hops are left out.",
    .example = "sga:2",
    .example_net = "torus:7x6",
    .bind = ball_bind,
    .size = ball_size,
    .members = ball_members
};
