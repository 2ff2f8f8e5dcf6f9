/* drb_trial.h -- what the statements of chapter 6 of the thesis on Distributed Routing Balancing share: runs of the
 * simulator, and statements that compare two of them.
 *
 * Runs  messages of 10 flits (where nothing else is said) at exponential intervals, on links with one channel of one
 *       flit and terminals that have none; a deadlock is found at once and a message of it taken out (4.7.2.4.5, 6.2).
 *       One message waits at a source besides the one it sends, and links serve sources in equal turns: that is not
 *       printed, but table 6-6 follows from it. Five runs at least, and as many more as it takes until the mean latency
 *       is known to 2 %.
 * Settings  what is not printed either: DRB's threshold and tolerance (12 and 8 cycles: a source opens its paths when
 *       one takes more than 20, and closes none, since three idle ones together, by its measure, take no less than 4:
 *       as the text has it, nothing changes at low load and all are in use at high load), and k; which of the free hops
 *       adaptive messages take (the text: the first); how fast deadlocks are found. A statement holds if it does under
 *       all of these; else it says under which.
 * Units  cycles, flits.
 * Source D. Franco, thesis on Distributed Routing Balancing, 6.2. */
#ifndef ANALYSIS_CLAIM_DRB_TRIAL_H
#define ANALYSIS_CLAIM_DRB_TRIAL_H

#include "analysis/claim/claim.h"
#include "analysis/simulate/simulate.h"

enum trial_method { TRIAL_STATIC, TRIAL_ADAPTIVE, TRIAL_DRB, TRIAL_METHODS };
/* Ends: cycles of the routers at both, which ours leave out where terminals have no links. */
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
    double mean, half, deviation, most;         /* latency of messages, half of the interval of 95 % of its mean */
    double percent;                     /* accepted of what is offered */
    double rate;                        /* accepted, messages a cycle and source */
    double wait;                        /* mean at the link where it is longest */
    double drained;
};
/* The group's runs at `n` intervals by one method under one setting (0: the first). */
int trial_measure(struct trial_point *out, const struct trial_group *g, enum trial_method method, int setting,
                  const double *interval, size_t n, double messages, const struct tick *t, struct err *err);

const char *trial_setting_name(int setting);
/* Whether the method's runs under it are any others than those under the first. */
bool trial_differs(const struct trial_point *first, size_t loads, enum trial_method method, int setting);

/* What a statement compares: a value of one run, in parts of that of another. */
enum trial_value { TRIAL_MEAN, TRIAL_DEVIATION, TRIAL_PERCENT, TRIAL_RATE, TRIAL_WAIT,
                   TRIAL_GAIN };       /* mean by `method` in parts of that by `than`, in parts of the same elsewhere */
struct trial_claim {
    uint64_t groups;                    /* of the table, bit by bit */
    const char *printed;
    enum trial_value value;
    enum trial_method method, than;
    int offset, shift;                  /* the other's group and load, from this one's */
    int first, last;                    /* loads: what is compared is the worst of these */
    double least, most;                 /* of the ratio, for it to hold */
};
struct trial_table {
    const struct trial_group *group;
    size_t ngroup;
    const struct trial_claim *claim;
    size_t nclaim;
    unsigned methods;                   /* bit by bit */
    size_t loads;                       /* the first of trial_intervals */
};
/* `run` of a claim whose `table` is a trial_table: all groups, and the statements on them. */
int trial_run(const struct claim *claim, const struct csv *published, const struct claim_sink *sink, struct err *err);

/* How sources begin, by DRB at the shortest interval: mean latency of messages that come within the first 2,000 cycles,
 * and from there to 6,000, over runs of these cycles, with half of its interval of 95 %; and the greatest mean of those
 * that come within 100 cycles of one another. */
struct trial_start {
    double mean[2], half[2], peak;
};
int trial_begin(struct trial_start *out, const struct trial_group *g, const struct tick *t, struct err *err);
/* Two of them compared, of which the first is to be better at first (by the peak too, where asked), and both are alike
 * then (3 %). */
int trial_compare(const struct trial_start *a, const struct trial_start *b, const char *what, const char *printed,
                  bool peaks, const struct claim_sink *sink, struct err *err);

#endif
