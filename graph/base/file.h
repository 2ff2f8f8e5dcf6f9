/* file.h -- whole files in, whole files out.
 * Output to a regular file goes to a new file in its folder, which takes its place only when complete. Until then it
 * has no name, so that nothing is left of it however the program ends (Linux's O_TMPFILE; where the file system does
 * not know that, a file that has lost its name, and is copied in the end). The new file has the permissions of the old
 * one (those of its group only where it can be of that group), or by umask where there was none; its owner is that of
 * the process. A symbolic link is followed: it stays, and what
 * it leads to is replaced. Of a file with several names (hard links) the one that was asked for leads to the new file,
 * the others to the old one. A device, a pipe, a symbolic link to nothing yet or standard output is written as it is.
 * What a caught signal interrupts is ERR_STOPPED. */
#pragma once

#include "graph/base/base.h"

struct output {
    FILE *stream;
    char *path;                 /* as named in messages */
    char *target, *temporary;   /* NULL unless written beside and renamed; temporary "": it has no name yet */
    size_t size;                /* of temporary */
};

/* NULL or "-" is standard output. */
int output_open(struct output *out, const char *path, struct err *err);
#define OUTPUT_NAME 40
/* What the open stream can be opened by, for libraries that write files by name: /proc/self/fd/N. */
const char *output_name(char name[OUTPUT_NAME], const struct output *out);
/* Ends what was opened: 0 when everything reached its place. Releases `out` either way. */
int output_commit(struct output *out, struct err *err);
/* Gives up: a regular destination stays as it was. Safe on a zeroed or finished struct. */
void output_abort(struct output *out);
/* ERR_IO where something that was printed did not reach standard output. */
int output_printed(struct err *err);

/* The whole file ("-": standard input, which may be read again) and a zero byte behind it; at most `most` bytes, and no
 * more than there is memory for, of which the caller will have `each` bytes for a byte of the file. Text has no zero
 * bytes: where there is one, reading ends soon behind it, and the caller refuses what came (a device may have no end).
 * */
int file_read(char **bytes, size_t *len, const char *path, size_t most, size_t each, struct err *err);
