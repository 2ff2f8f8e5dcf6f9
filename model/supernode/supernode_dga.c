#include "model/supernode/ball.h"
#include "texts/supernode.h"

const struct supernode_kind supernode_dga = {
    SUPERNODE_DGA_ENTRY,
    .both = true,
    .shape = SHAPE_BALL,
    .bind = ball_bind,
    .size = ball_size,
    .members = ball_members
};
