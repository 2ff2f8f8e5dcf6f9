/* join.h -- the best choices of cells (a number of processes and a size each), joined into few rules.
 * Of a row, the sizes of one count, each rule reaches as far as one setting is within `loss` of the best that the
 * library has: no other rules are fewer. A row joins those before it where their rules serve it within that. Bounds lie
 * half-way between neighbouring cells on logarithmic scales, rounded up, in the format's measure of size.
 * Where neighbouring sizes differ by one the bound is exact.
 * Errors  ERR_DOMAIN where the library has nothing for a cell; ERR_MEMORY. */
#pragma once

#include "analysis/rules/rules.h"

struct join_cell {
    int processes;
    int64_t bytes;
    const double *time;                 /* of each setting; NaN: it does not serve */
    size_t best;
    bool between;                       /* tried to find a bound: losses are not counted there */
};
struct join_loss {                      /* times in parts of others, less 1 */
    double lack, lack_most;             /* the library's best beside the best: mean and greatest of cells */
    double join, join_most;             /* what the rules take beside the library's best */
    size_t n;                           /* cells */
};
/* By processes, then bytes; for qsort. */
int join_cells_order(const void *a, const void *b);
/* Adds rules of an operation to r; cells in any order. Losses are added to *lost. Cells of one process are none. */
int rules_join(struct rules *r, struct join_loss *lost, enum operation operation, const struct join_cell *cell,
               size_t n, const struct setting *setting, size_t nsetting, double loss, struct err *err);
