/* fit_collective.h -- `metapath fit --collective`: measured collectives held against the model, algorithm by algorithm.
 * A row of a log stands on the network with as many terminals as it has processes, one a terminal; reductions cost
 * nothing. With --calibrate each operation and algorithm has one factor, the geometric mean of measured over model on
 * the rows of --on, and the others are reported. */
#ifndef CLI_FIT_FIT_COLLECTIVE_H
#define CLI_FIT_FIT_COLLECTIVE_H

#include "analysis/fit/log.h"
#include "cli/request/frame.h"

struct fit_collective {
    const char *const *spec;            /* of networks */
    size_t nspec;
    const char *cost, *on;              /* NULL: links; on: a network's spec, or what stands behind its ':' */
    int processes;                      /* of rows that do not say it; 0: the network's */
};
enum { FIT_COLLECTIVE_COLUMNS = 8 };
extern const struct column fit_collective_columns[FIT_COLLECTIVE_COLUMNS];
/* Rows by operation, and notes, into the table of j. */
int fit_collective(struct job *j, const struct log *l, const struct fit_collective *q, struct err *err);

#endif
