/* The network that messages move over (fabric.h): links and routers, how fast they are, channels by class. */
#include "analysis/simulate/fabric.h"
#include "analysis/latency/latency_domain.h"

#define DELAY_MOST 1e6                  /* ticks on a link: the wheel of what is on its way has a place for each */
#define CHANNELS_MOST 1e9

/* ---- classes ---- */

/* Which scheme: the one that was asked for; datelines where dimension order, or an escape by it, goes round rings. */
static int fabric_scheme(const char **scheme, struct net *net, const struct routing *r, size_t nrouting,
                         const struct simulate_options *o, const struct router *router, struct err *err)
{
    const struct routing *judged = r->escape ? r->escape : r;
    const int classes = router->classes,
        usual = net->lines == LINES_GRID ? latency_classes(net, judged, r->escape ? 1 : nrouting) : 1;

    *scheme = o->classes ? o->classes : usual == 2 && classes != 1 && (router->vcs >= 2 || classes || r->escape) ?
        classes_dateline.name : NULL;
    if (!o->classes && classes > 1 && !(*scheme && classes == 2))
        return err_set(err, ERR_USAGE, "--classes %d does not say which message takes which: name a scheme, as in "
                       "--classes dateline (`metapath list classes`)", classes);
    return 0;
}

/* The dependencies of the scheme say how few channels it needs, and which of its classes share them. */
static int fabric_classes(struct fabric *f, struct net *net, struct routing *r, size_t nrouting,
                          const struct simulate_options *o, const struct router *router, struct err *err)
{
    const bool escape = r->escape != NULL;
    struct deadlock_options how = { .verdict = true, .jobs = o->jobs, .tick = o->tick };
    struct deadlock_need need = { 0 };
    bool rings;
    int ret = -1;

    if (fabric_scheme(&how.classes, net, r, nrouting, o, router, err) < 0)
        return -1;
    /* What datelines do for dimension order on rings is proven, and takes long to find where there are many nodes. */
    rings = latency_proven(net, escape ? r->escape : r, escape ? 1 : nrouting, how.classes);
    f->classed = how.classes != NULL;
    f->nclass = 1;
    if (rings || (!how.classes && !escape)) {
        struct classes *c = &f->d.classes;

        if (follow_open(&f->d.follow, net, false, err) < 0 ||
            classes_open(c, how.classes, false, &f->d.follow, r, nrouting, err) < 0)
            return -1;
        f->d.net = net;
        f->nclass = rings ? 2 : 1;
    } else {
        if (deadlock_open(&f->d, net, r, nrouting, &how, err) < 0 ||
            (!f->d.cyclic && deadlock_need(&need, &f->d, err) < 0))
            return -1;
        if (f->d.cyclic)
            f->nclass = f->d.classes.most;
        else {
            f->nclass = need.channels;
            f->class = need.channel;
            need.channel = NULL;
        }
        if (f->d.cyclic)
            snprintf(f->note, sizeof f->note, "%.100s closes cycles of channels: messages may deadlock",
                     how.classes ? how.classes : "the escape");
    }
    f->escape = escape ? f->nclass : 0;
    if (escape && o->drain && !o->classes && f->nclass + escape > router->vcs) {       /* all channels are everyone's */
        snprintf(f->note, sizeof f->note, "there is no channel for an escape: what deadlocks is drained");
        FREE(f->class);
        f->class = NULL;
        f->classed = false;
        f->escape = 0;
        f->nclass = 1;
        ret = 0;
    } else if (f->nclass + escape > router->vcs)
        err_set(err, ERR_DOMAIN, "%s%.100s needs %d virtual channels of each link of %.200s, and there %s %g: write "
                "--vcs %d", escape ? "adaptive routing, with an escape and " : "--classes ",
                how.classes ? how.classes : "no classes,", f->nclass + escape, net->spec,
                router->vcs == 1 ? "is" : "are", router->vcs, f->nclass + escape);
    else
        ret = 0;
    deadlock_need_release(&need);
    return ret;
}

void fabric_channels(int *lo, int *hi, const struct fabric *f, int mark, int link)
{
    const int all = f->escape ? f->escape : f->data;
    const struct classes *c = &f->d.classes;
    int class = 0;

    if (f->classed && (size_t)link < f->cables)
        class = c->kind->class(c, mark, link);
    if (f->class && (size_t)link < f->cables)
        class = f->class[deadlock_kind_of(&f->d, link) * c->most + class];
    if (f->unlimited || (size_t)link >= f->cables || class < 0) {
        *lo = 0;
        *hi = f->data - 1;
        return;
    }
    *lo = class * all / f->nclass;
    *hi = (class + 1) * all / f->nclass - 1;
}

/* ---- links ---- */

static int fabric_speed(struct fabric *f, const double *wide, struct err *err)
{
    const struct follow *w = &f->d.follow;
    double fastest = 0, slowest = INFINITY;
    double *speed;

    if (TAKE("how fast links are", err, ARRAY(speed, f->nlink)) < 0)
        return -1;
    for (size_t l = 0; l < f->nlink; l++) {
        speed[l] = l < f->cables ? trunks_kind(&w->trunks, l).bandwidth :
            wide[l - f->cables];
        if (f->to[l] == -1 && f->from[l] == -1)
            continue;
        fastest = fmax(fastest, speed[l]);
        slowest = fmin(slowest, speed[l]);
    }
    f->tick = 1 / fastest;
    if (slowest < fastest) {
        if (TAKE("how fast links are", err, ARRAY(f->slow, f->nlink)) < 0) {
            free(speed);
            return -1;
        }
        for (size_t l = 0; l < f->nlink; l++)
            f->slow[l] = speed[l] > 0 ? llround(fastest / speed[l] * FABRIC_ONE) : FABRIC_ONE;
    }
    free(speed);
    return 0;
}

static int fabric_times(struct fabric *f, const struct simulate_options *o, const struct router *router,
                        struct err *err)
{
    const double hop = (o->hop_time + router->time) / f->tick;
    double longest = 0;

    for (size_t l = 0; l < f->nlink; l++) {
        const double length = l < f->cables ? trunks_kind(&f->d.follow.trunks, l).length / f->tick : 0;
        const double flit = f->slow ? (double)f->slow[l] / FABRIC_ONE : 1;
        const double way = hop + length + (f->stores ? flit : 0);       /* stored: behind the end of its last flit */

        longest = fmax(longest, way);
        if (longest > DELAY_MOST)
            return err_set(err, ERR_DOMAIN, "a flit is on its way for %g cycles on a link of %.200s, and the simulator "
                           "keeps track of %g", longest * f->tick, f->net->spec, DELAY_MOST * f->tick);
        f->rest[l] = (int)fmax(1, round(flit + length));
        f->delay[l] = f->to[l] < 0 ? f->rest[l] : (int)fmax(1, round(way));
    }
    if (f->unlimited)
        return 0;
    /* A flit goes, goes on when it has come, and its credit comes back a tick later. */
    for (size_t l = 0; l < f->nlink; l++)
        f->loop = f->delay[l] + 1 > f->loop ? f->delay[l] + 1 : f->loop;
    if (router->credit_loop / f->tick > f->loop)
        f->loop = (int)fmin(round(router->credit_loop / f->tick), DELAY_MOST);
    f->places = (int)fmin(router->buffer, INT_MAX / 4);
    if (router->credit_loop == 0 && f->places < f->loop)        /* "within the buffer" */
        f->places = f->loop;
    return 0;
}

static int fabric_links(struct fabric *f, bool terminals, struct err *err)
{
    const struct follow *w = &f->d.follow;
    const size_t n = (size_t)f->net->n;
    double *wide = NULL;
    int ret = -1;

    f->cables = w->cables;
    f->nlink = f->cables + 2 * n;
    f->nrouter = (int)(2 * n);
    if (TAKE("the links of the simulation", err, ARRAY(f->from, f->nlink), ARRAY(f->to, f->nlink),
             ARRAY(f->delay, f->nlink), ARRAY(f->rest, f->nlink), ARRAY(f->output, f->nlink),
             ZEROS(f->nout, 2 * n), ARRAY(wide, 2 * n)) < 0)
        return -1;
    follow_widest(wide, w);
    for (size_t l = 0; l < f->nlink; l++) {
        const int v = (int)((l - f->cables) % n);

        f->from[l] = l < f->cables ? w->tail[l] : -1;
        f->to[l] = l < f->cables ? w->head[l] : -1;
        if (l >= f->cables && terminals && wide[l - f->cables] > 0) {
            f->from[l] = l < f->cables + n ? v : (int)n + v;
            f->to[l] = l < f->cables + n ? -1 : v;
        }
        f->output[l] = f->from[l] >= 0 ? f->nout[f->from[l]]++ : -1;
    }
    ret = fabric_speed(f, wide, err);
    free(wide);
    return ret;
}

int fabric_open(struct fabric *f, struct net *net, struct routing *routing, size_t nrouting, double longest,
                const struct simulate_options *o, struct err *err)
{
    const struct router *usual = o->switching->router, *router = o->router.vcs > 0 ? &o->router : usual;

    *f = (struct fabric){ .net = net, .stores = o->switching->stores, .unlimited = isinf(router->vcs),
                          .speedup = router->speedup, .packets = router->packets, .longest = longest };
    if (o->switching->sets_up)
        return err_set(err, ERR_DOMAIN, "circuits are not simulated: virtual-channel, wormhole, cut-through and "
                       "store-and-forward are");
    if (!(o->hop_time >= !f->stores))           /* stored, a message goes on a hop time after its end */
        return err_set(err, ERR_DOMAIN, "a flit takes a cycle for a link, at least: --hop-time %g is less than 1",
                       o->hop_time);
    if (f->unlimited) {
        if (follow_open(&f->d.follow, net, false, err) < 0 ||
            classes_open(&f->d.classes, NULL, false, &f->d.follow, routing, nrouting, err) < 0)
            goto fail;
        f->d.net = net;
        f->nclass = 1;
    } else if (fabric_classes(f, net, routing, nrouting, o, router, err) < 0) {
        goto fail;
    }
    f->data = f->vcs = f->unlimited ? 0 : (int)router->vcs;
    if (f->unlimited && o->balance.ack > ACK_BAND) {
        err_set(err, ERR_DOMAIN, "without virtual channels links serve first come, first served: acknowledgements with "
                "priority, or channels of their own, need --switching virtual-channel");
        goto fail;
    }
    if (o->balance.ack == ACK_RESERVED) {
        f->acks = o->balance.share;
        f->vcs++;
    }
    f->empty = f->escape > 0;
    if (fabric_links(f, o->terminals, err) < 0 || fabric_times(f, o, router, err) < 0)
        goto fail;
    f->whole = !f->unlimited && (f->stores || o->switching == &switching_cut_through);
    if (f->whole && f->places < longest) {
        err_set(err, ERR_DOMAIN, "buffers of %d flits do not hold messages of %g, which --switching %s needs",
                f->places, longest, o->switching->name);
        goto fail;
    }
    if ((double)f->nlink * f->vcs > CHANNELS_MOST) {
        err_set(err, ERR_MEMORY, "%.200s has %g virtual channels, and %g can be simulated", net->spec,
                (double)f->nlink * f->vcs, CHANNELS_MOST);
        goto fail;
    }
    return 0;
fail:
    fabric_close(f);
    return -1;
}

void fabric_close(struct fabric *f)
{
    FREE(f->from, f->to, f->delay, f->rest, f->slow, f->output, f->nout, f->class);
    deadlock_close(&f->d);
    *f = (struct fabric){ 0 };
}
