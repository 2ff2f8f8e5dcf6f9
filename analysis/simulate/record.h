/* record.h -- what happens in a run, window of time by window of time, in a place of fixed size: when all windows are
 * full two and two are put together, and those to come are twice as long.
 *   latencies  counted in bins, RECORD_PARTS to every doubling. A quantile is the middle of its bin, right to half a
 *              bin, 0.4 %, however latencies lie in it; whole ones below 2 RECORD_PARTS have a bin each, and are exact
 *   warm-up    MSER: the first windows are left out without which the standard error of the mean of the others, as if
 *              windows were independent, is the least; of several such the fewest. There is a steady state where that
 *              leaves half of the windows or more. The last quarter is never left out: few windows are often alike by
 *              chance, and that is no sign that those before them differ
 * Units   cycles, flits.
 * Source  White 1997 (An effective truncation heuristic for bias reduction in simulation output): over the windows'
 *         means, as MSER-5 is over the means of five.
 * Errors  ERR_MEMORY. */
#pragma once

#include "graph/base/base.h"

#define RECORD_WINDOWS 128              /* even */
#define RECORD_PARTS 128
#define RECORD_BINS (RECORD_PARTS * 40) /* from 1 to 2^40 cycles; what is below or above: the first, the last */

struct record_window {
    double messages, flits;             /* that arrived */
    double offered;                     /* flits that were born */
    double latency, squares, most;      /* sums of packet latency, its squares; largest */
    double network, network_squares, network_most;      /* of network latency */
    double chosen, ways;                /* messages that were given a way; how many they had to choose among */
};
struct record_count {
    uint32_t bin, many;                     /* place in `bin`, and what stood there, not 0 */
};
struct record {                         /* zeroed: none */
    int64_t length, now;                /* of a window; time that has passed */
    int64_t end;                        /* of the window under way */
    size_t at;                          /* which it is: those before it are full */
    struct record_window window[RECORD_WINDOWS];        /* each from its first cycle to before the next one's */
    uint32_t *bin;                      /* RECORD_WINDOWS x 2 x RECORD_BINS: packet, network latency */
    struct record_count *packed;        /* in place of `bin`, once nothing comes any more */
    size_t npacked;
};
int record_open(struct record *r, int64_t length, struct err *err);     /* length: at least 1 */
void record_release(struct record *r);
/* Nothing comes any more: what is left takes no more than what came, where bins take megabytes. */
int record_pack(struct record *r, struct err *err);
/* A message has arrived at `now`, which never goes back; or was born. */
void record_message(struct record *r, int64_t now, double latency, double network, double flits);
void record_offer(struct record *r, int64_t now, double flits);
void record_choice(struct record *r, int64_t now, double ways);
/* Standard deviation of so many, by their sum and that of their squares. */
double record_deviation(double n, double sum, double squares);
/* What another run did at the same time is added to the windows, not to the bins; it is as long. */
void record_join(struct record *r, const struct record *other);
/* The run has come to `now`. */
void record_pass(struct record *r, int64_t now);
/* Windows that are full. */
static inline size_t record_full(const struct record *r)
{
    return r->at;
}
/* How many full windows belong to the warm-up, those before the first that counts. False: there is no steady state, and
 * *skip is half of them; or it cannot be told from fewer than 20, and *skip is 0. Windows without messages count as
 * none. */
bool record_settle(size_t *skip, const struct record *r);

struct record_latency {                 /* NAN where nothing came. Quantiles: the least with so many up to it */
    double mean, deviation, most;
    double median, p95, p99;
};
struct record_summary {
    double messages, flits, offered, cycles;            /* sums */
    struct record_latency packet, network;
};
/* Windows `from` on, full ones and the one under way. Of `n` records, each from its own window: as one. */
void record_summary(struct record_summary *out, const struct record *const *r, const size_t *from, size_t n);
