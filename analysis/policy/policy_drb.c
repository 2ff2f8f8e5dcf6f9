/* The dynamic policy: every source compares the latency of its metapath with a band and opens or closes paths; all
 * decide together, round by round, until nobody moves or a state returns. */
#include "analysis/policy/policy.h"
#include "texts/policy.h"

#define WAITS 0.12

struct drb {
    struct drb_rule rule;
    int rounds;
};

static const struct spec_key keys[] = {
    { "threshold", "CYCLES", "what the latency of a metapath should be (default: that of the first, where nothing "
      "waits)" },
    { "tolerance", "CYCLES", "how far off it may be: Tol_L (default: half of the threshold)" },
    { "tol", "NUMBER", "bandwidth of a step, in parts of that of an idle static path (default: 1)" },
    { "k", "NUMBER", "what tol is divided by (default: 1)" },
    { "step", "many|one", "one: never more than one configuration further at a time (default: many)" },
    { "history", "N", "of `metapath simulate`: above the band a source begins with the configuration that served it the "
      "last time that it rose to a like latency, of the last N times (default: 0)" },
    { "rounds", "N", "decisions at most (default: 200)" },
    CONFIGURATION_KEYS,
    { NULL, NULL, NULL }
};

/* A number of cycles or a ratio; `missing` where it is not given. */
static int drb_read_real(double *out, char **canonical, const struct spec *spec, const char *key, bool zero,
                         double missing, struct err *err)
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
    return spec_append(canonical, err, ",%s=%s", key, num_shortest(number, *out));
}

/* What `spec` says of the rule; `canonical` is added to. */
static int drb_read(struct drb *d, char **canonical, const struct spec *spec, struct err *err)
{
    static const char *const choices[] = { "many", "one", NULL };
    double tol, k;
    int64_t rounds, history;
    int one;

    if (drb_read_real(&d->rule.threshold, canonical, spec, "threshold", false, NAN, err) < 0 ||
        drb_read_real(&d->rule.tolerance, canonical, spec, "tolerance", true, NAN, err) < 0 ||
        drb_read_real(&tol, canonical, spec, "tol", false, 1, err) < 0 ||
        drb_read_real(&k, canonical, spec, "k", false, 1, err) < 0 ||
        spec_choice(&one, spec, "step", choices, err) < 0 ||
        spec_key_int(&history, spec, "history", 0, 1000, 0, err) < 0 ||
        spec_key_int(&rounds, spec, "rounds", 1, 100000, 200, err) < 0)
        return -1;
    d->rule.step = tol / k;
    d->rule.one = one == 1;
    d->rule.history = (int)history;
    d->rounds = (int)rounds;
    if ((d->rule.one && spec_append(canonical, err, ",step=one") < 0) ||
        (history && spec_append(canonical, err, ",history=%d", d->rule.history) < 0))
        return -1;
    return rounds == 200 ? 0 : spec_append(canonical, err, ",rounds=%d", d->rounds);
}

static int drb_open(struct policy *p, const struct spec *spec, struct err *err)
{
    struct drb *d = p->state = calloc(1, sizeof *d);

    return d ? drb_read(d, &p->spec, spec, err) : err_memory(err);
}

int policy_drb_open(struct drb_rule *rule, struct configurations *c, const char *text, struct net *net,
                    const struct traffic *traffic, struct err *err)
{
    struct drb d = { 0 };
    struct spec spec;
    int ret;

    if (policy_routings(c, text, net, traffic, err) < 0 || spec_parse(&spec, text, false, err) < 0)
        return -1;
    ret = drb_read(&d, &c->spec, &spec, err);
    spec_release(&spec);
    *rule = d.rule;
    return ret;
}

static void drb_band(double *threshold, double *tolerance, const struct policy *p, size_t source)
{
    drb_rule_band(threshold, tolerance, &((const struct drb *)p->state)->rule, p->idle[source]);
}

static int drb_side(const struct policy *p, size_t i)
{
    return drb_rule_side(&((const struct drb *)p->state)->rule, p->tested[i], p->idle[i]);
}

static int drb_decide(const struct policy *p, size_t i)
{
    return drb_rule_next(&((const struct drb *)p->state)->rule, p->at[i], (int)p->conf.n, p->tested[i], p->idle[i]);
}

struct history {                    /* states, one after the other, a byte a source */
    unsigned char *state;
    size_t n, width;
};

static int drb_remember(struct history *h, const int *at, struct err *err)
{
    if (GROW_BY(h->n, 1, "states of a policy", err, GROWN_OF(h->state, h->width + 1)) < 0)
        return -1;
    for (size_t i = 0; i < h->width; i++)
        h->state[h->n * h->width + i] = (unsigned char)at[i];
    h->n++;
    return 0;
}

/* The round in which the newest state was before, or the newest itself. */
static size_t drb_first_seen(const struct history *h)
{
    const unsigned char *newest = h->state + (h->n - 1) * h->width;
    size_t i = 0;

    while (memcmp(h->state + i * h->width, newest, h->width) != 0)
        i++;
    return i;
}

/* Verdicts of the last state, which is not that of `next`; cycle: the round in which the cycle begins. */
static void drb_judge(struct policy *p, const struct history *h, const int *next, size_t cycle)
{
    for (size_t i = 0; i < h->width; i++) {
        bool moves = next[i] != p->at[i];

        for (size_t r = cycle; r + 1 < h->n; r++)
            moves = moves || h->state[r * h->width + i] != h->state[(r + 1) * h->width + i];
        p->verdict[i] = moves ? VERDICT_MOVING : drb_side(p, i) == 0 ? VERDICT_INSIDE : VERDICT_STUCK;
    }
}

/* The step to `next`. Open sources do not step to a state without a solution, beyond saturation: they stay, at
 * `p->at`, and *stays says so. */
static int drb_step(bool *stays, struct policy *p, int *next, const struct load *load, struct err *err)
{
    const size_t bytes = p->study.flows.nsource * sizeof *next;

    *stays = false;
    if (policy_apply(p, next, load, err) == 0) {
        memcpy(p->at, next, bytes);
        return 0;
    }
    if (err->code != ERR_NETWORK || !p->study.o.open)
        return -1;
    *err = (struct err){ 0 };
    *stays = true;
    memcpy(next, p->at, bytes);
    p->study.collide.warm = false;
    if (latency_choose(&p->study, p->at, false, err) < 0 || policy_apply(p, p->at, load, err) < 0)
        return -1;
    latency_metapaths(p->tested, &p->study);
    snprintf(p->note, sizeof p->note, "a step to configurations that do not carry the load is not taken");
    return 0;
}

static int drb_run(struct policy *p, const struct load *load, int *next, struct history *h, struct policy_outcome *out,
                   struct err *err)
{
    const size_t n = p->study.flows.nsource;

    for (out->rounds = 1;; out->rounds++) {
        size_t seen;
        bool stays;

        latency_metapaths(p->tested, &p->study);
        for (size_t i = 0; i < n; i++)
            next[i] = drb_decide(p, i);
        if (out->rounds == 1 && drb_remember(h, p->at, err) < 0)
            return -1;
        if (memcmp(next, p->at, n * sizeof *next) == 0) {
            drb_judge(p, h, next, h->n);
            return 0;
        }
        if (drb_remember(h, next, err) < 0)
            return -1;
        seen = drb_first_seen(h);
        if (seen < h->n - 1) {
            out->end = POLICY_CYCLES;
            out->period = (int)(h->n - 1 - seen);
            drb_judge(p, h, next, seen);
            return 0;
        }
        if (out->rounds == ((const struct drb *)p->state)->rounds) {
            out->end = POLICY_LIMIT;
            drb_judge(p, h, next, h->n);
            return 0;
        }
        if (drb_step(&stays, p, next, load, err) < 0)
            return err->code == ERR_NETWORK ? err_at(err, "after %d rounds of '%.120s'", out->rounds, p->spec) : -1;
        if (stays) {
            drb_judge(p, h, next, h->n);
            return 0;
        }
    }
}

/* Whether sources that go by single messages, as they come, may decide otherwise: where a state returns; where one of
 * the first configuration waits so much, on the mean, that opening more, which a single late message makes it do, would
 * take off a tenth or so. Closed sources, four permutations on torus:4x4, torus:8x8 and hypercube:6, four bands and
 * lists, intervals of 10 to 100 cycles: of 81 steady rows that were valid without this 16 were off by more than 10 %, of
 * the 48 that are with it none. */
static bool drb_by_message(const struct policy *p, const struct policy_outcome *out)
{
    bool other = out->end != POLICY_SETTLED;

    for (size_t i = 0; i < p->study.flows.nsource; i++)
        other = other || (p->at[i] == 0 && p->conf.n > 1 && p->idle[i] < (1 - WAITS) * p->tested[i]);
    return other;
}

static int drb_solve(struct policy *p, const struct load *load, struct policy_outcome *out, struct err *err)
{
    struct history h = { .width = p->study.flows.nsource };
    int *next = malloc((h.width + 1) * sizeof *next), ret;

    ret = next ? drb_run(p, load, next, &h, out, err) : err_memory(err);
    p->study.untested = ret == 0 && drb_by_message(p, out);
    FREE(next, h.state);
    return ret;
}

const struct policy_kind policy_drb = {
    POLICY_DRB_ENTRY,
    .seen = true,
    .balances = true,
    .keys = keys,
    .begins = true,
    .open = drb_open,
    .band = drb_band,
    .solve = drb_solve
};
