#include "model/supernode/ball.h"
#include "texts/supernode.h"

const struct supernode_kind supernode_sga = {
    SUPERNODE_SGA_ENTRY,
    .shape = SHAPE_BALL,
    .bind = ball_bind,
    .size = ball_size,
    .members = ball_members
};
