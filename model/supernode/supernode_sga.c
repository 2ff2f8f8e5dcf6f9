#include "model/supernode/ball.h"
#include "texts/supernode.h"

const struct supernode_kind supernode_sga = {
    .name = "sga",
    .synopsis = "sga:R",
    SUPERNODE_SGA_TEXT,
    .source = "Franco, Garces and Luque 1999 (Distributed Routing Balancing)",
    .example = "sga:2",
    .example_net = "torus:7x6",
    .shape = SHAPE_BALL,
    .bind = ball_bind,
    .size = ball_size,
    .members = ball_members
};
