#include "cli/command/cmd.h"

#include "registry/cmd.inc"

KIND(cmd, cmd, struct cmd, .name = "command", .where = "metapath help", .rank = 1, .apart = true)

int cmd_run(const struct cmd *cmd, int argc, char **argv, struct err *err)
{
    return cmd->frame ? frame_run(cmd->frame, argc, argv, err) : cmd->run(argc, argv, err);
}
