/* completion.h -- what a shell completes after `metapath`: commands, options and their values, names of catalogues. */
#pragma once

#include "cli/request/command.h"

/* `all` are the commands; `shell` is bash, zsh or fish; ERR_USAGE for others. */
int completion_write(FILE *f, const struct cmd *const *all, const char *shell, struct err *err);
