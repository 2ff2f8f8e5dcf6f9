/* The static policy: one assignment for all loads, found beforehand from the traffic. */
#include "analysis/policy/policy.h"
#include "texts/policy.h"

enum { PASSES = 10 };
#define GAIN 1e-7               /* what makes a difference: more than the digits that solutions agree in */

struct search {
    struct policy *p;
    const struct load *load;
    size_t nload;
    double best;                /* of the assignment at hand */
    struct err why;             /* why the last assignment without a solution has none */
};

/* Mean over loads of the mean latency over sources: infinite where there is no solution. */
static int offline_cost(double *out, struct search *s, const int *at, struct err *err)
{
    struct latency_study *study = &s->p->study;
    const size_t n = study->flows.nsource;
    double sum = 0;

    for (size_t k = 0; k < s->nload; k++) {
        if (policy_apply(s->p, at, &s->load[k], err) < 0) {
            if (err->code != ERR_NETWORK)
                return -1;
            s->why = *err;
            *err = (struct err){ 0 };
            *out = INFINITY;
            return latency_choose(study, at, false, err);       /* shares to begin with, not those where it went
                                                                 * astray */
        }
        for (size_t i = 0; i < n; i++)
            sum += study->collide.latency[i] / ((double)n * (double)s->nload);
    }
    *out = sum;
    return 0;
}

static int offline_best_common(struct search *s, int *at, struct err *err)
{
    const size_t n = s->p->study.flows.nsource;
    int *try = malloc((n + 1) * sizeof *try), best = 0, ret = try ? 0 : err_memory(err);

    s->best = INFINITY;
    for (size_t c = 0; ret == 0 && c < s->p->conf.n; c++) {
        double y;

        for (size_t i = 0; i < n; i++)
            try[i] = (int)c;
        ret = offline_cost(&y, s, try, err);
        if (ret == 0 && y < s->best * (1 - GAIN)) {
            s->best = y;
            best = (int)c;
        }
    }
    for (size_t i = 0; ret == 0 && i < n; i++)
        at[i] = best;
    free(try);
    if (ret == 0 && isinf(s->best)) {
        *err = s->why;
        ret = err_at(err, "no configuration has a solution at all loads");
    }
    return ret;
}

/* The best for one source while the others stay, of equals the first; whether it moved. */
static int offline_descend(bool *moved, struct search *s, int *at, size_t source, struct err *err)
{
    const int was = at[source], n = (int)s->p->conf.n;
    double y[CONFIGURATIONS], least = s->best;
    int best = 0;

    for (int c = 0; c < n; c++) {
        at[source] = c;
        y[c] = s->best;
        if (c != was && offline_cost(&y[c], s, at, err) < 0)
            return -1;
        least = fmin(least, y[c]);
    }
    while (y[best] > least * (1 + GAIN))
        best++;
    s->best = y[best];
    at[source] = best;
    *moved = *moved || best != was;
    return 0;
}

int policy_assign(struct policy *p, int *at, int *passes, const struct load *load, size_t nload, struct err *err)
{
    const struct flows *f = &p->study.flows;
    struct search s = { .p = p, .load = load, .nload = nload };
    bool moved = true;

    *passes = 0;
    p->note[0] = '\0';
    if (offline_best_common(&s, at, err) < 0)
        return -1;
    if (p->conf.n == 1)
        return 0;
    if (f->copies > 1 || f->nsource > POLICY_DESCENT) {
        snprintf(p->note, sizeof p->note, "only configurations that all sources share were compared: %s",
                 f->copies > 1 ? "the network is folded, one source stands for all" : "there are more than 256 "
                 "sources");
        return 0;
    }
    while (moved && *passes < PASSES) {
        moved = false;
        ++*passes;
        for (size_t i = 0; i < f->nsource; i++)
            if (offline_descend(&moved, &s, at, i, err) < 0)
                return -1;
    }
    if (moved)
        snprintf(p->note, sizeof p->note, "the last of %d passes still found better configurations", PASSES);
    return 0;
}

static int offline_plan(struct policy *p, const struct load *load, size_t nload, struct err *err)
{
    if (nload == 0)
        return err_set(err, ERR_USAGE, "policy '%s' needs a load to be planned for", p->spec);
    p->study.collide.warm = false;
    return policy_assign(p, p->plan, &p->passes, load, nload, err);
}

static int offline_solve(struct policy *p, const struct load *load, struct policy_outcome *out, struct err *err)
{
    memcpy(p->at, p->plan, p->study.flows.nsource * sizeof *p->at);
    out->rounds = p->passes;
    return policy_apply(p, p->at, load, err);
}

static const struct spec_key keys[] = { CONFIGURATION_KEYS, { NULL, NULL, NULL } };

const struct policy_kind policy_offline = {
    POLICY_OFFLINE_ENTRY,
    .keys = keys,
    .plan = offline_plan,
    .solve = offline_solve
};
