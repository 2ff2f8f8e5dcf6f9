/* cmd.h -- the catalogue of subcommands. One file cmd_NAME.c each; main finds it by name. */
#pragma once

#include "cli/request/command.h"

KIND_HEADER(cmd, cmd, struct cmd);
