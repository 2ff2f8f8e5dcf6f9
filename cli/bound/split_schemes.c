#include "cli/bound/split_scene.h"
#include "model/supernode/supernode.h"

const char *const split_kind_name[] = { "static", "uniform", "bandwidth", "policy", "optimal" };

/* ---- opening ---- */

#define SPEC 1400

/* "drb,threshold=20" -> "drb:static+sga:1,threshold=20". */
static int policy_text(char out[SPEC], const struct split_scene *s, struct err *err)
{
    const char *given = s->q->policy ? s->q->policy : "drb", *keys = given + strcspn(given, ",");
    const struct supernode_kind *kind = supernode_named(s->label);
    const bool direct = kind && kind->shape == SHAPE_POINT;     /* static itself, the first of all policies */

    if (memchr(given, ':', (size_t)(keys - given)))
        return err_set(err, ERR_USAGE, "--policy takes a policy without supernodes, as in drb,threshold=20, because "
            "--supernode or --table gives them; '%.80s' names some", given);
    if (s->q->table)
        snprintf(out, SPEC, "%.*s%.300s,table=%.600s%s", (int)(keys - given), given, keys, s->q->table, s->base);
    else if (strchr(s->label, ',') && strncmp(s->label, "best:", 5) != 0)
        return err_set(err, ERR_DOMAIN, "policies take supernodes without keys, and %.80s has some", s->label);
    else
        snprintf(out, SPEC, "%.*s:%s%.600s%.300s%s", (int)(keys - given), given, direct ? "" : "static+", s->label,
                 keys, s->base);
    return 0;
}

static void routing_text(char out[SPEC], const struct split_scene *s, enum split_kind kind)
{
    const char *shares = kind == BANDWIDTH ? ",shares=bandwidth" : "";

    if (s->q->table)
        snprintf(out, SPEC, "table:%.600s%s%s%s", s->q->table, kind == STATIC ? ",first=1" : "", shares, s->base);
    else
        snprintf(out, SPEC, "metapath:%.600s%s%s", kind == STATIC ? "static" : s->label, shares, s->base);
}

static int scheme_open(struct split_scheme *c, struct split_scene *s, enum split_kind kind, struct err *err)
{
    char text[SPEC];

    if (kind == POLICY) {
        if (policy_text(text, s, err) < 0 || policy_open(&c->policy, text, s->net, &s->traffic, &s->o, err) < 0)
            return -1;
        c->study = &c->policy.study;
    } else {
        routing_text(text, s, kind);
        if (routing_open(&c->routing, s->net, text, err) < 0 ||
            latency_open(&c->own, &s->traffic, &c->routing, 1, &s->o, err) < 0)
            return -1;
        c->study = &c->own;
    }
    return TAKE("loads of links", err, ZEROS(c->load, c->study->flows.nlink + 1));
}

static int split(struct split_scene *s, const struct tick *tick, struct err *err)
{
    struct latency_study *study = s->scheme[OPTIMAL].study;
    const struct split_options o = { NULL, s->q->first, s->q->write, tick };

    return split_open(&s->split, study, &o, err) < 0 ? -1 : split_apply(study, &s->split, err);
}

/* The policy is told all loads, the others find their saturation. */
static int prepare(struct split_scene *s, struct split_scheme *c, enum split_kind kind, struct err *err)
{
    struct load *load;
    int ret;

    if (kind != POLICY)
        return s->npoint ? latency_saturation(c->study, err) : 0;
    if (TAKE("the table", err, ARRAY(load, s->npoint + 1)) < 0)
        return -1;
    for (size_t k = 0; k < s->npoint; k++)
        load[k] = load_at(&s->point[k], NAN);
    ret = policy_plan(&c->policy, load, s->npoint, err);
    free(load);
    return ret;
}

/* All alike folded or not, so that links can be told one by one: as the metapath itself, which comes first. */
int split_schemes_open(struct split_scene *s, const struct tick *whole, struct err *err)
{
    static const enum split_kind order[] = { OPTIMAL, STATIC, UNIFORM, BANDWIDTH, POLICY };

    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const struct tick part = tick_part(whole, i ? 0.5 + 0.1 * (double)i : 0, i ? 0.6 + 0.1 * (double)i : 0.5);
        const enum split_kind kind = order[i];
        struct split_scheme *c = &s->scheme[kind];

        c->asked = s->npoint || (kind != BANDWIDTH && kind != POLICY);
        if (!c->asked)
            continue;
        s->o.collide.tick = &part;
        if (scheme_open(c, s, kind, err) < 0 || (kind == OPTIMAL && split(s, &part, err) < 0) ||
            prepare(s, c, kind, err) < 0) {
            if (kind == OPTIMAL || !job_passes(s->j, true, err))
                return -1;
            c->why = *err;
            c->study = NULL;
            *err = (struct err){ 0 };
        } else
            c->study->o.collide.tick = c->study->collide.o.tick = NULL;
        if (kind == OPTIMAL)
            s->o.unfolded = !(c->study->flows.copies > 1);
    }
    return 0;
}

void split_schemes_close(struct split_scene *s)
{
    for (int k = 0; k < KINDS; k++) {
        struct split_scheme *c = &s->scheme[k];

        policy_close(&c->policy);
        latency_close(&c->own);
        routing_close(&c->routing);
        free(c->load);
        *c = (struct split_scheme){ 0 };
    }
    split_release(&s->split);
}

/* ---- solving ---- */

static int measure(struct split_scheme *c, struct err *err)
{
    const struct flows *f = &c->study->flows;

    if (latency_capacity(c->study, err) < 0 || split_loads(c->load, c->study, err) < 0)
        return -1;
    c->largest = c->hops = 0;
    for (size_t l = 0; l < f->nlink; l++)
        c->largest = fmax(c->largest, c->load[l]);
    for (size_t i = 0; i < f->ninjection; i++)
        c->hops += f->injection_share[i] * f->injection_hops[i] / (double)f->nsource;
    return 0;
}

static int solve(struct split_scheme *c, enum split_kind kind, const struct load *load, const struct tick *tick,
                 struct err *err)
{
    struct policy_outcome outcome;
    int ret;

    c->study->o.collide.tick = c->study->collide.o.tick = tick;
    ret = kind == POLICY ? policy_solve(&c->policy, load, &outcome, err) : latency_solve(c->study, load, err);
    c->study->o.collide.tick = c->study->collide.o.tick = NULL;
    return ret < 0 ? -1 : latency_summary(&c->summary, c->study, load, err);
}

int split_schemes_solve(struct split_scene *s, const struct load *load, const struct tick *whole, struct err *err)
{
    for (int k = 0; k < KINDS; k++) {
        const struct tick part = tick_step(whole, (size_t)k, KINDS);
        struct split_scheme *c = &s->scheme[k];
        const bool moves = k == BANDWIDTH || k == POLICY;       /* shares are part of the solution */

        if (!c->study)
            continue;
        if (tick(&part, 0))
            return err_stopped(err);
        c->why = (struct err){ 0 };
        if (load && solve(c, (enum split_kind)k, load, &part, err) < 0) {
            if (!job_passes(s->j, true, err))
                return -1;
            c->why = *err;
            *err = (struct err){ 0 };
        }
        c->largest = c->hops = NAN;
        if (!(moves && c->why.code != ERR_NONE) && measure(c, err) < 0)
            return -1;
    }
    return 0;
}
