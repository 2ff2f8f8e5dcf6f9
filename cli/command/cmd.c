#include "cli/command/cmd.h"

#include "registry/cmd.inc"

KIND(cmd, cmd, struct cmd, .name = "command", .where = "metapath help", .rank = 1, .apart = true)
