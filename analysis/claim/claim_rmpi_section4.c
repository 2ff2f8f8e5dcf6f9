/* Section 4 of the paper on reconfigurable MPI collectives: Reduce, Allgather and Broadcast of 256 KB among 4, 8 and 16
 * processes, on a bus and on a switch with ports that do not send and receive at once. The bars of its figures have no
 * numbers, so that only what the text says of them is compared. It is not printed whether the bus's latency of 179 us
 * overlaps the bytes of the next message or precedes those of its own: a statement holds if it does under both. With 4
 * processes binary and binomial take equally long. */
#include "analysis/claim/claim.h"
#include "analysis/collective/execute.h"
#include "texts/claim.h"

enum { BUS, SWITCH, DEVICES, COUNTS = 3, KINDS = 2 };
static const int count[COUNTS] = { 4, 8, 16 };
static const char *const latency[KINDS] = { "beside", "serial" };
#define LESS .most = 1 - 1e-6
#define SAME .least = 1 - 1e-6, .most = 1 + 1e-6
static const struct {
    enum operation operation;
    const char *printed, *better, *worse;       /* of algorithms */
    int device, than;                           /* of each algorithm */
    double least, most;                         /* of time of `better` / time of `worse` */
    const char *where, *what;                   /* of an expectation of section 6, for 16 processes only; else NULL */
    int64_t segment[2];
    const char *more[2];                        /* keys of the model; NULL */
} statements[] = {
    { REDUCE, "sequential is the best", "sequential", "binary", BUS, BUS, LESS },
    { REDUCE, "sequential is the best", "sequential", "binomial", BUS, BUS, LESS },
    { REDUCE, "the ring is the worst", "binary", "chain", BUS, BUS, LESS },
    { REDUCE, "the ring is the worst", "binomial", "chain", BUS, BUS, LESS },
    { REDUCE, "as on the bus", "sequential", "sequential", SWITCH, BUS, SAME },
    { REDUCE, "as on the bus", "chain", "chain", SWITCH, BUS, SAME },
    { REDUCE, "binomial is the best", "binomial", "sequential", SWITCH, SWITCH, LESS },
    { REDUCE, "binomial is the best", "binomial", "binary", SWITCH, SWITCH, .most = 1 + 1e-6 },
    { REDUCE, "binomial is the best", "binomial", "chain", SWITCH, SWITCH, LESS },
    { ALLGATHER, "alike", "circular", "pairwise", BUS, BUS, .least = 0.999, .most = 1.001 },
    { ALLGATHER, "shuffle is somewhat worse", "pairwise", "shuffle", BUS, BUS, .least = 0.9, .most = 1 - 1e-6 },
    { ALLGATHER, "pairwise is the best", "pairwise", "shuffle", SWITCH, SWITCH, LESS },
    { ALLGATHER, "pairwise is the best", "pairwise", "circular", SWITCH, SWITCH, LESS },
    { ALLGATHER, "shuffle is better", "shuffle", "circular", SWITCH, SWITCH, LESS },
    { BROADCAST, "the same", "sequential", "binary", BUS, BUS, SAME },
    { BROADCAST, "the same", "sequential", "binomial", BUS, BUS, SAME },
    { BROADCAST, "the chain is the worst", "binomial", "chain", BUS, BUS, LESS },
    { BROADCAST, "as on the bus", "sequential", "sequential", SWITCH, BUS, SAME },
    { BROADCAST, "as on the bus", "chain", "chain", SWITCH, BUS, SAME },
    { BROADCAST, "binomial is the best", "binomial", "binary", SWITCH, SWITCH, .most = 1 + 1e-6 },
    { BROADCAST, "binomial is the best", "binomial", "sequential", SWITCH, SWITCH, LESS },
    { BROADCAST, "better", "hardware", "binomial", SWITCH, SWITCH, LESS, "hardware that broadcasts",
      "time with it, in parts of binomial", { 0 }, { ",multicast=yes" } },
    { BROADCAST, "segments are better", "binomial", "binomial", SWITCH, SWITCH, LESS, "errors, 1e-5 a byte",
      "time of binomial in segments of 1460 bytes, in parts of whole", { 1460 }, { ",errors=1e-5", ",errors=1e-5" } },
    { ALLGATHER, "combining is better", "shuffle", "shuffle", SWITCH, SWITCH, LESS, "high latency",
      "time of shuffle with messages combined, in parts of one by one", { 0 }, { NULL, ",combining=no" } }
};

enum { SIZE = 262144 };

/* Milliseconds. */
static int measure(double *ms, const char *algorithm, enum operation operation, int device, int kind, int n,
                   int64_t bytes, int64_t segment, const char *more, struct err *err)
{
    const struct collective *a = collective_find(algorithm, err);
    struct schedule s = { 0 };
    struct cost c = { 0 };
    struct execution x;
    char model[160];
    int ret;

    snprintf(model, sizeof model, "%s,a=179us,rate=88.4128Mb/s,frame=1460,header=58,latency=%s%s", device == BUS ?
             "bus" : "switch,ways=one", latency[kind], more ? more : "");
    ret = !a || schedule_open(&s, &(struct schedule){ .algorithm = a, .operation = operation, .n = n, .bytes = bytes,
                                                      .segment = segment, .radix = 2 }, err) < 0 ||
        cost_open(&c, model, n, NULL, err) < 0 || execute(&x, &s, &c, 0, NULL, err) < 0 ? -1 : 0;
    *ms = ret < 0 ? NAN : 1e3 * x.time;
    cost_close(&c);
    schedule_close(&s);
    return ret;
}

/* Whether it held with the latency beside the bytes, and before them; and the condition, where it held with one. */
static enum claim_verdict verdict(bool beside, bool inside)
{
    return claim_if(beside && inside, beside || inside);
}

static const char *condition(bool beside, bool inside)
{
    return beside == inside ? "" : beside ? "with the latency beside the bus; " : "with the latency inside; ";
}

static int emit(size_t i, const struct claim_sink *sink, struct err *err)
{
    static const char *const on[DEVICES] = { "bus", "switch" };
    const char *const name[] = { statements[i].better, statements[i].worse };
    const int device[] = { statements[i].device, statements[i].than };
    double ms[2][KINDS];
    bool held[KINDS] = { true, true };
    char where[120], what[160], less[40] = "";

    for (int n = statements[i].where ? COUNTS - 1 : 0; n < COUNTS; n++)
        for (int k = 0; k < KINDS; k++) {
            for (int side = 0; side < 2; side++)
                if (measure(&ms[side][k], name[side], statements[i].operation, device[side], k, count[n], SIZE,
                            statements[i].segment[side], statements[i].more[side], err) < 0)
                    return -1;
            held[k] = held[k] && ms[0][k] >= statements[i].least * ms[1][k] &&
                ms[0][k] <= statements[i].most * ms[1][k];
        }
    snprintf(where, sizeof where, "%s, %s", operation_name[statements[i].operation], on[device[0]]);
    snprintf(what, sizeof what, "time of %s, in parts of %s%s%s", name[0], name[1], device[0] == device[1] ? "" :
             " on the ", device[0] == device[1] ? "" : on[device[1]]);
    if (statements[i].where)
        snprintf(less, sizeof less, "by %.2g %%; ", 100 * (1 - ms[0][0] / ms[1][0]));
    return claim_statement(sink, err, ms[0][0] / ms[1][0], verdict(held[0], held[1]), statements[i].where ?
                           statements[i].where : where, statements[i].where ? statements[i].what : what,
                           statements[i].printed, "%s%s%slatency beside %.3f against %.3f ms, inside %.3f against %.3f",
                           condition(held[0], held[1]), less, statements[i].where ? "" : "16 processes: ", ms[0][0],
                           ms[1][0], ms[0][1], ms[1][1]);
}

/* The reconfigurable Reduce uses the best algorithm of each device; half of the calls run on each. */
static int emit_gain(int over, const struct claim_sink *sink, struct err *err)
{
    static const char *const best[DEVICES] = { "sequential", "binomial" },
        *const what[] = { "percent gained over sequential", "percent gained over binomial" };
    double gain[KINDS];

    for (int k = 0; k < KINDS; k++) {
        double ms[2], sum[2] = { 0, 0 };        /* the best, the one */

        for (int d = 0; d < DEVICES; d++)
            for (int one = 0; one < 2; one++) {
                if (measure(&ms[one], best[one ? over : d], REDUCE, d, k, 16, SIZE, 0, NULL, err) < 0)
                    return -1;
                sum[one] += ms[one];
            }
        gain[k] = 100 * (sum[1] / sum[0] - 1);
    }
    return claim_statement(sink, err, gain[0], over ? claim_ratio(gain[0], 0.00125, 0.00135, 0) : verdict(fabs(gain[0] -
                           57.8) < 0.2, fabs(gain[1] - 57.8) < 0.2), "reduce, half of the calls on either", what[over],
                           over ? "0.0013" : "57.8", "%.4f with the latency beside the bus, %.4f inside%s", gain[0],
                           gain[1], over ? "" : "; within 0.2");
}

static int order(double a, double b)
{
    return (a > b * (1 + 1e-9)) - (a < b * (1 - 1e-9));
}

/* Sizes, from 1 byte on, at which the response times of 16 processes have the same order as at 256 KB. */
static int emit_sizes(enum operation operation, int device, const struct claim_sink *sink, struct err *err)
{
    enum { PATTERNS = 4, SIZES = 19 };
    static const char *const rooted[PATTERNS] = { "sequential", "binary", "binomial", "chain" },
        *const gathers[PATTERNS] = { "circular", "pairwise", "shuffle" };
    const char *const *pattern = operation == ALLGATHER ? gathers : rooted;
    int alike[KINDS] = { 0 };
    char where[80];

    for (int k = 0; k < KINDS; k++) {
        double ms[PATTERNS], whole[PATTERNS];

        for (int size = SIZES - 1; size >= 0; size--) {
            bool same = true;

            for (int p = 0; p < PATTERNS && pattern[p]; p++) {
                if (measure(&ms[p], pattern[p], operation, device, k, 16, (int64_t)1 << size, 0, NULL, err) < 0)
                    return -1;
                whole[p] = 1ll << size == SIZE ? ms[p] : whole[p];
                for (int q = 0; q < p; q++)
                    same = same && order(ms[p], ms[q]) == order(whole[p], whole[q]);
            }
            alike[k] += same;
        }
    }
    snprintf(where, sizeof where, "%s, %s, 1 byte to 256 KB", operation_name[operation], device == BUS ? "bus" :
             "switch");
    return claim_statement(sink, err, alike[0], verdict(alike[0] == SIZES, alike[1] == SIZES), where,
                           CLAIM_RMPI_SECTION4_SIZES_ORDER, condition(alike[0] == SIZES, alike[1] == SIZES), SIZES,
                           alike[0], alike[1]);
}

/* Section 2 gives the steps of a binomial tree. */
static int emit_steps(const struct claim_sink *sink, struct err *err)
{
    enum { MOST = 64 };
    int right = 0;

    for (int n = 2; n <= MOST; n++) {
        double ms;

        if (measure(&ms, "binomial", BROADCAST, SWITCH, 1, n, 0, 0, NULL, err) < 0)
            return -1;
        right += fabs(ms / (0.179 + 58 / 11051.6) - (floor(log2(n - 1)) + 1)) < 1e-6;
    }
    return claim_statement(sink, err, right, right == MOST - 1 ? CLAIM_HOLDS : CLAIM_FAILS,
                           CLAIM_RMPI_SECTION4_NUMBERS_PROCESSES, right, MOST - 1);
}

static int claim_rmpi_section4_run(const struct claim_sink *sink, struct err *err)
{
    static const enum operation operation[] = { REDUCE, ALLGATHER, BROADCAST };
    enum { ALL = sizeof statements / sizeof *statements, SECTION6 = 3 };
    int ret = 0;

    for (size_t i = 0; ret == 0 && i < ALL - SECTION6; i++)
        ret = emit(i, sink, err);
    for (int over = 0; ret == 0 && over < DEVICES; over++)
        ret = emit_gain(over, sink, err);
    for (int i = 0; ret == 0 && i < 3 * DEVICES; i++)
        ret = emit_sizes(operation[i / DEVICES], i % DEVICES, sink, err);
    ret = ret < 0 ? -1 : emit_steps(sink, err);
    for (size_t i = ALL - SECTION6; ret == 0 && i < ALL; i++)
        ret = emit(i, sink, err);
    return ret;
}

const struct claim claim_rmpi_section4 = {
    CLAIM_RMPI_SECTION4_ENTRY,
    .run = claim_rmpi_section4_run
};
