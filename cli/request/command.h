/* command.h -- what a command is, for those that run, explain and complete commands, and read files as their tables.
 * A command may have others below it, as `bound` has `worst`. */
#pragma once

#include "cli/request/frame.h"
#include "graph/base/entry.h"

struct cmd {
    ENTRY;
    const char *group;          /* the heading `help` lists it under; NULL: it is below another */
    /* One of the two. argv[0] is "metapath NAME". Returns an exit status, or -1 with err set. */
    const struct frame *frame;
    int (*run)(int argc, char **argv, struct err *err);
    const struct cmd *const *below;     /* what its argument names, a kind of the command's own name; NULL: none */
};
int cmd_run(const struct cmd *cmd, int argc, char **argv, struct err *err);

struct command {
    const struct cmd *cmd, *above;      /* above NULL: below no other */
};
/* ERR_USAGE where an argument "--WORD" is no option of the command: the nearest, and what other commands have it. */
int command_options(const struct command *c, const struct cmd *const *all, int argc, char **argv, struct err *err);
/* The i-th of `all` (ended by NULL), then of those below them; false: there are fewer. */
bool command_at(struct command *out, const struct cmd *const *all, size_t i);
/* "bcast", "bound worst"; `between` may be a hyphen. */
#define COMMAND_NAME 80
const char *command_name(char out[COMMAND_NAME], const struct command *c, char between);
