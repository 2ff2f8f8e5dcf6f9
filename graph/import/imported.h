/* imported.h -- what every network read from a file must keep, whatever its format (see import.h). */
#pragma once

#include "graph/import/import.h"

/* Zero bytes, encoding, emptiness: before any reader sees the text, of a network or of anything else. */
int imported_text(const char *text, size_t len, const char *path, struct err *err);
/* The arrays, after the reader. Drops names that only repeat the numbers, and the second half of a symmetric list. */
int imported_check(struct import *in, const char *path, struct err *err);

/* Cables in parallel, and those given from both ends. */
int imported_repeats(struct import *in, const char *path, struct err *err);
/* A node by its name in quotes, or by its number. */
const char *imported_label(const struct import *in, int node, char out[64]);
/* What a word says of a node: 1: a terminal, 0: a switch, -1: something else. */
int imported_kind(const char *text);
/* "net.edges:7: the edge 'a'-'b'" in front of `what` is wrong with edge e; -1. */
int imported_wrong(const struct import *in, size_t e, const char *path, const char *what, struct err *err);
