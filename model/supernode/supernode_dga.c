#include "model/supernode/ball.h"
#include "texts/supernode.h"

const struct supernode_kind supernode_dga = {
    .name = "dga",
    .synopsis = "dga:R",
    SUPERNODE_DGA_TEXT,
    .source = "Franco, Garces and Luque 1999 (Distributed Routing Balancing)",
    .example = "dga:2",
    .example_net = "torus:7x6",
    .both = true,
    .shape = SHAPE_BALL,
    .bind = ball_bind,
    .size = ball_size,
    .members = ball_members
};
