/* known.h -- a file with the columns of a command's table is read as that table: `metapath plot` then draws what --plot
 * of that command would. */
#pragma once

#include "cli/request/command.h"
#include "render/table/from_csv.h"

struct known {
    const struct frame *frame;  /* NULL: no command writes such a table */
    int which;                  /* of its tables */
    bool turned;                /* a column of it has become columns: no command draws that; frame is NULL, name not */
    char name[COMMAND_NAME + 40];       /* "metapath latency --show nodes" */
    struct table table;         /* the rows, with the command's own columns, in the units of the file */
    struct column *column;
    struct column_asked *asked;
};
/* A table is known by its columns, in any order: all that a command always writes, in whatever units, and no others.
 * `all` are the commands. `d` must outlive it; to be released either way. ERR_MEMORY. */
int known_open(struct known *k, const struct cmd *const *all, const struct csv_table *d, struct err *err);
void known_release(struct known *k);
