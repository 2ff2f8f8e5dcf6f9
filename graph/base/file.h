/* file.h -- whole files in, whole files out.
 * Output to a regular file goes to a temporary file beside it (links followed, mode by umask) and takes its
 * place only when complete; a device, a pipe, a link to nothing yet or standard output is written as it is. */
#ifndef GRAPH_BASE_FILE_H
#define GRAPH_BASE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "graph/base/err.h"

struct output {
    FILE *stream;
    char *path;                 /* as named in messages */
    char *target, *temporary;   /* NULL unless written beside and renamed */
};

/* NULL or "-" is standard output. */
int output_open(struct output *out, const char *path, struct err *err);
/* Ends what was opened: 0 when everything reached its place. Releases `out` either way. */
int output_commit(struct output *out, struct err *err);
/* Gives up: a regular destination stays as it was. Safe on a zeroed or finished struct. */
void output_abort(struct output *out);

/* The whole file ("-": standard input) and a zero byte behind it; at most `most` bytes, and no more than there is
 * memory for, of which the caller will have `each` bytes for a byte of the file. Text has no zero bytes: where there is
 * one, reading ends soon behind it, and the caller refuses what came (a device may have no end). */
int file_read(char **bytes, size_t *len, const char *path, size_t most, size_t each, struct err *err);

#endif
