/* Section 4 of the paper on reconfigurable MPI collectives: Reduce, Allgather and Broadcast of 256 KB among 4, 8 and 16
 * processes, on a bus and on a switch whose ports do not send and receive at once. The bars of its figures are not in
 * the text; what is said of them is. How the bus has its latency of 179 us is not printed: beside the bytes of the next
 * message, or before its own. A statement holds if it does with both. With 4 processes binary and binomial take as
 * long. */
#include <math.h>
#include <stdio.h>

#include "analysis/claim/claim.h"
#include "analysis/collective/execute.h"

enum { BUS, SWITCH, DEVICES, COUNTS = 3, KINDS = 2 };
static const int count[COUNTS] = { 4, 8, 16 };
static const char *const latency[KINDS] = { "beside", "serial" };
static const struct {
    enum operation operation;
    const char *printed, *better, *worse;       /* of algorithms */
    int device, than;                           /* where each runs */
    double least, most;                         /* of the time of `better` in parts of `worse` */
} statements[] = {
    { REDUCE, "sequential is the best", "sequential", "binary", BUS, BUS, 0, 1 - 1e-6 },
    { REDUCE, "sequential is the best", "sequential", "binomial", BUS, BUS, 0, 1 - 1e-6 },
    { REDUCE, "the ring is the worst", "binary", "chain", BUS, BUS, 0, 1 - 1e-6 },
    { REDUCE, "the ring is the worst", "binomial", "chain", BUS, BUS, 0, 1 - 1e-6 },
    { REDUCE, "as on the bus", "sequential", "sequential", SWITCH, BUS, 1 - 1e-6, 1 + 1e-6 },
    { REDUCE, "as on the bus", "chain", "chain", SWITCH, BUS, 1 - 1e-6, 1 + 1e-6 },
    { REDUCE, "binomial is the best", "binomial", "sequential", SWITCH, SWITCH, 0, 1 - 1e-6 },
    { REDUCE, "binomial is the best", "binomial", "binary", SWITCH, SWITCH, 0, 1 + 1e-6 },
    { REDUCE, "binomial is the best", "binomial", "chain", SWITCH, SWITCH, 0, 1 - 1e-6 },
    { ALLGATHER, "alike", "circular", "pairwise", BUS, BUS, 0.999, 1.001 },
    { ALLGATHER, "shuffle is somewhat worse", "pairwise", "shuffle", BUS, BUS, 0.9, 1 - 1e-6 },
    { ALLGATHER, "pairwise is the best", "pairwise", "shuffle", SWITCH, SWITCH, 0, 1 - 1e-6 },
    { ALLGATHER, "pairwise is the best", "pairwise", "circular", SWITCH, SWITCH, 0, 1 - 1e-6 },
    { ALLGATHER, "shuffle is better", "shuffle", "circular", SWITCH, SWITCH, 0, 1 - 1e-6 },
    { BROADCAST, "the same", "sequential", "binary", BUS, BUS, 1 - 1e-6, 1 + 1e-6 },
    { BROADCAST, "the same", "sequential", "binomial", BUS, BUS, 1 - 1e-6, 1 + 1e-6 },
    { BROADCAST, "the chain is the worst", "binomial", "chain", BUS, BUS, 0, 1 - 1e-6 },
    { BROADCAST, "as on the bus", "sequential", "sequential", SWITCH, BUS, 1 - 1e-6, 1 + 1e-6 },
    { BROADCAST, "as on the bus", "chain", "chain", SWITCH, BUS, 1 - 1e-6, 1 + 1e-6 },
    { BROADCAST, "binomial is the best", "binomial", "binary", SWITCH, SWITCH, 0, 1 + 1e-6 },
    { BROADCAST, "binomial is the best", "binomial", "sequential", SWITCH, SWITCH, 0, 1 - 1e-6 }
};

enum { SIZE = 262144 };

/* Milliseconds. `more` keys of the model. */
static int measure_more(double *ms, const char *algorithm, enum operation operation, int device, int kind, int n,
                        int64_t bytes, int64_t segment, const char *more, struct err *err)
{
    const struct collective *a = collective_find(algorithm, err);
    struct schedule s = { 0 };
    struct cost c = { 0 };
    struct execution x;
    char model[160];
    int ret;

    snprintf(model, sizeof model, "%s,a=179us,rate=88.4128Mb/s,frame=1460,header=58,latency=%s%s", device == BUS ?
             "bus" : "switch,ways=one", latency[kind], more);
    ret = !a || schedule_open(&s, &(struct schedule){ .algorithm = a, .operation = operation, .n = n, .bytes = bytes,
                                                      .segment = segment, .radix = 2 }, err) < 0 ||
        cost_open(&c, model, n, NULL, err) < 0 || execute(&x, &s, &c, 0, NULL, err) < 0 ? -1 : 0;
    *ms = ret < 0 ? NAN : 1e3 * x.time;
    cost_close(&c);
    schedule_close(&s);
    return ret;
}

static int measure(double *ms, const char *algorithm, enum operation operation, int device, int kind, int n,
                   struct err *err)
{
    return measure_more(ms, algorithm, operation, device, kind, n, SIZE, 0, "", err);
}

static int emit(size_t i, const struct claim_sink *sink, struct err *err)
{
    static const char *const on[DEVICES] = { "bus", "switch" };
    double better[KINDS][COUNTS], worse[KINDS][COUNTS];
    bool held[KINDS];
    char where[120], what[160];

    for (int k = 0; k < KINDS; k++) {
        held[k] = true;
        for (int n = 0; n < COUNTS; n++) {
            double r;

            if (measure(&better[k][n], statements[i].better, statements[i].operation, statements[i].device, k, count[n],
                        err) < 0 ||
                measure(&worse[k][n], statements[i].worse, statements[i].operation, statements[i].than, k, count[n],
                        err) < 0)
                return -1;
            r = better[k][n] / worse[k][n];
            held[k] = held[k] && r >= statements[i].least && r <= statements[i].most;
        }
    }
    snprintf(where, sizeof where, "%s, %s", operation_name[statements[i].operation], on[statements[i].device]);
    snprintf(what, sizeof what, "time of %s, in parts of %s%s%s", statements[i].better, statements[i].worse,
             statements[i].than == statements[i].device ? "" : " on the ",
             statements[i].than == statements[i].device ? "" : on[statements[i].than]);
    return claim_statement(sink, err, where, what, statements[i].printed, better[0][COUNTS - 1] / worse[0][COUNTS - 1],
                           held[0] && held[1] ? CLAIM_HOLDS : held[0] || held[1] ? CLAIM_HOLDS_IF : CLAIM_FAILS,
                           "%s16 processes: latency beside %.3f against %.3f ms, inside %.3f against %.3f",
                           held[0] == held[1] ? "" : held[0] ? "with the latency beside the bus; " :
                           "with the latency inside; ", better[0][2], worse[0][2], better[1][2], worse[1][2]);
}

/* The reconfigurable Reduce takes the best of each device; half of the calls are on either. */
static int emit_gains(const struct claim_sink *sink, struct err *err)
{
    static const struct {
        const char *fixed, *printed;
    } rows[] = { { "sequential", "57.8" }, { "binomial", "0.0013" } };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double best[DEVICES], fixed[DEVICES], gain[KINDS];

        for (int k = 0; k < KINDS; k++) {
            for (int d = 0; d < DEVICES; d++)
                if (measure(&best[d], d == BUS ? "sequential" : "binomial", REDUCE, d, k, 16, err) < 0 ||
                    measure(&fixed[d], rows[i].fixed, REDUCE, d, k, 16, err) < 0)
                    return -1;
            gain[k] = 100 * ((fixed[BUS] + fixed[SWITCH]) / (best[BUS] + best[SWITCH]) - 1);
        }
        if (claim_statement(sink, err, "reduce, half of the calls on either", i ? "percent gained over binomial" :
                            "percent gained over sequential", rows[i].printed, gain[0],
                            i ? gain[0] > 0 && gain[1] > 0 ? CLAIM_HOLDS : gain[0] > 0 || gain[1] > 0 ? CLAIM_HOLDS_IF :
                            CLAIM_FAILS : fabs(gain[0] - 57.8) < 0.2 && fabs(gain[1] - 57.8) < 0.2 ? CLAIM_HOLDS :
                            CLAIM_FAILS, "%.4f with the latency beside the bus, %.4f inside%s", gain[0], gain[1],
                            i ? "; of so little the sign alone is compared" : "; within 0.2") < 0)
            return -1;
    }
    return 0;
}

/* Response times of all sizes from 1 byte on keep their order: of 16 processes, sizes at which it is that of 256 KB. */
static int emit_sizes(const struct claim_sink *sink, struct err *err)
{
    enum { PATTERNS = 4, SIZES = 19 };
    static const struct {
        enum operation operation;
        const char *pattern[PATTERNS];
    } rows[] = { { REDUCE, { "sequential", "binary", "binomial", "chain" } },
                 { ALLGATHER, { "circular", "pairwise", "shuffle" } },
                 { BROADCAST, { "sequential", "binary", "binomial", "chain" } } };

    for (size_t i = 0; i < DEVICES * sizeof rows / sizeof *rows; i++) {
        const char *const *pattern = rows[i / DEVICES].pattern;
        const int device = (int)(i % DEVICES);
        int alike[KINDS] = { 0 };
        char where[80];

        for (int k = 0; k < KINDS * SIZES; k++) {
            double ms[2][PATTERNS];
            bool same = true;

            for (int p = 0; p < PATTERNS && pattern[p]; p++)
                if (measure_more(&ms[0][p], pattern[p], rows[i / DEVICES].operation, device, k / SIZES, 16,
                                 1ll << k % SIZES, 0, "", err) < 0 ||
                    measure(&ms[1][p], pattern[p], rows[i / DEVICES].operation, device, k / SIZES, 16, err) < 0)
                    return -1;
            for (int p = 0; p < PATTERNS && pattern[p]; p++)
                for (int q = 0; q < p; q++)
                    same = same && (ms[0][p] < ms[0][q] * (1 - 1e-9)) == (ms[1][p] < ms[1][q] * (1 - 1e-9)) &&
                        (ms[0][p] > ms[0][q] * (1 + 1e-9)) == (ms[1][p] > ms[1][q] * (1 + 1e-9));
            alike[k / SIZES] += same;
        }
        snprintf(where, sizeof where, "%s, %s, 1 byte to 256 KB", operation_name[rows[i / DEVICES].operation],
                 device == BUS ? "bus" : "switch");
        if (claim_statement(sink, err, where, "sizes with the order of 256 KB", "all", alike[0],
                            alike[0] == SIZES && alike[1] == SIZES ? CLAIM_HOLDS :
                            alike[0] == SIZES || alike[1] == SIZES ? CLAIM_HOLDS_IF : CLAIM_FAILS,
                            "of %d: with the latency beside the bytes %d, inside %d", SIZES, alike[0], alike[1]) < 0)
            return -1;
    }
    return 0;
}

/* What section 6 expects of other networks, for 256 KB among 16 processes over the switch. */
static int emit_expected(const struct claim_sink *sink, struct err *err)
{
    static const struct {
        const char *where, *what, *printed, *algorithm[2];
        enum operation operation;
        int64_t segment[2];
        const char *more[2];
    } rows[] = {
        { "hardware that broadcasts", "time with it, in parts of binomial", "better", { "hardware", "binomial" },
          BROADCAST, { 0, 0 }, { ",multicast=yes", "" } },
        { "errors, 1e-5 a byte", "time of binomial in segments of 1460 bytes, in parts of whole", "segments are better",
          { "binomial", "binomial" }, BROADCAST, { 1460, 0 }, { ",errors=1e-5", ",errors=1e-5" } },
        { "high latency", "time of shuffle with messages combined, in parts of one by one", "combining is better",
          { "shuffle", "shuffle" }, ALLGATHER, { 0, 0 }, { "", ",combining=no" } }
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double ms[2][KINDS];
        bool held[KINDS];

        for (int k = 0; k < KINDS; k++) {
            for (int side = 0; side < 2; side++)
                if (measure_more(&ms[side][k], rows[i].algorithm[side], rows[i].operation, SWITCH, k, 16, SIZE,
                                 rows[i].segment[side], rows[i].more[side], err) < 0)
                    return -1;
            held[k] = ms[0][k] < ms[1][k];
        }
        if (claim_statement(sink, err, rows[i].where, rows[i].what, rows[i].printed, ms[0][0] / ms[1][0],
                            held[0] && held[1] ? CLAIM_HOLDS : held[0] || held[1] ? CLAIM_HOLDS_IF : CLAIM_FAILS,
                            "latency beside %.3f against %.3f ms, inside %.3f against %.3f", ms[0][0], ms[1][0],
                            ms[0][1], ms[1][1]) < 0)
            return -1;
    }
    return 0;
}

/* Section 2 gives the steps of a binomial tree. */
static int emit_steps(const struct claim_sink *sink, struct err *err)
{
    enum { MOST = 64 };
    int right = 0;

    for (int n = 2; n <= MOST; n++) {
        double ms;

        if (measure_more(&ms, "binomial", BROADCAST, SWITCH, 1, n, 0, 0, "", err) < 0)
            return -1;
        right += fabs(ms / (0.179 + 58 / 11051.6) - (floor(log2(n - 1)) + 1)) < 1e-6;
    }
    return claim_statement(sink, err, "binomial, 2 to 64 processes", "numbers of processes with so many steps",
                           "floor(log2(N - 1)) + 1", right, right == MOST - 1 ? CLAIM_HOLDS : CLAIM_FAILS,
                           "%d of %d, each step a message of no bytes over the switch", right, MOST - 1);
}

static int claim_rmpi_section4_run(const struct claim *claim, const struct csv *published,
                                   const struct claim_sink *sink, struct err *err)
{
    (void)claim;
    (void)published;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (emit(i, sink, err) < 0)
            return -1;
    return emit_gains(sink, err) < 0 || emit_sizes(sink, err) < 0 || emit_steps(sink, err) < 0 ? -1 :
        emit_expected(sink, err);
}

const struct claim claim_rmpi_section4 = {
    .name = "rmpi:section4",
    .summary = "Reduce, Allgather and Broadcast on a bus and a switch; what section 6 expects of others",
    .source = "paper on reconfigurable MPI collectives, sections 2, 4 and 6, figures 3 to 5",
    .run = claim_rmpi_section4_run
};
