/* balance.c -- shares that make what is in use cost the same (balance.h).
 * 1. steps   towards equal costs, at one load
 * 2. loads   step by step from below */
#include "analysis/policy/alternatives.h"

#define GAP 1e-4                /* settled */
#define GAP_BELOW 1e-2          /* on the way there */
#define NEARER 0.7              /* of what is left to saturation */
#define NO_NEARER 1e-3          /* of the load: saturated */
#define ROUGHLY 1e-5            /* of waits of closed sources, in parts of a transmission time, on the way */
enum { STAGES = 4, CHOSEN = 10, ROUNDS = 400, ROUNDS_BELOW = 40, ROUNDS_CLOSED = 1500, HALVINGS = 8 };

int balance_open(struct policy *p, enum balance_rule rule, struct err *err)
{
    struct balance *b = p->state = calloc(1, sizeof *b);

    if (!b)
        return err_memory(err);
    b->rule = rule;
    return 0;
}

void balance_close(struct policy *p)
{
    struct balance *b = p->state;

    if (b)
        FREE(b->choice, b->item, b->part, b->mass, b->busy, b->wait, b->queue, b->credits, b->ahead, b->chosen);
    free(b);
    p->state = NULL;
}

/* ---- steps ---- */

/* The shares of a choice with which costs would be equal, were cost + slope (share - now) what they are; those of the
 * others become 0. */
static void step_choice(struct alternative *item, size_t n, double damp)
{
    bool all;

    for (size_t k = 0; k < n; k++)
        item[k].kept = item[k].share;
    do {
        double sum = 1, ease = 0, level;

        for (size_t k = 0; k < n; k++) {
            const double slope = damp * item[k].slope;

            if (!(item[k].share >= 0))
                continue;
            sum += item[k].cost / slope - item[k].kept;
            ease += 1 / slope;
        }
        level = sum / ease;
        all = true;
        for (size_t k = 0; k < n; k++) {
            const double next = item[k].kept + (level - item[k].cost) / (damp * item[k].slope);

            if (!(item[k].share >= 0))
                continue;
            item[k].share = next;
            all = all && next >= 0;
        }
    } while (!all);
    for (size_t k = 0; k < n; k++)
        item[k].share = fmax(0, item[k].share);
}

/* Closed sources: no closer than steps need, and not for long where waits settle slowly. */
static int balance_try(bool *solved, struct balance *b, struct policy *p, const struct load *load, struct err *err)
{
    struct collide_options *o = &p->study.collide.o;
    const struct collide_options given = *o;

    if (!p->study.o.open) {
        o->tolerance = fmax(o->tolerance, ROUGHLY);
        o->rounds = ROUNDS_CLOSED;
    }
    *solved = alternatives_put(b, p, err) == 0 && latency_solve(&p->study, load, err) == 0;
    *o = given;
    if (*solved || err->code != ERR_NETWORK)
        return *solved ? 0 : -1;
    *err = (struct err){ 0 };
    return 0;
}

/* From shares that have a solution at this load, which they keep; *stuck: the way on leads out of what has one. Near
 * enough and long enough depend on whether the load is `last`. */
static int settle(bool *stuck, double *gap, size_t *rounds, struct policy *p, const struct load *load, bool last,
                  struct err *err)
{
    struct balance *b = p->state;
    const double goal = last ? GAP : GAP_BELOW;
    const size_t most = last ? ROUNDS : ROUNDS_BELOW;
    double before = INFINITY;
    bool solved;

    p->study.collide.warm = false;
    if (balance_try(&solved, b, p, load, err) < 0)
        return -1;
    *stuck = !solved;
    for (*rounds = 0; !*stuck && (*gap = alternatives_cost(b, &p->study)) > goal && *rounds < most; ++*rounds) {
        int halved = 0;

        if (tick_check(p->study.o.collide.tick, 0, err) < 0)
            return -1;
        b->damp = *gap > 1.02 * before ? fmin(1e3, 1.5 * b->damp) : fmax(0.2, 0.95 * b->damp);
        before = *gap;
        for (const struct choice *c = b->choice; c < b->choice + b->nchoice; c++)
            step_choice(b->item + c[0].first, c[1].first - c[0].first, b->damp);
        for (;; halved++) {
            if (balance_try(&solved, b, p, load, err) < 0)
                return -1;
            if (solved || halved == HALVINGS)
                break;
            for (size_t k = 0; k < b->nitem; k++)
                b->item[k].share = (b->item[k].share + b->item[k].kept) / 2;
        }
        *stuck = !solved;
        b->damp *= halved ? 2 : 1;
    }
    return 0;
}

/* ---- loads ---- */

/* How far to go next: from `reached` towards `most`, where nothing settles; of closed sources that may not be known. */
static double next_load(const struct load *load, double reached, double most)
{
    return fmin(load->factor, isinf(most) ? reached + load->factor / STAGES : reached + NEARER * (most - reached));
}

/* Up to load->factor, or as far as there are solutions: *reached, which is less by NO_NEARER at most than *full. */
static int climb(double *reached, double *full, double *gap, size_t *rounds, struct policy *p, const struct load *load,
                 struct err *err)
{
    struct balance *b = p->state;
    const size_t n = b->nitem;
    double end = INFINITY;                              /* nothing settles there */

    b->damp = 1;
    p->study.collide.part = NULL;
    *gap = 0;
    for (size_t k = 0; k < n; k++)
        b->item[k].share = b->item[k].given;
    for (*reached = 0; *reached < load->factor;) {
        struct load at = *load;
        bool stuck;

        *full = INFINITY;
        if (alternatives_put(b, p, err) < 0 ||
            (p->study.o.open && collide_saturation(full, &p->study.collide, &(struct load){ load->interval, 1 },
                                                   err) < 0))
            return -1;
        *full = fmin(*full, end);
        if (isfinite(*full) && *full - *reached <= NO_NEARER * *full)
            return 0;
        at.factor = next_load(load, *reached, *full);
        for (size_t k = 0; k < n; k++)
            b->item[k].below = b->item[k].share;
        if (settle(&stuck, gap, rounds, p, &at, false, err) < 0)
            return -1;
        for (size_t k = 0; stuck && k < n; k++)
            b->item[k].share = b->item[k].below;
        *(stuck ? &end : reached) = at.factor;
    }
    return 0;
}

static double latency_sum(const struct latency_study *s)
{
    double sum = 0;

    for (size_t i = 0; i < s->flows.nsource; i++)
        sum += s->collide.latency[i];
    return sum;
}

/* From there as near as it gets; where that leads out of what has a solution, the last that had one. */
static int finish(double *gap, size_t *rounds, struct policy *p, const struct load *load, struct err *err)
{
    struct balance *b = p->state;
    const size_t before = *rounds;
    bool stuck, solved, settled = false;

    if (settle(&stuck, gap, rounds, p, load, true, err) < 0)
        return -1;
    *rounds += before;
    for (size_t k = 0; stuck && k < b->nitem; k++)
        b->item[k].share = b->item[k].kept;
    if (alternatives_put(b, p, err) < 0 || latency_solve(&p->study, load, err) < 0)
        return -1;
    if (!b->chosen)
        return 0;
    for (int i = 0; !settled && i < CHOSEN; i++) {      /* closed sources send faster for it */
        const double was = latency_sum(&p->study);

        alternatives_cost(b, &p->study);
        alternatives_choose(b, &p->study);
        p->study.collide.part = b->chosen;
        if (!p->study.o.open && balance_try(&solved, b, p, load, err) < 0)
            return -1;
        settled = p->study.o.open || fabs(latency_sum(&p->study) - was) < ROUGHLY * was;
    }
    return latency_solve(&p->study, load, err);
}

/* Which part of all messages goes by each configuration. */
static void tell_parts(struct policy_outcome *out, const struct latency_study *s)
{
    const struct flows *f = &s->flows;
    double all = 0;

    out->shared = true;
    for (size_t i = 0; i < f->ninjection; i++) {
        const size_t source = (size_t)f->injection_source[i];
        const double sent = flows_sources(f, source) * s->collide.rate[source] * f->injection_share[i];

        out->part[f->injection_option[i]] += sent;
        all += sent;
    }
    for (size_t i = 0; i < CONFIGURATIONS; i++)
        out->part[i] /= all;
}

int balance_solve(struct policy *p, const struct load *load, struct policy_outcome *out, struct err *err)
{
    double reached, full, gap;
    size_t rounds = 0;

    if (p->study.o.open && load->factor / load->interval > p->study.saturation_factor)
        return latency_solve(&p->study, load, err);     /* says so */
    if (alternatives_find(p->state, &p->study.flows, err) < 0 ||
        climb(&reached, &full, &gap, &rounds, p, load, err) < 0)
        return -1;
    if (reached < load->factor)
        return p->study.o.open ? collide_beyond(&p->study.collide, load, -1, err) :
            err_set(err, ERR_NETWORK, "the shares of '%s' settle no further than at %.4g of the rates", p->spec,
                    reached / load->factor);
    if (finish(&gap, &rounds, p, load, err) < 0)
        return -1;
    p->study.untested = true;
    snprintf(p->note, sizeof p->note, "shares of means in a steady state, an approximation");
    out->rounds = (int)rounds;
    out->end = gap > GAP ? POLICY_LIMIT : POLICY_SETTLED;
    tell_parts(out, &p->study);
    return 0;
}

/* Where steps end depends a little on where they are to end: what is said can be reached but for a hundredth. */
int balance_saturation(double *factor, struct policy *p, struct err *err)
{
    struct load at = { 1, INFINITY };
    double reached, full, gap, said = INFINITY;
    size_t rounds;

    if (alternatives_find(p->state, &p->study.flows, err) < 0)
        return -1;
    for (int i = 0; i < 5; i++, at.factor = said * 0.99) {
        if (climb(&reached, &full, &gap, &rounds, p, &at, err) < 0)
            return -1;
        if (reached >= at.factor)
            break;
        said = i == 0 ? full : reached;
    }
    *factor = said;
    return 0;
}
