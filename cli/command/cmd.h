/* cmd.h -- the catalogue of subcommands. One file cmd_NAME.c each; main finds it by name. */
#ifndef CLI_COMMAND_CMD_H
#define CLI_COMMAND_CMD_H

#include "cli/request/frame.h"
#include "graph/base/entry.h"
#include "graph/base/err.h"

struct cmd {
    ENTRY;
    const char *group;          /* the heading `help` lists it under */
    /* One of the two. argv[0] is "metapath NAME". Returns an exit status, or -1 with err set. */
    const struct frame *frame;
    int (*run)(int argc, char **argv, struct err *err);
};
int cmd_run(const struct cmd *cmd, int argc, char **argv, struct err *err);
KIND_HEADER(cmd, cmd, struct cmd);

#endif
