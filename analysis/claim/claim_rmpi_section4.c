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

/* Milliseconds. */
static int measure(double *ms, const char *algorithm, enum operation operation, int device, int kind, int n,
                   struct err *err)
{
    const struct collective *a = collective_find(algorithm, err);
    struct schedule s = { 0 };
    struct cost c = { 0 };
    struct execution x;
    char model[120];
    int ret;

    snprintf(model, sizeof model, "%s,a=179us,rate=88.4128Mb/s,frame=1460,header=58,latency=%s", device == BUS ? "bus" :
             "switch,ways=one", latency[kind]);
    ret = !a || schedule_open(&s, &(struct schedule){ .algorithm = a, .operation = operation, .n = n,
                                                      .bytes = 262144, .radix = 2 }, err) < 0 ||
        cost_open(&c, model, n, NULL, err) < 0 || execute(&x, &s, &c, 0, NULL, err) < 0 ? -1 : 0;
    *ms = ret < 0 ? NAN : 1e3 * x.time;
    cost_close(&c);
    schedule_close(&s);
    return ret;
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

static int claim_rmpi_section4_run(const struct claim *claim, const struct csv *published,
                                   const struct claim_sink *sink, struct err *err)
{
    (void)claim;
    (void)published;
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (emit(i, sink, err) < 0)
            return -1;
    return emit_gains(sink, err);
}

const struct claim claim_rmpi_section4 = {
    .name = "rmpi:section4",
    .summary = "Reduce, Allgather and Broadcast on a bus and a switch",
    .source = "paper on reconfigurable MPI collectives, section 4, figures 3 to 5",
    .run = claim_rmpi_section4_run
};
