#include "analysis/latency.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int latency_open(struct latency_study *out, const struct traffic *traffic, struct routing *routing,
                 const struct latency_options *o, struct err *err)
{
    struct latency_study s = { .o = *o, .traffic = traffic, .routing = routing, .saturation_factor = NAN };
    const struct flows_options how = { o->unfolded, o->ejection, o->collide.tick };
    double *rate = NULL, *link = NULL, most = 0;
    int ret = -1;

    if (flows_open(&s.flows, traffic, routing, 1, &how, err) < 0)
        return -1;
    if (collide_open(&s.collide, &s.flows, &o->collide, err) < 0)
        goto done;
    rate = malloc((s.flows.nsource + 1) * sizeof *rate);
    link = malloc((s.flows.nlink + 1) * sizeof *link);
    if (!rate || !link) {
        err_memory(err);
        goto done;
    }
    for (size_t i = 0; i < s.flows.nsource; i++) {      /* the part of the time that a link is busy with this source */
        const struct flow_source *c = &s.flows.source[i];

        rate[i] = (isnan(c->time) ? o->collide.time : c->time) / (isnan(c->interval) ? 1 : c->interval);
    }
    if (flows_load(&s.flows, rate, link, NULL, err) < 0)
        goto done;
    for (size_t l = 0; l < s.flows.nlink; l++)
        if (link[l] > most) {
            most = link[l];
            s.capacity_link = l;
        }
    s.capacity_factor = 1 / most;
    ret = 0;
done:
    free(rate);
    free(link);
    if (ret < 0)
        latency_close(&s);
    else
        *out = s;
    if (ret == 0)
        out->collide.f = &out->flows;       /* where it lives now */
    return ret;
}

void latency_close(struct latency_study *s)
{
    collide_release(&s->collide);
    flows_release(&s->flows);
    *s = (struct latency_study){ 0 };
}

int latency_saturation(struct latency_study *s, struct err *err)
{
    return collide_saturation(&s->saturation_factor, &s->collide, &(struct load){ 1, 1 }, err);
}

static double root_latency(const struct latency_study *s, size_t i)
{
    const struct flows *f = &s->flows;
    const struct collide *c = &s->collide;
    const double hop = c->o.switching->flits ? c->o.hop_time : 0;

    return c->time[f->root_source[i]] + c->wait[f->root_port[i]] + c->rest[f->root_state[i]] + hop * (f->root_hops[i] - 1);
}

/* Shares of the ways of each pair in proportion to 1/latency, half-way from what they were; returns how far off they
 * were, at most. */
static double move_shares(struct latency_study *s)
{
    struct flows *f = &s->flows;
    double off = 0;

    for (size_t i = 0, end; i < f->nroot; i = end) {
        double share = 0, bandwidth = 0;

        for (end = i; end < f->nroot && f->root_pair[end] == f->root_pair[i]; end++) {
            share += f->root_share[end];
            bandwidth += f->root_given[end] > 0 ? 1 / root_latency(s, end) : 0;
        }
        for (size_t k = i; k < end; k++) {
            const double want = f->root_given[k] > 0 ? share / root_latency(s, k) / bandwidth : 0;

            off = fmax(off, fabs(want - f->root_share[k]) / share);
            f->root_share[k] = (f->root_share[k] + want) / 2;
        }
    }
    return off;
}

int latency_solve(struct latency_study *s, const struct load *load, struct err *err)
{
    s->shares_rounds = 0;
    for (;;) {
        if ((s->o.open ? collide_open_solve : collide_closed_solve)(&s->collide, load, err) < 0)
            return -1;
        if (!s->routing->by_bandwidth)
            return 0;
        if (move_shares(s) < 1e-9)
            return 0;
        if (++s->shares_rounds > 500)
            return err_set(err, ERR_NETWORK, "the shares of the ways do not settle at an interval of %.6g cycles",
                           load->interval / load->factor);
        if (flows_overlap(&s->flows, err) < 0)
            return -1;
    }
}
