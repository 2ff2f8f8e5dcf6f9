/* Section 6.6.1.1 of Franco's thesis: tori of 16 and 64 nodes under four patterns, by static, adaptive and DRB
 * routing; what the text says of figures 6-11 and 6-12, which print no numbers. Messages of 10 flits, intervals of 10
 * cycles (the most) to 120. Adaptive is the policy, whose shares are a steady state's best, and beside it ecmp, whose
 * messages are divided evenly; DRB three paths that carry little: all open (best:3), or opened by the policy drb. */
#include "analysis/claim/claim.h"
#include "analysis/policy/policy.h"
#include "texts/claim.h"

enum { STATIC, ADAPTIVE, EVEN, OPEN, SHORTEST, POLICY, METHODS };
enum { CASES = 8, SHUFFLE_64 = 6, LOADS = 3 };
static const char *const method[METHODS] = { "dor", "adaptive", "ecmp", "metapath:best:3",
                                             "metapath:best:3,of=shortest+0", "drb:static+best:2+best:3" };
static const struct {
    const char *net, *traffic;
    double times;               /* lower by DRB at the highest load, as the text has it; NAN: it does not say */
} subject[CASES] = {
    { "torus:4x4", "butterfly", 2 }, { "torus:4x4", "bit-reversal", 2 }, { "torus:4x4", "perfect-shuffle", NAN },
    { "torus:4x4", "transpose", 2 }, { "torus:8x8", "butterfly", NAN }, { "torus:8x8", "bit-reversal", 4 },
    { "torus:8x8", "perfect-shuffle", NAN }, { "torus:8x8", "transpose", NAN }
};
static const double interval[LOADS] = { 10, 40, 120 };

/* Mean latency at each interval; infinite where there is no solution. */
static int measure(double mean[LOADS], const char *by, struct net *net, const struct traffic *traffic, struct err *err)
{
    const struct latency_options o = { .collide = { .switching = &switching_wormhole, .time = 10 } };
    const bool chooses = policy_is(by);
    struct policy policy = { 0 };
    struct policy_outcome outcome;
    struct routing routing = { 0 };
    struct latency_study own = { 0 }, *s = chooses ? &policy.study : &own;
    struct latency_summary y;
    int ret = chooses ? policy_open(&policy, by, net, traffic, &o, err) :
        routing_open(&routing, net, by, err) < 0 ? -1 : latency_open(&own, traffic, &routing, 1, &o, err);

    for (int i = 0; ret == 0 && i < LOADS; i++) {
        const struct load load = { interval[i], 1 };

        mean[i] = INFINITY;
        if ((chooses ? policy_solve(&policy, &load, &outcome, err) : latency_solve(s, &load, err)) < 0)
            ret = err->code == ERR_NETWORK ? 0 : -1;
        else if ((ret = latency_summary(&y, s, &load, err)) == 0)
            mean[i] = y.mean;
    }
    if (ret == 0)
        *err = (struct err){ 0 };
    policy_close(&policy);
    latency_close(&own);
    routing_close(&routing);
    return ret;
}

/* "13.68", "none": there is no solution. */
static const char *cycles(char out[12], double latency)
{
    snprintf(out, 12, isinf(latency) ? "none" : "%.2f", latency);
    return out;
}

/* All three paths open and the policy, in any case; one of them, or paths of another choice. */
enum { READINGS = 4 };

static int lower_by_drb(double at[METHODS][LOADS], int i, const char *where, const struct claim_sink *sink,
                        struct err *err)
{
    static const char *const given[READINGS] = { "", "if all three are open", "by the policy alone",
                                                 "if they are chosen among shortest paths" };
    const double ours[READINGS] = { fmax(at[OPEN][i], at[POLICY][i]), at[OPEN][i], at[POLICY][i], at[SHORTEST][i] };
    char text[METHODS][12];
    double ratio;
    int which;
    const enum claim_verdict verdict = claim_lower(&which, &ratio, ours, READINGS,
                                                   fmin(at[STATIC][i], at[ADAPTIVE][i]),
                                                   fmin(at[STATIC][i], at[EVEN][i]));
    const bool other = verdict == CLAIM_OTHER;

    for (int m = 0; m < METHODS; m++)
        cycles(text[m], at[m][i]);
    return claim_statement(sink, err, ratio, verdict, where, CLAIM_DRB_6_6_1_LATENCY_DRB, other ?
                           "against ecmp, not adaptive" : "", other && which ? ", " : "", given[which], other || which ?
                           ": " : "", text[STATIC], text[ADAPTIVE], text[EVEN], text[OPEN], text[SHORTEST],
                           text[POLICY]);
}

static int statements(double at[METHODS][LOADS], int k, const struct claim_sink *sink, struct err *err)
{
    enum claim_verdict verdict;
    char where[80];
    double ratio;
    int which;

    for (int i = 0; i < 2; i++) {
        snprintf(where, sizeof where, "%s, %s, interval %g", subject[k].net, subject[k].traffic, interval[i]);
        if (lower_by_drb(at, i, where, sink, err) < 0)
            return -1;
    }
    snprintf(where, sizeof where, "%s, %s, highest load", subject[k].net, subject[k].traffic);
    if (!isnan(subject[k].times)) {
        const double times = at[STATIC][0] / fmin(at[OPEN][0], at[POLICY][0]);

        if (claim_statement(sink, err, times, times >= 0.875 * subject[k].times ? CLAIM_HOLDS : CLAIM_FAILS, where,
                            "times lower than by dor", subject[k].times > 2 ? "a quarter" : "half", "closed sources, "
                            "which wait until a message has arrived, at an interval of 10 cycles") < 0)
            return -1;
    }
    verdict = claim_lower(&which, &ratio, &at[STATIC][0], 1, at[ADAPTIVE][0], at[EVEN][0]);
    return k != SHUFFLE_64 ? 0 :
        claim_statement(sink, err, 1 / ratio, verdict, where, CLAIM_DRB_6_6_1_LATENCY_ADAPTIVE, verdict == CLAIM_OTHER ?
                        "by ecmp, not adaptive: " : "");
}

static int claim_drb_6_6_1_run(const struct claim_sink *sink, struct err *err)
{
    double at[METHODS][LOADS], apart = 0;
    int ret = 0;

    for (int k = 0; ret == 0 && k < CASES; k++) {
        struct traffic traffic = { 0 };
        struct net *net = NULL;

        ret = net_open(&net, subject[k].net, err) < 0 ? -1 : traffic_open(&traffic, net, subject[k].traffic, err);
        for (int m = 0; ret == 0 && m < METHODS; m++)
            ret = tick_check(sink->tick, (k + m / (double)METHODS) / CASES, err) < 0 ? -1 :
                measure(at[m], method[m], net, &traffic, err);
        apart = ret < 0 ? 0 : fmax(apart, 100 * fabs(at[POLICY][2] / at[STATIC][2] - 1));
        if (ret == 0)
            ret = statements(at, k, sink, err);
        traffic_release(&traffic);
        net_close(net);
    }
    return ret < 0 ? -1 : claim_statement(sink, err, apart, apart < 5 ? CLAIM_HOLDS : CLAIM_FAILS,
                                          CLAIM_DRB_6_6_1_PERCENT_POLICY);
}

const struct claim claim_drb_6_6_1 = {
    CLAIM_DRB_6_6_1_ENTRY,
    .run = claim_drb_6_6_1_run
};
