/* The dynamic policy: every source compares the latency of its metapath with a band and opens or closes paths; all decide
 * together, round by round, until nobody moves or a state returns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/policy/policy.h"
#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "graph/base/num.h"

static const struct spec_key keys[] = {
    { "threshold", "CYCLES", "what the latency of a metapath should be (default: the transmission time)" },
    { "tolerance", "CYCLES", "how far off it may be: Tol_L (default: half of the threshold)" },
    { "tol", "NUMBER", "bandwidth of a step, in parts of that of an idle static path (default: 1)" },
    { "k", "NUMBER", "what tol is divided by (default: 1)" },
    { "step", "many|one", "one: never more than one configuration further at a time (default: many)" },
    { "rounds", "N", "decisions at most (default: 200)" },
    CONFIGURATION_KEYS,
    { NULL, NULL, NULL }
};

/* A number of cycles or a ratio; `missing` where it is not given. */
static int read_real(double *out, struct policy *p, const struct spec *spec, const char *key, bool zero, double missing,
                     struct err *err)
{
    const char *value = spec_get(spec, key);
    char number[32];

    *out = missing;
    if (!value)
        return 0;
    if (num_real(out, value, key, err) < 0)
        return err_at(err, "'%.80s'", spec->text);
    if (!(zero ? *out >= 0 : *out > 0))
        return err_set(err, ERR_USAGE, "'%.80s': %s is %s; it must %s", spec->text, key, value,
                       zero ? "not be negative" : "be positive");
    return policy_spec(p, err, ",%s=%s", key, num_shortest(number, *out));
}

static int open(struct policy *p, const struct spec *spec, struct err *err)
{
    static const char *const choices[] = { "many", "one", NULL };
    double tol, k;
    int64_t rounds;
    int one;

    if (read_real(&p->threshold, p, spec, "threshold", false, NAN, err) < 0 ||
        read_real(&p->tolerance, p, spec, "tolerance", true, NAN, err) < 0 ||
        read_real(&tol, p, spec, "tol", false, 1, err) < 0 || read_real(&k, p, spec, "k", false, 1, err) < 0 ||
        spec_choice(&one, spec, "step", choices, err) < 0 ||
        spec_key_int(&rounds, spec, "rounds", 1, 100000, 200, err) < 0)
        return -1;
    p->step = tol / k;
    p->one = one == 1;
    p->rounds = (int)rounds;
    if (p->one && policy_spec(p, err, ",step=one") < 0)
        return -1;
    return rounds == 200 ? 0 : policy_spec(p, err, ",rounds=%d", p->rounds);
}

/* Bandwidth that D steps stand for, in parts of that of the idle static path. */
static double worth(const struct policy *p, int d)
{
    return p->step * d * (d + 1) / 2;
}

/* The configuration that source i goes to. The published procedure also stops where the bandwidth leaves a window of
 * Bc (1 + 1/k) upwards; its tables word that as `until` and as `while`, and a step may jump over the window, so that some
 * readings never end: only the lower end counts here. */
static int decide(const struct policy *p, size_t i)
{
    const double lat = p->tested[i], threshold = policy_threshold(p, i), tolerance = policy_tolerance(p, i);
    const double ratio = p->study.collide.time[i] / lat;        /* AB / ABc */
    const int at = p->at[i], room = (int)p->conf.n - 1 - at;
    int d = 0;

    if (lat > threshold + tolerance) {
        for (d = room > 0; !p->one && d < room && !(ratio + worth(p, d) > 1); d++)
            ;
        return at + d;
    }
    if (lat < threshold - tolerance)
        while (d < (p->one ? 1 : at) && d < at && ratio - worth(p, d + 1) > 1)
            d++;
    return at - d;
}

static bool inside(const struct policy *p, size_t i)
{
    const double lat = p->tested[i], threshold = policy_threshold(p, i), tolerance = policy_tolerance(p, i);

    return !(lat > threshold + tolerance) && !(lat < threshold - tolerance);
}

struct history {                    /* states, one after the other, a byte a source */
    unsigned char *state;
    size_t n, width;
};

static int remember(struct history *h, const int *at, struct err *err)
{
    if (GROW_BY(h->n, 1, "states of a policy", err, GROWN_OF(h->state, h->width + 1)) < 0)
        return -1;
    for (size_t i = 0; i < h->width; i++)
        h->state[h->n * h->width + i] = (unsigned char)at[i];
    h->n++;
    return 0;
}

/* The round in which the newest state was before, or the newest itself. */
static size_t first_seen(const struct history *h)
{
    const unsigned char *newest = h->state + (h->n - 1) * h->width;
    size_t i = 0;

    while (memcmp(h->state + i * h->width, newest, h->width) != 0)
        i++;
    return i;
}

/* Verdicts of the last state, which is not that of `next`; cycle: the round in which the cycle begins. */
static void judge(struct policy *p, const struct history *h, const int *next, size_t cycle)
{
    for (size_t i = 0; i < h->width; i++) {
        bool moves = next[i] != p->at[i];

        for (size_t r = cycle; r + 1 < h->n; r++)
            moves = moves || h->state[r * h->width + i] != h->state[(r + 1) * h->width + i];
        p->verdict[i] = moves ? VERDICT_MOVING : inside(p, i) ? VERDICT_INSIDE : VERDICT_STUCK;
    }
}

static int run(struct policy *p, const struct load *load, int *next, struct history *h, struct policy_outcome *out,
               struct err *err)
{
    const size_t n = p->study.flows.nsource;

    for (out->rounds = 1;; out->rounds++) {
        size_t seen;

        latency_metapaths(p->tested, &p->study);
        for (size_t i = 0; i < n; i++)
            next[i] = decide(p, i);
        if (out->rounds == 1 && remember(h, p->at, err) < 0)
            return -1;
        if (memcmp(next, p->at, n * sizeof *next) == 0) {
            judge(p, h, next, h->n);
            return 0;
        }
        if (remember(h, next, err) < 0)
            return -1;
        seen = first_seen(h);
        if (seen < h->n - 1) {
            out->end = POLICY_CYCLES;
            out->period = (int)(h->n - 1 - seen);
            judge(p, h, next, seen);
            return 0;
        }
        if (out->rounds == p->rounds) {
            out->end = POLICY_LIMIT;
            judge(p, h, next, h->n);
            return 0;
        }
        memcpy(p->at, next, n * sizeof *next);
        if (policy_apply(p, p->at, load, err) < 0)
            return err->code == ERR_NETWORK ? err_at(err, "after %d rounds of '%.120s'", out->rounds, p->spec) : -1;
    }
}

static int solve(struct policy *p, const struct load *load, struct policy_outcome *out, struct err *err)
{
    struct history h = { .width = p->study.flows.nsource };
    int *next = malloc((h.width + 1) * sizeof *next), ret;

    ret = next ? run(p, load, next, &h, out, err) : err_memory(err);
    free(next);
    free(h.state);
    return ret;
}

const struct policy_kind policy_drb = {
    .name = "drb",
    .synopsis = "drb[:SUPERNODE+SUPERNODE+...][,threshold=...][,tolerance=...][,...]",
    .summary = "dynamic: each source opens paths while its metapath is slower than a band, and closes them while faster",
    .notes = "SUPERNODEs (`metapath list supernode`) without keys, in the order of growth; static+sga:1+sga:2 where none are\n"
             "given. All sources begin with the first. Each compares Lat = 1/(sum of 1/latency over its ways), over several\n"
             "destinations the mean, with threshold - tolerance and threshold + tolerance. With B = 1/Lat and Bc = 1/TD, the\n"
             "bandwidth of an idle static path: above, it grows by the least D >= 1 configurations with\n"
             "B + Bc tol/k D(D+1)/2 > Bc; below, it shrinks by the greatest D with B - Bc tol/k D(D+1)/2 > Bc, if there is\n"
             "one. All decide together, until none moves or a state returns.",
    .source = "Franco, Garces and Luque 1999; Franco's thesis, sections 4.7.2 and 7.2.1",
    .example = "drb:static+sga:1+sga:2,threshold=20,tolerance=12",
    .example_net = "torus:8x8",
    .keys = keys,
    .begins = true,
    .open = open,
    .solve = solve
};
