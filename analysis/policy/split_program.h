/* split_program.h -- the linear program of shares (split.h): its ways as columns, what of each crosses which link, and
 * the program made of them, for split.c, which solves it round by round. */
#pragma once

#include "analysis/bound/lp.h"
#include "analysis/policy/split.h"

/* The ways as columns, before the solver sees them. */
struct split_program {
    const struct latency_study *s;
    const struct flows *f;
    double scale;               /* the largest demand: the program's is 1 */
    double *demand;             /* by source, scaled */
    size_t n, *injection;       /* columns */
    size_t *first, nentry, room;
    int *link;                  /* by entry: a link in use, by its number among them */
    double *value;              /* part of the way's messages that cross it, times demand */
    size_t npair;
    size_t *pair;               /* npair + 1: the columns of a pair are consecutive */
    double *part;
    size_t nused;
    int *number, *used;         /* of a link among those in use, -1: none; and back */
    double *capacity;           /* by link in use */

    struct lp *lp;
    bool *fixed;                /* by link in use */
    double *bound, *weight;
};

/* Messages of a source in transmission at a time: what it asks of a link that all of them cross. */
void split_demands(double *demand, const struct latency_study *s);
/* ERR_DOMAIN where some sources have intervals and others have none. */
int split_check_intervals(const struct flows *f, struct err *err);

/* Finds the columns and builds the program; capacity by link, NULL: their bandwidths. Close it either way. */
int split_program_open(struct split_program *p, const struct latency_study *s, const double *capacity, struct err *err);
void split_program_close(struct split_program *p);

/* Rows: pairs; what makes up a load; load <= L x capacity. Columns: shares; loads; L. */
static inline int split_load_row(const struct split_program *p, size_t k)
{
    return (int)(p->npair + k);
}

static inline int split_level_row(const struct split_program *p, size_t k)
{
    return (int)(p->npair + p->nused + k);
}

static inline int split_load_column(const struct split_program *p, size_t k)
{
    return (int)(p->n + k);
}

static inline int split_level_column(const struct split_program *p)
{
    return (int)(p->n + p->nused);
}
