/* claim.h -- published tables and claims, each computed anew from our definitions and compared cell by cell.
 * A cell is reproduced when our value, rounded to the digits printed, is the printed one. A cell that is not
 * may have an explanation: a prediction of the printed value, computed too, so that it holds only where it
 * comes out. No definition is bent to catch a cell, and no miss is hidden. */
#pragma once

#include "graph/base/csv.h"
#include "graph/base/entry.h"

enum claim_verdict {
    CLAIM_REPRODUCED,
    CLAIM_TRUNCATED,                /* agrees when further digits are cut off instead of rounded */
    CLAIM_EXPLAINED,                /* `reason` predicts what is printed */
    CLAIM_SHIFTED,                  /* of a running sum: its increments are ours, its first number is not */
    CLAIM_UNEXPLAINED,
    /* of statements in words: */
    CLAIM_HOLDS,
    CLAIM_HOLDS_IF,                 /* under the condition that `reason` names, and not without it */
    CLAIM_ORDER,                    /* the order is the printed one, the factor is not */
    CLAIM_OTHER,                    /* only if the rival is exchanged for the weaker one that `reason` names */
    CLAIM_FAILS,
    CLAIM_VERDICTS
};

struct claim_cell {
    char where[120];                /* which cell: the row's keys, "mesh N=8 binomial first" */
    const char *quantity;           /* name of the column */
    char printed[40];               /* as published */
    double published, computed;     /* published NaN: a statement, or a range */
    enum claim_verdict verdict;
    const char *reason;             /* of an explanation or a statement's verdict; else NULL */
    char why[300];                  /* a reason that contains numbers */
    char reading[24];               /* confidence in the scan's reading, "" where none is given */
};
struct claim_sink {
    int (*cell)(void *arg, const struct claim_cell *cell, struct err *err);     /* non-zero ends the run */
    void *arg;
    const struct tick *tick;        /* may be NULL */
    /* claim_run's: */
    const struct claim *claim;
    const struct csv *published;    /* NULL where the claim has no file */
};

struct claim {
    ENTRY;                          /* name: "rmpi:1"; summary: its title; source: the work, and where in it */
    const char *file;               /* published data, below examples/published; NULL where there is none */
    const void *table;              /* parameters of `run` (drb.h, drb_trial.h, rmpi.h); else NULL */
    bool simulated;                 /* takes minutes: runs only where more than its work is named */
    int (*run)(const struct claim_sink *sink, struct err *err);     /* emits every cell, in the file's order */
};

KIND_HEADER(claim, claim, struct claim);
const struct claim *claim_find(const char *id, struct err *err);
const char *claim_verdict_name(enum claim_verdict verdict);
int claim_run(const struct claim *claim, const struct csv *published, const struct claim_sink *sink, struct err *err);

/* ---- for claims ---- */

/* Digits after the point of a printed number; -1 when it is not a number. */
int claim_digits(const char *printed);
/* Whether `value` is rounded, or cut off, to the printed digits (a half may go either way). */
bool claim_rounds_to(double value, const char *printed);
bool claim_truncates_to(double value, const char *printed);

/* Fills a cell from the printed and the computed value, with its verdict so far: reproduced, truncated or
 * unexplained. ERR_FORMAT when `printed` is not a number. */
int claim_cell_init(struct claim_cell *cell, const char *quantity, const char *printed, double computed,
                    struct err *err);
/* Emits the cell of a printed number, with the verdict that claim_cell_init gives. */
int claim_number(const struct claim_sink *sink, struct err *err, const char *where, const char *quantity,
                 const char *printed, double computed);
/* Emits the cell of a statement in words: the value computed for it, the verdict, and what is said of both: where it
 * stands, what is counted, what is printed, and the reason. Of most that is a line of claim.text. */
int claim_statement(const struct claim_sink *sink, struct err *err, double computed, enum claim_verdict verdict,
                    const char *where, const char *quantity, const char *printed, const char *fmt, ...)
    __attribute__((format(printf, 8, 9)));
/* The verdict of a statement that is true or false without a condition, and with one. */
enum claim_verdict claim_if(bool without, bool with);
/* Of a ratio that is printed as a number or a range: it lies within, or only on the same side of `sign`: above it, or
 * below -sign. */
enum claim_verdict claim_ratio(double ratio, double least, double most, double sign);
/* Of "lower than the rival": ours[0] is without a condition, each further one under one. The first that is lower
 * decides; where none is, the first that is lower than the weaker rival. Which that is (0: none), and what is compared:
 * ours in parts of the rival's, NaN where there is none. Latencies within 1e-6 are equal. */
enum claim_verdict claim_lower(int *which, double *ratio, const double *ours, int n, double rival, double weaker);
/* Offers an explanation: it is taken when the cell has none yet and `predicted` rounds to what is printed. */
void claim_explain(struct claim_cell *cell, double predicted, const char *reason);
/* The same of a running sum whose increments are ours. */
void claim_shift(struct claim_cell *cell, double predicted, const char *reason);
int claim_emit(const struct claim_sink *sink, const struct claim_cell *cell, struct err *err);
/* Columns of the published data in the order of their headings ("claim,cell"), ERR_FORMAT when one is missing. */
int claim_columns(int *const *column, const struct csv *published, const char *headings, struct err *err);
