/* lp.h -- linear and mixed integer programs, in the few words that the models need. Behind it stands GLPK; another
 * solver would be another lp.c.
 *     optimise  sum cost_j x_j   where  lo_i <= sum a_ij x_j <= up_i,  lo_j <= x_j <= up_j
 * Rows and columns are counted from 0 in the order they are added; bounds may be -INFINITY and INFINITY. One program at
 * a time per thread: a failure of the solver takes all of its memory with it.
 * Errors  ERR_INTERNAL the solver failed (in its own words), ERR_MEMORY, ERR_STOPPED; after any of them the program can
 *         only be closed. A number that is not finite is refused before the solver sees it. */
#pragma once

#include "graph/base/base.h"

struct lp;

enum lp_end { LP_OPTIMAL, LP_INFEASIBLE, LP_UNBOUNDED, LP_LIMIT };
/* Where a row or column stands in a basis to begin with. */
enum lp_place { LP_BASIC, LP_AT_LOWER, LP_AT_UPPER };

int lp_open(struct lp **out, const char *name, bool maximise, struct err *err);
void lp_close(struct lp *lp);               /* NULL is fine */

/* The index, or -1. A name may be NULL; it matters to lp_write alone. */
int lp_row(struct lp *lp, double lo, double up, const char *name, struct err *err);
struct lp_column {
    double lo, up, cost;        /* bounds; in the objective */
    const char *name;
    size_t n;                   /* entries: rows that differ, values */
    const int *row;
    const double *value;
};
int lp_column(struct lp *lp, const struct lp_column *c, struct err *err);
int lp_integer(struct lp *lp, int column, struct err *err);     /* takes whole values only */
int lp_bound_row(struct lp *lp, int row, double lo, double up, struct err *err);
int lp_bound_column(struct lp *lp, int column, double lo, double up, struct err *err);
/* All of a column but its bounds. */
int lp_replace_column(struct lp *lp, int column, const struct lp_column *c, struct err *err);
int lp_maximise(struct lp *lp, struct err *err);
int lp_cost(struct lp *lp, int column, double cost, struct err *err);
/* A basis to begin with: as many basic rows and columns as there are rows, not singular. Otherwise the solver goes on
 * from the last one, or begins with all rows basic. */
int lp_place_row(struct lp *lp, int row, enum lp_place place, struct err *err);
int lp_place_column(struct lp *lp, int column, enum lp_place place, struct err *err);

/* Primal simplex. `most`: steps after which to end with LP_LIMIT, 0: as many as it takes; what the program holds then
 * is a solution of all rows if it was one to begin with. */
int lp_solve(struct lp *lp, int most, enum lp_end *end, const struct tick *tick, struct err *err);
/* Branch and bound, where some columns are integer; `end` is LP_OPTIMAL or LP_INFEASIBLE. No prices. */
int lp_solve_integer(struct lp *lp, enum lp_end *end, const struct tick *tick, struct err *err);

/* Of the last solution. */
double lp_objective(const struct lp *lp);
double lp_value(const struct lp *lp, int column);
double lp_price(const struct lp *lp, int row);      /* what the objective gains by a unit more of the row */
double lp_reduced_cost(const struct lp *lp, int column);

/* sum[row] += times the column's entry there. */
int lp_add_column(double *sum, struct lp *lp, int column, double times, struct err *err);
size_t lp_rows(const struct lp *lp);
size_t lp_columns(const struct lp *lp);
size_t lp_entries(const struct lp *lp);
/* What a program of such a size takes with its solver, the simplex method: GLPK 5.0's rows and columns are 15 words of
 * 8 bytes with a pointer of 2 to them, entries 7; the simplex method copies the program by rows and by columns (3 words
 * an entry), has 12 numbers a column, 40 a row, and the factors of a basis, some 16 words for each of its entries.
 * Peaks measured were 0.9 to 1.2 times as much. */
double lp_bytes(double rows, double columns, double entries);

/* As text for other solvers: free MPS where the name ends in .mps, else (.lp) CPLEX LP. MPS knows no maximum: there,
 * the objective is written with its sign changed. */
int lp_write(struct lp *lp, const char *path, struct err *err);
