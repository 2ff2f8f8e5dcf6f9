#include "cli/command/cmd.h"

#include <stddef.h>

#include "registry/cmd.inc"

KIND(cmd, cmd, struct cmd, .name = "command", .where = "metapath help", .rank = 1)
