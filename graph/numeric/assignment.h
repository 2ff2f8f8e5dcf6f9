/* assignment.h -- dense linear assignment, the best way to give every row a column of its own, by shortest augmenting
 * paths (Jonker and Volgenant 1987, "A shortest augmenting path algorithm for dense and sparse linear assignment
 * problems", Computing 38: augmenting row reduction, then augmentation). Time grows with rows^2 columns at most.
 * The prices prove the value: row_price[i] + column_price[j] >= weight(i, j) for all pairs, and a column that is left
 * over costs nothing, none less, so no assignment is worth more than their sum.
 * Errors  ERR_MEMORY, ERR_STOPPED; ERR_DOMAIN for a weight that is not finite. */
#pragma once

#include "graph/base/base.h"

struct assignment {
    int rows, columns;
    int *to;                                /* by row: its column */
    double *row_price, *column_price;
    double value;                           /* sum of the weights taken, the most there can be */
    double bound;                           /* sum of all prices: equal to value but for rounding */
    bool given_up;                          /* the prices prove that value <= `enough`: there is a bound and no
                                             * assignment */
};
/* weight: rows x columns, row by row; 0 <= rows <= columns. enough: a value that is of no interest (-INFINITY: all
 * are). */
int assignment_open(struct assignment *out, const double *weight, int rows, int columns, double enough,
                    const struct tick *tick, struct err *err);
void assignment_close(struct assignment *a);
