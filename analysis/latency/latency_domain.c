#include "analysis/latency/latency_domain.h"
#include "analysis/deadlock/dependencies.h"

enum { HOLDS, ONE_CHANNEL, SEVERAL_CHANNELS, SEVERAL_HOPS, SEVERAL_OTHER, SEVERAL_METAPATHS, SEVERAL_WAYS, SEVERAL_MEET,
       MESSAGES, MESSAGES_MEET };

/* Several channels were fitted where messages turn once or twice: those that turn more often wait less than the model
 * has it; and so do those of one source that part and meet again, for they have queued before. */
static const struct latency_domain domains[] = {
    [HOLDS] = { "holds", 0.8, 1, INFINITY, 1, INFINITY },
    [ONE_CHANNEL] = { "one buffered channel", 0.7, 1, 8, 2, 1.25 },
    [SEVERAL_CHANNELS] = { "several channels", 0.65, 1, 4, 16, 1.25 },
    [SEVERAL_HOPS] = { "several channels, several next hops", 0.6, 1, 4, 16, 1.25 },
    [SEVERAL_OTHER] = { "several channels, crossbar speedup or packets", 0.5, 1, 4, 16, 1.25 },
    [SEVERAL_METAPATHS] = { "several channels, metapaths", 0.5, 1, 4, 16, 1.25 },
    [SEVERAL_WAYS] = { "several channels, ways over other nodes", 0.35, 1, 4, 16, 1.25 },
    [SEVERAL_MEET] = { "several channels, streams that part and meet", 0.25, 1, 4, 16, 1.25 },
    [MESSAGES] = { "message level", 0.8, 1, INFINITY, INFINITY, INFINITY },
    [MESSAGES_MEET] = { "message level, streams that part and meet", 0.6, 1, INFINITY, INFINITY, INFINITY }
};

/* Where links have several speeds, and each class one channel or two: by simulation at a tenth and three tenths of
 * capacity (torus:3x3,bandwidth=4+1 and its like are off by 11 to 24 % beyond, and by less than 10 % below). */
#define PART_UNLIKE 0.5
/* Round rings, where datelines leave each class one channel: simulations of torus:16 find no steady state at 0.67. */
#define PART_RINGS 0.6

static bool one_channel(const struct latency_study *s)
{
    return !s->o.collide.switching->hold && router_channels(&s->o.collide.router) == 1;
}

const struct latency_domain *latency_domain(const struct latency_study *s)
{
    const bool messages = isinf(s->o.collide.router.vcs);
    const struct router *router = &s->o.collide.router;
    int worst = messages ? MESSAGES : router->speedup || router->packets ? SEVERAL_OTHER : SEVERAL_CHANNELS;

    if (s->o.collide.switching->hold || one_channel(s))
        return &domains[s->o.collide.switching->hold ? HOLDS : ONE_CHANNEL];
    for (size_t i = 0; i < s->nrouting; i++) {
        const struct routing *r = &s->routing[i];
        const bool hops = !r->base && r->most > 1 && !r->route->ordered;
        const int of = messages ? hops && !s->flows.traffic->matrix ? MESSAGES_MEET : MESSAGES :
            r->base ? r->route->metapaths ? SEVERAL_METAPATHS : SEVERAL_WAYS :
            !hops ? SEVERAL_CHANNELS : s->flows.traffic->matrix ? SEVERAL_HOPS : SEVERAL_MEET;

        worst = of > worst ? of : worst;
    }
    return &domains[worst];
}

/* To which part of the model's own saturation rows are believed. */
static double believed(const struct latency_study *s)
{
    const struct router *r = &s->o.collide.router;
    double part = latency_domain(s)->part;

    if (s->o.collide.switching->hold)
        return part;
    if (s->flows.link_slow && router_channels(r) <= 2)
        part = fmin(part, PART_UNLIKE);
    return one_channel(s) && r->classes > 1 && latency_classes(s->flows.net, s->routing, s->nrouting) > 1 ?
        fmin(part, PART_RINGS) : part;
}

static enum validity judge(const struct latency_study *s, double part, double utilisation)
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
        return part <= believed(s) * (1 + 1e-9) && utilisation <= d->utilisation * (1 + 1e-9) ? VALIDITY_GOOD :
            hold ? VALIDITY_NEAR : VALIDITY_UNTESTED;
    }
    if (!hold && isfinite(s->o.collide.router.vcs))
        return VALIDITY_UNTESTED;
    if (!hold && utilisation > 0.7)
        return VALIDITY_OUTSIDE;
    return utilisation > 0.8 ? VALIDITY_SATURATED : VALIDITY_GOOD;
}

enum validity latency_judge(const struct latency_study *s, double part, double utilisation)
{
    const enum validity v = judge(s, part, utilisation);

    return v == VALIDITY_GOOD && s->untested ? VALIDITY_UNTESTED : v;
}

int latency_classes(const struct net *net, const struct routing *routing, size_t nrouting)
{
    bool rings = false;

    for (int dim = 0; dim < net->ndim; dim++)
        rings = rings || (net->wrap && net->wrap[dim] && net->size[dim] > 2);
    for (size_t i = 0; i < nrouting; i++)
        rings = rings && !routing[i].base && routing[i].route->ordered;
    return rings ? 2 : 1;
}

bool latency_proven(const struct net *net, const struct routing *routing, size_t nrouting, const char *scheme)
{
    const struct classes_kind *kind = scheme ? classes_find(scheme, NULL) : NULL;

    return kind && kind->rings && net->lines == LINES_GRID && latency_classes(net, routing, nrouting) == 2;
}

/* What datelines do for dimension order on rings is proven: there whether it needs any is found without them, of one
 * node for all. */
int latency_divide(struct latency_study *s, struct err *err)
{
    struct net *net = s->routing->net;
    struct router *r = &s->o.collide.router;
    const struct routing *escape = s->routing->escape, *judged = escape ? escape : s->routing;
    const bool rings = latency_classes(net, judged, escape ? 1 : s->nrouting) == 2;
    const char *scheme = s->o.classes ? s->o.classes : rings ? classes_dateline.name : NULL;
    const bool proven = latency_proven(net, judged, escape ? 1 : s->nrouting, scheme);
    const struct deadlock_options o = { .classes = proven ? NULL : scheme, .verdict = true,
                                        .jobs = s->o.collide.jobs, .tick = s->o.collide.tick };
    struct deadlock d = { 0 };
    struct deadlock_need need = { 0 };
    int channels, ret = -1;

    if (deadlock_open(&d, net, s->routing, s->nrouting, &o, err) < 0 ||
        (!d.cyclic && deadlock_need(&need, &d, err) < 0))
        goto done;
    channels = !d.cyclic ? need.channels : proven ? 2 : deadlock_classes_used(&d);
    if (escape)
        channels++;
    else
        r->classes = channels;
    s->blocks = (d.cyclic && !proven) || channels > r->vcs;
    if (s->o.classes && channels > r->vcs)
        err_set(err, ERR_DOMAIN, "--classes %.100s needs %d virtual channels of each link of %.200s, and there %s %g: "
                "write --vcs %d, and no --switching but virtual-channel", s->o.classes, channels, net->spec,
                r->vcs == 1 ? "is" : "are", r->vcs, channels);
    else
        ret = 0;
done:
    deadlock_need_release(&need);
    deadlock_close(&d);
    return ret;
}

bool latency_lacks_classes(const struct latency_study *s)
{
    const int classes = latency_classes(s->flows.net, s->routing, s->nrouting);

    return s->flows.cyclic && isfinite(s->o.collide.router.buffer) &&
        (s->o.classes || s->routing->escape ? s->blocks : classes == 1 || s->o.collide.router.classes < classes);
}

bool latency_may_deadlock(const struct latency_study *s)
{
    return (s->o.collide.switching->hold || one_channel(s)) && latency_lacks_classes(s);
}
