/* cmd.h -- the catalogue of subcommands. One file cmd_NAME.c each; main finds it by name. */
#ifndef CLI_COMMAND_CMD_H
#define CLI_COMMAND_CMD_H

#include "graph/base/err.h"

struct cmd {
    const char *name, *group;   /* group: the heading `help` lists it under */
    const char *synopsis, *summary;
    /* argv[0] is "metapath NAME". Returns an exit status, or -1 with err set. */
    int (*run)(int argc, char **argv, struct err *err);
};
extern const struct cmd *const cmd_all[];       /* NULL-terminated */

#endif
