#include "analysis/latency/latency_domain.h"
#include "model/routing/drb_rule.h"

int latency_capacity(struct latency_study *s, struct err *err)
{
    const struct flows *f = &s->flows;
    double *rate, *link, most = 0;
    int ret;

    if (TAKE("loads of links", err, ARRAY(rate, f->nsource), ARRAY(link, f->nlink)) < 0)
        return -1;
    flows_offered(rate, f, (struct traffic_pace){ 1, s->o.collide.time });
    ret = flows_load(f, rate, link, NULL, err);
    for (size_t l = 0; ret == 0 && l < f->nlink; l++)
        if (link[l] / flows_bandwidth(f, l) > most) {
            most = link[l] / flows_bandwidth(f, l);
            s->capacity_link = l;
        }
    if (ret == 0)
        s->capacity_factor = 1 / most;
    FREE(rate, link);
    return ret;
}

double latency_capacity_interval(const struct latency_study *s)
{
    return traffic_own(s->flows.traffic) == OWN_NONE ? 1 / s->capacity_factor : NAN;
}

int latency_open(struct latency_study *out, const struct traffic *traffic, struct routing *routing, size_t nrouting,
                 const struct latency_options *o, struct err *err)
{
    struct latency_study s = { .o = *o, .routing = routing, .nrouting = nrouting, .saturation_factor = NAN };
    const struct flows_options how = { .unfolded = o->unfolded, .orbits = o->orbits && o->open, .legs = o->legs,
                                       .terminals = o->terminals, .tick = o->collide.tick, .time = o->collide.time,
                                       .apart = o->open };       /* each port of open sources is a queue alone */

    if (!(s.o.collide.router.vcs > 0))
        s.o.collide.router = *o->collide.switching->router;
    if (o->classes && !routing->escape && latency_divide(&s, err) < 0)
        return -1;
    if (!s.o.collide.router.classes)
        s.o.collide.router.classes = s.o.collide.router.vcs < 2 ? 1 :
            latency_classes(traffic->net, routing, nrouting);
    if (flows_open(&s.flows, traffic, routing, nrouting, &how, err) < 0)
        return -1;
    if ((routing->escape && s.flows.cyclic && latency_divide(&s, err) < 0) ||
        TAKE("options of sources", err, ZEROS(s.option, s.flows.nsource)) < 0 ||
        collide_open(&s.collide, &s.flows, &s.o.collide, err) < 0 || latency_capacity(&s, err) < 0) {
        latency_close(&s);
        return -1;
    }
    *out = s;
    out->collide.f = &out->flows;           /* where it lives now */
    return 0;
}

void latency_close(struct latency_study *s)
{
    collide_release(&s->collide);
    flows_release(&s->flows);
    free(s->option);
    *s = (struct latency_study){ 0 };
}

int latency_saturation(struct latency_study *s, struct err *err)
{
    if (traffic_own(s->flows.traffic) == OWN_SOME)      /* what the others' is, only a load says */
        return 0;
    return collide_saturation(&s->saturation_factor, &s->collide, &(struct load){ 1, 1 }, err);
}

void latency_idle(double *out, const struct latency_study *s)
{
    const struct flows *f = &s->flows;

    memcpy(out, s->collide.time, f->nsource * sizeof *out);
    for (size_t i = 0; i < f->ninjection; i++)
        out[f->injection_source[i]] += f->injection_share[i] * collide_way(&s->collide, i);
}

double latency_way(const struct latency_study *s, size_t i)
{
    const struct flows *f = &s->flows;
    const struct collide *c = &s->collide;

    return c->time[f->injection_source[i]] + collide_first(c, i) + c->rest[f->injection_state[i]] +
        collide_way(c, i);
}

void latency_metapaths(double *out, const struct latency_study *s)
{
    const struct flows *f = &s->flows;

    for (size_t i = 0; i < f->nsource; i++)
        out[i] = 0;
    for (size_t i = 0, end; i < f->ninjection; i = end) {
        double share = 0, bandwidth = 0;

        for (end = i; end < f->ninjection && f->injection_pair[end] == f->injection_pair[i]; end++)
            if (f->injection_share[end] > 0) {
                share += f->injection_share[end];
                bandwidth += 1 / latency_way(s, end);
            }
        if (share > 0)
            out[f->injection_source[i]] += share / bandwidth;
    }
}

int latency_choose(struct latency_study *s, const int *option, bool keep, struct err *err)
{
    struct flows *f = &s->flows;

    for (size_t i = 0; i < f->ninjection; i++) {
        const int c = f->injection_source[i], want = option[c];

        if (f->injection_option[i] != want)
            f->injection_share[i] = 0;
        else if (!keep || s->option[c] != want)
            f->injection_share[i] = f->injection_given[i];
    }
    for (size_t i = 0; i < f->nsource; i++)
        s->option[i] = option[i];
    return flows_overlap(f, s->o.collide.tick, err);
}

static bool by_bandwidth(const struct latency_study *s)
{
    bool any = false;

    for (size_t i = 0; i < s->nrouting; i++)
        any = any || s->routing[i].by_bandwidth;
    return any;
}

/* What the shares of the ways of each pair would be in proportion to 1/latency; returns how far off they are, at
 * most. */
static double wanted_shares(double *want, const struct latency_study *s)
{
    const struct flows *f = &s->flows;
    double off = 0;

    memcpy(want, f->injection_share, f->ninjection * sizeof *want);
    for (size_t i = 0, end; i < f->ninjection; i = end) {
        double share = 0;

        for (end = i; end < f->ninjection && f->injection_pair[end] == f->injection_pair[i]; end++)
            share += f->injection_share[end];
        if (!(share > 0) || !s->routing[f->injection_option[i]].by_bandwidth)
            continue;                           /* not the option that its source has */
        for (size_t k = i; k < end; k++)
            want[k] = f->injection_given[k] > 0 ? latency_way(s, k) : INFINITY;
        drb_rule_shares(want + i, want + i, end - i, share);
        for (size_t k = i; k < end; k++)
            off = fmax(off, fabs(want[k] - f->injection_share[k]) / share);
    }
    return off;
}

/* Towards `want`, accelerated; half-way where that would leave a way without messages. */
static void move_shares(struct latency_study *s, struct mixing *mixing, const double *want, double *next)
{
    struct flows *f = &s->flows;
    bool positive = true;

    memcpy(next, f->injection_share, f->ninjection * sizeof *next);
    mixing_step(mixing, next, want, 0.5);
    for (size_t i = 0; i < f->ninjection; i++)
        positive = positive && (want[i] > 0 ? next[i] > 0 : next[i] == 0);
    if (!positive)
        mixing_forget(mixing);
    for (size_t i = 0; i < f->ninjection; i++)
        f->injection_share[i] = positive ? next[i] : (f->injection_share[i] + want[i]) / 2;
}

static int solve_shares(struct latency_study *s, const struct load *load, double *want, struct err *err)
{
    int (*solve)(struct collide *, const struct load *, struct err *) = s->o.open ? collide_open_solve :
        collide_closed_solve;
    double *next = want + s->flows.ninjection;
    struct mixing mixing;
    char where[60];
    int ret;

    if (mixing_open(&mixing, s->flows.ninjection, 5, err) < 0)
        return -1;
    while ((ret = solve(&s->collide, load, err)) == 0 && wanted_shares(want, s) >= 1e-9) {
        if (++s->shares_rounds > 500) {
            ret = err_set(err, ERR_NETWORK, "the shares of the ways do not settle at %s",
                          load_name(where, &s->flows, load));
            break;
        }
        move_shares(s, &mixing, want, next);
        ret = flows_overlap(&s->flows, s->o.collide.tick, err);
        if (ret < 0)
            break;
    }
    mixing_release(&mixing);
    return ret;
}

/* So near to its own saturation, or beyond it, open sources are not solved: rounds grow without limit there. */
#define ALL_BUT 0.9999

static int beyond(struct latency_study *s, const struct load *load, struct err *err)
{
    const struct flows *f = &s->flows;
    const double time = s->o.collide.time, rate = load->factor / load->interval;
    const char *all = f->copies > 1 || flows_links(f, s->capacity_link) > 1 ? ", and all like it" : "";
    const char *blocked = !s->o.open && f->cyclic && s->o.collide.switching->hold ?
        "; where routes close cycles, messages that hold links may block each other for good" : "";
    char *link = flows_link_label(f, s->capacity_link);

    s->collide.full_link = (int64_t)s->capacity_link;
    s->collide.rounds = 0;
    s->collide.residual = NAN;
    if (!link)
        return err_memory(err);
    if (traffic_own(f->traffic) != OWN_NONE)
        err_set(err, ERR_NETWORK, "%.5g times the rates is beyond saturation, which the model puts at %.5g times "
                "(fullest link: %s)%s", load->factor, s->saturation_factor, link, blocked);
    else if (s->o.open && !traffic_own_times(f->traffic))
        err_set(err, ERR_NETWORK, "a load of %.5g is beyond saturation, which the model puts at %.5g flits per node "
                "and cycle (fullest link: %s%s)", time * rate, time * s->saturation_factor, link, all);
    else
        err_set(err, ERR_NETWORK, "an interval of %.6g cycles is beyond saturation, which the model puts at %.6g "
                "cycles (fullest link: %s%s)%s", 1 / rate, 1 / s->saturation_factor, link, all, blocked);
    free(link);
    return -1;
}

/* What is not solved beyond saturation, as far as that is known, is not solved because of it. */
static int solved_or_beyond(struct latency_study *s, const struct load *load, int ret, struct err *err)
{
    const bool above = load->factor / load->interval > s->saturation_factor;

    return ret < 0 && err->code == ERR_NETWORK && above ? beyond(s, load, err) : ret;
}

int latency_solve(struct latency_study *s, const struct load *load, struct err *err)
{
    double *want;
    int ret;

    s->shares_rounds = 0;
    if (s->o.open && !by_bandwidth(s) && load->factor / load->interval > ALL_BUT * s->saturation_factor)
        return beyond(s, load, err);
    if (!by_bandwidth(s))
        return solved_or_beyond(s, load, (s->o.open ? collide_open_solve : collide_closed_solve)(&s->collide, load,
                                err), err);
    if (TAKE("the shares of ways", err, ARRAY(want, 2 * s->flows.ninjection)) < 0)
        return -1;
    ret = solved_or_beyond(s, load, solve_shares(s, load, want, err), err);
    free(want);
    return ret;
}
