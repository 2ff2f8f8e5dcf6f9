#include "analysis/latency/latency_domain.h"

#include <string.h>

enum { HOLDS, ONE_CHANNEL, SEVERAL_CHANNELS, MESSAGES };

static const struct latency_domain domains[] = {
    [HOLDS] = { "holds", 0.8, 1, INFINITY, 1, INFINITY },
    [ONE_CHANNEL] = { "one buffered channel", 0.7, 1, 8, 2, 1.25 },
    [SEVERAL_CHANNELS] = { "several channels", 0.65, 1, 4, 16, 1.25 },
    [MESSAGES] = { "message level", 0.8, 1, INFINITY, INFINITY, INFINITY }
};

static bool one_channel(const struct latency_study *s)
{
    return !s->o.collide.switching->hold && router_channels(&s->o.collide.router) == 1;
}

const struct latency_domain *latency_domain(const struct latency_study *s)
{
    return &domains[s->o.collide.switching->hold ? HOLDS : one_channel(s) ? ONE_CHANNEL :
                    isinf(s->o.collide.router.vcs) ? MESSAGES : SEVERAL_CHANNELS];
}

enum validity latency_judge(const struct latency_study *s, double part, double utilisation)
{
    const bool hold = s->o.collide.switching->hold;

    if (latency_may_deadlock(s))
        return VALIDITY_DEADLOCK;
    if (s->o.open) {
        const struct latency_domain *d = latency_domain(s);
        const struct router *r = &s->o.collide.router;

        if (isnan(part))
            return VALIDITY_UNKNOWN;
        if (!hold && (s->o.collide.time > d->flits * r->buffer || r->vcs > d->channels ||
                      r->credit_loop > d->loop * r->buffer))
            return VALIDITY_UNTESTED;
        return part <= d->part * (1 + 1e-9) && utilisation <= d->utilisation * (1 + 1e-9) ? VALIDITY_GOOD :
            hold ? VALIDITY_NEAR : VALIDITY_UNTESTED;
    }
    if (!hold && isfinite(s->o.collide.router.vcs))
        return VALIDITY_UNTESTED;
    if (!hold && utilisation > 0.7)
        return VALIDITY_OUTSIDE;
    return utilisation > 0.8 ? VALIDITY_SATURATED : VALIDITY_GOOD;
}

int latency_classes(const struct net *net, const struct routing *routing, size_t nrouting)
{
    bool rings = false;

    for (int dim = 0; dim < net->ndim; dim++)
        rings = rings || (net->wrap && net->wrap[dim] && net->size[dim] > 2);
    for (size_t i = 0; i < nrouting; i++)
        rings = rings && !routing[i].base && strcmp(routing[i].route->name, "dor") == 0;
    return rings ? 2 : 1;
}

bool latency_lacks_classes(const struct latency_study *s)
{
    const int classes = latency_classes(s->flows.net, s->routing, s->nrouting);

    return s->flows.cyclic && isfinite(s->o.collide.router.buffer) &&
        (classes == 1 || s->o.collide.router.classes < classes);
}

bool latency_may_deadlock(const struct latency_study *s)
{
    return (s->o.collide.switching->hold || one_channel(s)) && latency_lacks_classes(s);
}
