/* from_json.h -- tables that JSON holds (table_json.c). */
#pragma once

#include "render/table/table.h"

/* Rows and notes, into `t`, which has the columns (the file may lack those that no row fills); *task is what stands there
 * beside them, to be freed. ERR_FORMAT: no such file, one that is cut off, or of another version of the program. */
int table_from_json(struct table *t, char **task, const char *path, struct err *err);
