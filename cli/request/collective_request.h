/* collective_request.h -- what `metapath collective` and `metapath tune` are asked alike, and the runs of both: every
 * algorithm that serves the operation, in all settings, for each number of processes, model of cost and size.
 * Units   seconds, bytes; of models that count steps: steps. */
#pragma once

#include "analysis/collective/bound.h"
#include "analysis/collective/execute.h"
#include "cli/request/frame.h"

/* Begins the request of either command. */
struct collective_request {
    struct options common;
    int operation;                      /* at hand; -1: not said, */
    bool several;                       /* and so several in turn */
    struct strings algorithm, cost;
    const char *processes, *bytes, *placement, *routing, *line_rate, *cable_time, *overhead, *combine;
    const char *segment, *radix;        /* lists; each command has its own options for them */
    int root, per_node;                 /* per_node 0: not said */
};
/* About a struct collective_request, with the operation and topologies as arguments. */
extern const struct option_field collective_options[];

struct outcome {
    struct execution x;                 /* time, busiest and hops: means over placements; waiting: the greatest */
    double least, greatest;             /* time, of the placements */
    int runs;                           /* 0: not tried, or not to the end: */
    double beyond;                      /* given up, for it takes longer than this; 0 */
    double share;                       /* of drawn models of cost, where it is the best, in % */
};
/* A number of processes, a model of cost and a size. */
struct collective_cell {
    int processes, placements;
    const char *cost;
    const char *routing;                /* said where it was asked for, or networks may differ; else NULL */
    bool steps;                         /* its unit */
    int64_t bytes;
    const struct outcome *outcome;      /* of each setting; of the best the time is the least */
    size_t best;
    struct collective_bound bound;      /* mean over placements */
};
struct collective_runs {
    struct setting *setting;
    struct outcome *outcome;            /* n for each cell */
    struct collective_cell *cell;
    size_t n, ncell;
    size_t *order;                      /* room for n */
};
struct collective_how {
    const char *segment, *radix;        /* usual lists */
    bool messages;                      /* rows are of messages: of the algorithms named, or of each cell's best */
    bool tune;                          /* several of both, a segment of 0 is the whole; what does not suit a count or
                                         * size is passed over */
    void (*rows)(struct job *j, const struct collective_runs *r);       /* of the cells that could be had */
    /* NULL, or rows are of the best of each cell and of another algorithm's, and of those settings that this asks for:
     * runs that take a few times as long are given up. Settings it wants to the end; how many. */
    size_t (*wanted)(const struct job *j, bool *wanted, const struct collective_runs *r);
};
/* Everything asked of the network at hand; of no operation broadcast, allreduce and all-to-all. */
int collective_each(struct job *j, const struct collective_how *how, struct err *err);
/* The settings that ran in a cell, the fastest first, into r->order; how many. */
size_t collective_order(const struct collective_runs *r, const struct collective_cell *c);
/* How setting k does in a cell: a segment that is no shorter than the message is none. */
const struct outcome *collective_outcome(const struct collective_runs *r, const struct collective_cell *c, size_t k);
/* "k-nomial,radix=4,segment=16K" */
#define COLLECTIVE_NAME 100
const char *collective_setting(char out[COLLECTIVE_NAME], const struct setting *s);
/* An operation, or a network: `about` is a struct collective_request. */
int collective_take_argument(void *about, const char *arg, struct err *err);
/* Where no cost was said, and so none was fitted to a machine, people see three digits of times. */
void collective_digits(struct job *j);
/* Of an axis of these times: logarithmic where they differ by more than 20 times. */
enum axis_scale collective_scale(const struct table *t, const char *column);
/* Algorithms (a row each, named by the column `by`) side by side in sizes. */
#define COLLECTIVE_PIVOT(by_, title_)                                                                               \
    { .title = (title_), .by = "bytes", .order = "over_least", .heading = collective_size,                         \
      .key = { "topology", "operation", "processes", "root", "placement", "cost", "routing", (by_) } }
void collective_size(char out[PIVOT_HEADING], const struct cell *bytes);        /* "64K" */
/* Seconds, or bytes a second; text NULL: the usual. */
int collective_measure(double *out, const char *text, const char *usual, enum quantity kind, const char *what,
                       struct err *err);
/* "1..4M..x2", as num_range has it; to be freed. */
int collective_sizes(int64_t **out, size_t *n, const char *text, const char *what, struct err *err);
/* "random, 2 a node"; NULL when memory is out. */
char *collective_placement(const struct collective_request *q);

/* Whether all models of cost count steps. */
bool collective_steps(const struct collective_request *q);

/* What both tables have of a cell c_, and of an outcome o_ of it. */
#define COLLECTIVE_KEYS                                                                                             \
    PLAIN("topology"), PLAIN("operation"), PLAIN("processes"), { "root", NULL, NULL, YIELDS_LAST(0), LOOSE },       \
    { "placement", NULL, NULL, YIELDS(0), LOOSE }, PLAIN("cost"),                                    \
    { "routing", NULL, NULL, IF_FILLED(YIELDS_LAST(0)), LOOSE }, PLAIN("bytes")
#define COLLECTIVE_KEY_CELLS(j_, q_, c_)                                                                            \
    cell_text("topology", (j_)->net->spec), cell_text("operation", operation_name[(q_)->operation]),                \
    cell_int("processes", (c_)->processes),                                                                         \
    operation_rooted((enum operation)(q_)->operation) && !((q_)->several && (q_)->root == 0) ?                      \
        cell_int("root", (q_)->root) : cell_none("root"),                                                           \
    cell_take("placement", collective_placement(q_)),                                                               \
    cell_text("cost", (c_)->cost), cell_text("routing", (c_)->routing), cell_int("bytes", (c_)->bytes)
#define COLLECTIVE_TIMES(decimals)                                                                                  \
    { "time_us", "Time", "us", IF_FILLED(decimals), LOOSE },                                                        \
    { "least_us", "Least", "us", IF_FILLED(YIELDS(decimals)), LOOSE },   \
    { "greatest_us", "Greatest", "us", IF_FILLED(YIELDS(decimals)), LOOSE },                                        \
    { "makespan_steps", "Makespan", "steps", IF_FILLED(-1), LOOSE },                                                \
    { "serial_hops", "Serial", "hops", IF_FILLED(-1), LOOSE }
#define COLLECTIVE_TIME_CELLS(c_, o_)                                                                               \
    cell_real("time_us", COLLECTIVE_US(c_, (o_)->x.time)),                                                          \
    cell_real("least_us", (c_)->placements > 1 ? COLLECTIVE_US(c_, (o_)->least) : NAN),                             \
    cell_real("greatest_us", (c_)->placements > 1 ? COLLECTIVE_US(c_, (o_)->greatest) : NAN),                       \
    cell_real("makespan_steps", (c_)->steps ? (o_)->x.time : NAN),                                      \
    cell_real("serial_hops", (c_)->steps ? (o_)->x.hops : NAN)
#define COLLECTIVE_US(c_, time_) ((c_)->steps ? NAN : 1e6 * (time_))
#define COLLECTIVE_BOUNDS                                                                                           \
    { "bound_us", "Bound", "us", IF_FILLED(COLUMN_ASIDE), LOOSE },                                                  \
    { "bound_steps", "Bound", "steps", IF_FILLED(COLUMN_ASIDE), LOOSE },                                          \
    { "over_bound", NULL, NULL, IF_FILLED(2), LOOSE },       \
    ASIDE("bound_reason")
#define COLLECTIVE_BOUND_CELLS(c_, o_)                                                                              \
    cell_real("bound_us", COLLECTIVE_US(c_, (c_)->bound.time)),                                                     \
    cell_real("bound_steps", (c_)->steps ? (c_)->bound.time : NAN),                                     \
    cell_real("over_bound", (o_)->x.time / (c_)->bound.time), cell_text("bound_reason", (c_)->bound.reason)
