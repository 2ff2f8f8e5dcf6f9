/* look.h -- cells of a finished table by row and name, for the figures that are made of it. */
#pragma once

#include "render/table/table.h"

const struct cell *look_cell(const struct table *t, size_t row, const char *column);      /* NULL: no such column */
const char *look_text(const struct table *t, size_t row, const char *column);             /* "" where there is none */
double look_real(const struct table *t, size_t row, const char *column);   /* of any number; NaN where there is none */
bool look_same(const struct table *t, size_t a, size_t b, const char *column);            /* text and numbers */
bool look_varies(const struct table *t, const char *column);
/* The columns that tell rows apart, of the n that may; the first where none does. */
size_t look_varying(const char **out, const struct table *t, const char *const *column, size_t n);
