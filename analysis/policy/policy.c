#include "analysis/policy/policy.h"

#include "registry/policy.inc"

KIND(policy, policy, struct policy_kind, .name = "policy", .rank = 7)

const char *const policy_end_name[] = { "settled", "cycles", "limit" };
const char *const policy_verdict_name[] = { "assigned", "inside", "stuck", "moving" };

bool policy_is(const char *text)
{
    return kind_named(&kind_policy, text) != NULL;
}

int policy_plain_routing(struct routing *out, struct net *net, const char *text, struct err *err)
{
    if (text && policy_is(text))
        return err_set(err, ERR_USAGE, "'%.80s' is a policy; its shares depend on the load: `metapath latency` and "
                       "`metapath deadlock` take it; here it must be a routing (`metapath list routing`)", text);
    return routing_open(out, net, text, err);
}

static int policy_among(struct configurations *c, const struct policy_kind *kind, const struct spec *spec,
                        struct net *net, const struct traffic *traffic, struct err *err)
{
    if (!kind->among)
        return configurations_open(c, spec, net, traffic, err);
    if (configurations_begin(c, err) == 0 && kind->among(c, spec, net, traffic, err) == 0 &&
        (c->spec || spec_append(&c->spec, err, "%s", "") == 0))
        return 0;
    configurations_release(c);
    return -1;
}

static int policy_init(struct policy *p, const struct spec *spec, struct net *net, const struct traffic *traffic,
                       const struct latency_options *o, struct err *err)
{
    size_t n;

    if (policy_among(&p->conf, p->kind, spec, net, traffic, err) < 0 ||
        spec_append(&p->spec, err, "%s%s", p->kind->name, p->conf.spec) < 0 ||
        (p->kind->open && p->kind->open(p, spec, err) < 0) ||
        latency_open(&p->study, traffic, p->conf.routing, p->conf.n, o, err) < 0)
        return -1;
    n = p->study.flows.nsource + 1;
    return TAKE("the policy", err, ZEROS(p->at, n), ZEROS(p->plan, n), ZEROS(p->idle, n), ZEROS(p->before, n),
                ZEROS(p->tested, n), ZEROS(p->verdict, n));
}

int policy_routings(struct configurations *c, const char *text, struct net *net, const struct traffic *traffic,
                    struct err *err)
{
    struct spec spec;
    const struct policy_kind *kind = (const struct policy_kind *)kind_spec(&spec, &kind_policy, text, err);
    int ret;

    if (!kind)
        return -1;
    ret = policy_among(c, kind, &spec, net, traffic, err);
    spec_release(&spec);
    return ret;
}

int policy_open(struct policy *out, const char *text, struct net *net, const struct traffic *traffic,
                const struct latency_options *o, struct err *err)
{
    struct policy p = { 0 };
    struct spec spec;
    int ret;

    p.kind = (const struct policy_kind *)kind_spec(&spec, &kind_policy, text, err);
    if (!p.kind)
        return -1;
    ret = policy_init(&p, &spec, net, traffic, o, err);
    spec_release(&spec);
    p.study.collide.f = &p.study.flows;             /* where it lives now */
    if (ret == 0 && p.kind->saturation && o->open && traffic_own(traffic) != OWN_SOME)
        ret = p.kind->saturation(&p.study.saturation_factor, &p, err);
    if (ret < 0) {
        policy_close(&p);
        return -1;
    }
    *out = p;
    out->study.collide.f = &out->study.flows;
    return 0;
}

void policy_close(struct policy *p)
{
    if (p->kind && p->kind->close)
        p->kind->close(p);
    else
        free(p->state);
    latency_close(&p->study);
    configurations_release(&p->conf);
    FREE(p->spec, p->at, p->plan, p->idle, p->before, p->tested, p->verdict);
    *p = (struct policy){ 0 };
}

int policy_apply(struct policy *p, const int *at, const struct load *load, struct err *err)
{
    if (tick(p->study.o.collide.tick, 0))
        return err_stopped(err);
    return latency_choose(&p->study, at, true, err) < 0 ? -1 : latency_solve(&p->study, load, err);
}

int policy_plan(struct policy *p, const struct load *load, size_t nload, struct err *err)
{
    if (!p->kind->plan)
        return 0;
    p->planned = false;
    if (p->kind->plan(p, load, nload, err) < 0)
        return -1;
    p->planned = true;
    return 0;
}

/* Open sources without a solution in the first configuration (`why`) wait without limit, and grow: to the first that
 * has one where all take it. */
static int policy_begin_further(struct policy *p, const struct load *load, const struct err *why, struct err *err)
{
    const size_t n = p->study.flows.nsource;

    for (int k = 1; p->study.o.open && k < (int)p->conf.n; k++) {
        for (size_t i = 0; i < n; i++)
            p->at[i] = k;
        p->study.collide.warm = false;
        if (latency_choose(&p->study, p->at, false, err) < 0)
            return -1;
        if (latency_solve(&p->study, load, err) == 0) {
            *err = (struct err){ 0 };
            snprintf(p->note, sizeof p->note, "sources begin with the first configuration that carries the load where "
                     "%.60s does not", p->conf.name[0]);
            return 0;
        }
        if (err->code != ERR_NETWORK)
            return -1;
    }
    *err = *why;
    return err_at(err, "with every source at %.60s", p->conf.name[0]);
}

/* All at the first configuration, from no waits. */
static int policy_begin(struct policy *p, const struct load *load, struct err *err)
{
    const size_t n = p->study.flows.nsource;

    memset(p->at, 0, n * sizeof *p->at);
    p->study.collide.warm = false;
    if (latency_choose(&p->study, p->at, false, err) < 0 || collide_begin(&p->study.collide, load, err) < 0)
        return -1;
    latency_idle(p->idle, &p->study);
    if (latency_solve(&p->study, load, err) == 0) {
        memcpy(p->before, p->study.collide.latency, n * sizeof *p->before);
        return 0;
    }
    if (err->code != ERR_NETWORK)
        return -1;
    for (size_t i = 0; i < n; i++)
        p->before[i] = NAN;
    if (p->kind->begins) {
        const struct err why = *err;

        return policy_begin_further(p, load, &why, err);
    }
    *err = (struct err){ 0 };
    return latency_choose(&p->study, p->at, false, err);
}

int policy_solve(struct policy *p, const struct load *load, struct policy_outcome *out, struct err *err)
{
    const struct flows *f = &p->study.flows;
    struct policy_outcome y = { 0 };

    if (p->kind->plan && !p->planned)
        return err_set(err, ERR_INTERNAL, "policy '%s' was asked for a solution before it knew the loads", p->spec);
    if (policy_begin(p, load, err) < 0 || p->kind->solve(p, load, &y, err) < 0 || latency_capacity(&p->study, err) < 0)
        return -1;
    latency_metapaths(p->tested, &p->study);
    for (size_t i = 0; i < f->nsource; i++) {
        const size_t copies = (size_t)f->copies;

        y.count[p->at[i]] += copies;
        y.ninside += p->verdict[i] == VERDICT_INSIDE ? copies : 0;
        y.nstuck += p->verdict[i] == VERDICT_STUCK ? copies : 0;
        y.nmoving += p->verdict[i] == VERDICT_MOVING ? copies : 0;
    }
    *out = y;
    return 0;
}

int policy_streams(struct policy_stream **out, size_t *n, const struct policy *p, struct err *err)
{
    const struct flows *f = &p->study.flows;
    const size_t copies = (size_t)f->copies;
    struct policy_stream *stream = malloc((f->nsource * copies + 1) * sizeof *stream);

    if (!stream)
        return err_memory(err);
    for (size_t i = 0; i < f->nsource; i++) {
        stream[i] = (struct policy_stream){
            f->source[i].node, i, p->at[i], p->kind->among ? NULL : p->conf.name[p->at[i]], 0, p->before[i],
            p->study.collide.latency[i], p->tested[i], NAN, NAN, p->verdict[i]
        };
        if (p->kind->band)
            p->kind->band(&stream[i].threshold, &stream[i].tolerance, p, i);
        for (uint32_t k = f->source_first[i]; k < f->source_first[i + 1]; k++)
            stream[i].ways += f->injection_share[f->source_injection[k]] > 0;
    }
    for (size_t v = 0; copies > 1 && v < copies; v++) {
        stream[v] = stream[0];
        stream[v].node = (int)v;
        stream[v].source = v;
    }
    *out = stream;
    *n = f->nsource * copies;
    return 0;
}
