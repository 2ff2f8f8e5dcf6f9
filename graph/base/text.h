/* text.h -- names: nearest one to a misspelt one, and small string helpers. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* The name of `list` nearest to `name` by edits (insert, delete, change, swap), NULL when none is near:
 * more than a third of its letters, at least one, would have to change. */
const char *text_nearest(const char *name, const char *const *list, size_t n);
/* " (did you mean 'torus'?)" or "", for the end of a message. */
const char *text_suggest(char out[80], const char *name, const char *const *list, size_t n);
/* "a, b or c": names with commas between, `last` before the last one; what is beyond `size` is cut. */
const char *text_list(char *out, size_t size, const char *const *name, size_t n, const char *last);
/* Copy of text[0..len), NULL when memory is out. */
char *text_copy(const char *text, size_t len);
/* 1536 -> "1.5 KB" (binary units, three significant digits). */
const char *text_bytes(char out[32], double bytes);
/* 65536 -> "64K": in the unit that leaves a whole number. */
const char *text_size(char out[32], int64_t bytes);
