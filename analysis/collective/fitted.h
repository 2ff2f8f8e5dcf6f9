/* fitted.h -- a model of cost in a file, as `metapath fit -o FILE.cost` writes it: comments, a line with the spec, and
 * below that the table that the spec's file= is then. Comments "# 95 %: KEY LOW to HIGH" are intervals of its keys,
 * "# piece: 1 to 64 bytes, 3us, 100MB/s" (or "no rate") the lines that times of one message followed, by size.
 * Errors  ERR_IO; ERR_FORMAT "PATH: ..." where there is no spec, "PATH:LINE: ..." for a comment; ERR_MEMORY. */
#pragma once

#include "graph/base/base.h"

struct rng;
enum { FITTED_MOST = 8, FITTED_PIECES = 12 };
struct fitted {
    char *spec;
    struct fitted_interval {
        char key[24];
        double lo, hi;                  /* seconds, or bits a second */
    } interval[FITTED_MOST];
    size_t n;
    struct fitted_piece {
        double from, a, byte;           /* bytes, seconds, seconds a byte */
    } piece[FITTED_PIECES];
    size_t npiece;
};
/* To be released, after a failure too. */
int fitted_read(struct fitted *f, const char *path, struct err *err);
void fitted_release(struct fitted *f);
/* The spec, to be freed, with each key that has an interval drawn by itself: normal on either side of its value, so that
 * 95 % lie within. */
int fitted_draw(char **spec, const struct fitted *f, struct rng *rng, struct err *err);
