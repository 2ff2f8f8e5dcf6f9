/* cmd.h -- the catalogue of subcommands. One file cmd_NAME.c each; main finds it by name. */
#ifndef CLI_COMMAND_CMD_H
#define CLI_COMMAND_CMD_H

#include "cli/request/command.h"

KIND_HEADER(cmd, cmd, struct cmd);

#endif
