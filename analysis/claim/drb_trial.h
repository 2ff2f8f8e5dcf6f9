/* drb_trial.h -- what the statements of chapter 6 of the thesis on Distributed Routing Balancing share: runs of the
 * simulator, and statements that compare two of them.
 *
 * Runs  messages of 10 flits (unless said otherwise) at exponential intervals, on links with one channel of one flit,
 *       and no links to terminals; a deadlock is found at once and one of its messages removed (4.7.2.4.5, 6.2). One
 *       message waits at a source besides the one being sent, and links serve sources in turns: this is not printed,
 *       but table 6-6 follows from it. At least five runs, and more until the mean latency is known to 2 %.
 * Settings  parameters that are not printed: DRB's threshold and tolerance (12 and 8 cycles: a source opens its paths
 *       when one takes more than 20, and closes none, since three idle ones together measure at least 4; as in the
 *       text, nothing changes at low load and all paths are used at high load), and k; which free hop adaptive
 *       messages take (the text: the first); how soon deadlocks are found. A statement holds if it does under all
 *       settings; else it says under which.
 * Units  cycles, flits.
 * Source D. Franco, thesis on Distributed Routing Balancing, 6.2. */
#pragma once

#include "analysis/claim/claim.h"
#include "analysis/simulate/simulate.h"

enum trial_method { TRIAL_STATIC, TRIAL_ADAPTIVE, TRIAL_DRB, TRIAL_METHODS };
/* Ends: cycles of the routers at source and destination, left out of runs without links to terminals. */
enum { TRIAL_SETTINGS = 7, TRIAL_LOADS = 6, TRIAL_ENDS = 2 };
extern const double trial_intervals[TRIAL_LOADS];       /* cycles, the shortest first */
extern const char *const trial_method_name[TRIAL_METHODS];

struct trial_group {                    /* runs that differ in method, setting and load */
    const char *net, *traffic;
    double flits;                       /* 0: 10 */
    double scale;                       /* of intervals; 0: 1 */
    const struct simulate_balance *balance;     /* NULL: the usual: told at once */
};
struct trial_point {
    double mean, half, deviation, most;         /* latency; half of its mean's 95 % interval */
    double percent;                     /* accepted / offered */
    double rate;                        /* accepted, messages a cycle and source */
    double wait;                        /* mean at the link where it is longest */
    double drained;
};
struct trial_run {                      /* of a group by one method, at `n` intervals (at most TRIAL_LOADS) */
    const struct trial_group *group;
    enum trial_method method;
    const double *interval;
    size_t n;
    double messages;                    /* at each */
};
/* Its points under one setting (0: the first). */
int trial_measure(struct trial_point *out, const struct trial_run *run, int setting, const struct tick *t,
                  struct err *err);
/* The points of `n` runs under all settings, by run, setting and load, on all cores. What cannot differ from the first
 * setting is not simulated again. */
int trial_all(struct trial_point *at, const struct trial_run *run, size_t n, const struct tick *t, struct err *err);

const char *trial_setting_name(int setting);
/* Whether the method's runs under this setting differ from those under the first. */
bool trial_differs(const struct trial_point *first, size_t loads, enum trial_method method, int setting);

/* What a statement compares: a value of one run, in parts of that of another. */
enum trial_value { TRIAL_MEAN, TRIAL_DEVIATION, TRIAL_PERCENT, TRIAL_RATE, TRIAL_WAIT,
                   TRIAL_GAIN };       /* mean by `method` / mean by `than`, over the same ratio of another run */
struct trial_claim {
    uint64_t groups;                    /* of the table, bit by bit */
    const char *printed;
    enum trial_value value;
    enum trial_method method, than;
    int offset, shift;                  /* from the group and load to the other's */
    int first, last;                    /* loads; the worst of them is compared */
    double least, most;                 /* range of the ratio in which it holds */
};
struct trial_table {
    const struct trial_group *group;
    size_t ngroup;
    const struct trial_claim *claim;
    size_t nclaim;
    unsigned methods;                   /* bit by bit */
    size_t loads;                       /* the first of trial_intervals */
};
#define TRIAL_TABLE(groups, claims, methods) \
    { groups, sizeof groups / sizeof *groups, claims, sizeof claims / sizeof *claims, methods, TRIAL_LOADS }
/* `run` of a claim with a trial_table as `table`: simulates all groups and emits the statements on them. */
int trial_state_all(const struct claim_sink *sink, struct err *err);

/* Transient of DRB at the shortest interval: mean latency of messages that arrive in the first 2,000 cycles, and from
 * there to 6,000, over runs of 6,000 cycles, with half of its 95 % interval; the greatest mean of any 100 cycles. */
struct trial_start {
    double mean[2], half[2], peak;
};
int trial_begin(struct trial_start *out, const struct trial_group *g, const struct tick *t, struct err *err);
/* Compares two: the first should have lower latency in the beginning (and, where asked, a lower peak), and both the
 * same afterwards (within 3 %). */
int trial_compare(const struct trial_start *a, const struct trial_start *b, const char *what, const char *printed,
                  bool peaks, const struct claim_sink *sink, struct err *err);
