/* completion.h -- what a shell completes after `metapath`: commands, options and their values, names of catalogues. */
#ifndef CLI_HELP_COMPLETION_H
#define CLI_HELP_COMPLETION_H

#include <stdio.h>

#include "graph/base/err.h"

/* `shell` is bash, zsh or fish; ERR_USAGE for others. */
int completion_write(FILE *f, const char *shell, struct err *err);

#endif
