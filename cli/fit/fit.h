/* fit.h -- what the files of `metapath fit` share: cmd_fit.c has the request and the figure, fit_rows.c the tables,
 * their notes and FILE.cost, fit_collective.c measured collectives beside the model, algorithm by algorithm.
 * There a row of a log stands on the network with as many terminals as it has processes, one a terminal; reductions
 * cost nothing. With --calibrate each operation and algorithm has one factor, the geometric mean of measured over model
 * on the rows of --on, and the others are reported. */
#pragma once

#include "analysis/fit/machine.h"
#include "cli/request/frame.h"

struct request {
    struct options common;
    struct strings argument;            /* logs, and behind them networks, with --collective */
    const char *cost, *on;
    bool collective, calibrate;
    const char *hops_list, *overhead, *cable, *export, *cost_path;
    int processes, model;
    bool same_node;
    /* that, read */
    size_t nlog, nspec;
    char **spec;                        /* of the networks */
    double *hops;
    size_t nhops;
    struct fit_log {
        const char *path;
        double hops;
    } *sorted;                          /* the logs by name */
    struct log read;
    struct machine machine;
};

enum { FIT_MODELS, FIT_PIECES, FIT_RESIDUALS, FIT_THRESHOLDS, FIT_EXPORT, FIT_COLLECTIVE };
#define EXPORTS "ucx|openmpi-tcp|mpich|mvapich2|cxi"
extern const struct frame_table fit_tables[];

/* Rows of the table at hand, and notes. */
int fit_rows(struct job *j, const struct request *q, struct err *err);
/* A table of residuals, to be released. */
void fit_residuals(struct table *t, const struct machine *m);
/* q->cost_path: a model of cost with its intervals, the logs and the day, which SOURCE_DATE_EPOCH may say. */
int fit_save(const struct request *q, struct err *err);

enum { FIT_COLLECTIVE_COLUMNS = 8 };
extern const struct column fit_collective_columns[FIT_COLLECTIVE_COLUMNS];
/* Rows by operation, and notes. */
int fit_collective(struct job *j, const struct request *q, struct err *err);
