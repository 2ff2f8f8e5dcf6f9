/* sweep.h -- one number of a spec swept over a range (num.h): "torus:8..64..x2^2" stands for torus:8^2, torus:16^2,
 * torus:32^2 and torus:64^2, "torus:4..8x4" for torus:4x4 to torus:8x4. */
#pragma once

#include "graph/base/base.h"

struct kind;

/* The specs that `text` stands for, fresh strings, free with mem_free_list: itself alone where nothing is swept, and
 * where it names no entry of `kind` (NULL: whatever it names) or one that takes a path. ERR_USAGE: two ranges, a range
 * that does not ascend, or more than SWEEP_MOST specs. */
#define SWEEP_MOST 1000
int sweep_spec(char ***item, size_t *n, const char *text, const struct kind *kind, struct err *err);
