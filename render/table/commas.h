/* commas.h -- numbers written with commas: 1,234.5 and 1.234,5. */
#pragma once

#include "graph/base/csv.h"

/* Rewrites the fields of columns that hold numbers alone, some of them with commas, without these: commas part
 * thousands, and where semicolons part fields they may also stand for the decimal point. ERR_FORMAT, beginning with
 * `name`, for a column that can be read either way, where nothing else in the file decides. */
int commas_undo(struct csv *csv, const char *name, struct err *err);
