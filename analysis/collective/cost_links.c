/* 1. the network as it is, links shared: messages go over their routes' links, which they share max-min fair (share.h).
 *    When a message begins is the executor's (overlap.h): sends ordered or blocking, receives in turn
 * 2. sends=at-once: a message begins when its process has sent it, whatever else that process sends, and whether or
 *    not it is waited for. Of cables side by side it takes one with the fewest flows
 * 3. sharing=serial: its bytes pass all links of its route at once, at the rate of the slowest (cut-through); it begins
 *    when the last of them is free, and holds each for its own time. A process works for `overhead` to send and to
 *    receive, one message at a time */
#include "analysis/broadcast/cycles_ways.h"
#include "analysis/collective/cost.h"
#include "analysis/collective/overlap.h"
#include "graph/base/spec.h"
#include "model/process/events.h"
#include "texts/cost.h"

struct flow {                           /* a message of sends=at-once */
    int from, to;
    double bytes, far;
};
struct links {
    struct cycles_links links;
    struct routing routing;
    struct route_path path;
    const struct placement *placement;
    double byte, cable;                 /* seconds of a unit link; of every cable */
    size_t *hop;                        /* links of the message */
    size_t room;
    bool *copied;                       /* by link: copies of the message go over it */
    struct overlap shared;              /* links that are shared; with sends=at-once its `share` alone */
    struct flow *flow;                  /* by letter */
    size_t room_letter;
    uint32_t *shares;                   /* links of the message */
    size_t room_shares;
    struct events events;
    double now;                         /* of the last one */
};

static void links_close(struct cost *c)
{
    struct links *l = c->state;

    overlap_close(&l->shared);
    events_release(&l->events);
    route_path_release(&l->path);
    routing_close(&l->routing);
    cycles_links_release(&l->links);
    FREE(l->hop, l->copied, l->flow, l->shares);
}

static const struct cost_kind links_serial, links_at_once;

/* sharing, sends and ports, which go together; serial: what copies are made by is not shared. */
static int links_how(struct cost *c, const struct spec *spec, bool *serial, struct err *err)
{
    static const char *const sharing[] = { "max-min", "serial", "fluid", NULL };
    static const char *const sends[] = { "ordered", "blocking", "at-once", NULL };
    static const char *const receives[] = { "in-turn", "at-once", NULL };
    static const char *const shared[] = { "sends", "receives", "ports", "injection", "pack" };
    const char *given = spec_get(spec, "sharing");
    struct links *l = c->state;
    int64_t ports;
    int how, which, taken;

    if (spec_choice(&how, spec, "sharing", sharing, err) < 0 || spec_choice(&which, spec, "sends", sends, err) < 0 ||
        spec_choice(&taken, spec, "receives", receives, err) < 0 ||
        spec_key_int(&ports, spec, "ports", 1, 1 << 10, 1, err) < 0 || cost_copies(c, spec, err) < 0 ||
        cost_time(&l->shared.pack, c, spec, "pack", 0, err) < 0)
        return -1;
    *serial = how == 1 || (!given && c->copies);
    for (size_t k = 0; *serial && k < sizeof shared / sizeof *shared; k++)
        if (spec_get(spec, shared[k]))
            return err_set(err, ERR_USAGE, "'%.80s': %s is of links that messages share: leave it out, or %s",
                           spec->text, shared[k], how == 1 ? "sharing=serial" : "multicast=yes");
    if (!*serial && c->copies)
        return err_set(err, ERR_USAGE, "'%.80s': messages that share links have no copies: leave out multicast=yes, or "
                       "write sharing=serial", spec->text);
    which = how == 2 && !spec_get(spec, "sends") ? 2 : which;
    if (which == 2 && (ports > 1 || l->shared.pack > 0))
        return err_set(err, ERR_USAGE, "'%.80s': messages that are sent at once wait for no port, and are not packed: "
                       "leave out ports and pack, or sends=at-once", spec->text);
    c->kind = *serial ? &links_serial : which == 2 ? &links_at_once : c->kind;
    l->shared.ports = (int)ports;
    l->shared.blocking = which == 1;
    l->shared.unasked = taken == 1;
    return 0;
}

/* Seconds a byte. */
static double links_byte(const struct links *l, size_t link)
{
    return l->byte * (l->links.slowness ? l->links.slowness[link] : 1);
}

static int links_open(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err)
{
    struct links *l = c->state;
    double injection = 0;               /* seconds a byte */
    size_t nlink;
    bool serial;

    l->placement = w->placement;
    l->byte = 1 / w->rate;
    l->cable = w->cable;
    c->o = w->overhead;
    c->a = c->before = 2 * w->overhead + w->cable;
    if (links_how(c, spec, &serial, err) < 0 ||
        routing_open(&l->routing, w->net, routing_usual(w->routing, w->net, ROUTING_FOR_TREES), err) < 0 ||
        cycles_links_open(&l->links, w->net, err) < 0)
        return -1;
    nlink = l->links.trunks.nlink;
    cost_lengths(&l->links, w->length);
    c->b = l->byte / cost_width(&l->links, w->placement, err);
    if (isnan(c->b) || TAKE("links", err, ARRAY(l->copied, nlink)) < 0 ||
        cost_room(c, 2 * (size_t)c->n + (serial ? nlink : 0), nlink, err) < 0)
        return -1;
    if (serial)
        return 0;
    l->shared.links = &l->links;
    l->shared.routing = &l->routing;
    l->shared.placement = l->placement;
    l->shared.cable = l->cable;
    l->shared.work = c->o;
    if ((spec_get(spec, "injection") && cost_rate(&injection, c, spec, "injection", NAN, err) < 0) ||
        share_open(&l->shared.share, nlink + (injection > 0 ? (size_t)c->n : 0), err) < 0)
        return -1;
    l->shared.injects = injection > 0;
    c->b = fmax(c->b, injection);
    for (size_t k = 0; k < nlink; k++)
        l->shared.share.link[k].capacity = 1 / links_byte(l, k);
    for (size_t k = nlink; k < l->shared.share.nlink; k++)
        l->shared.share.link[k].capacity = 1 / injection;
    return 0;
}

/* The cable of a trunk that is named, from 1, or the best: the first to be free, or with the fewest flows. It is
 * counted as carrying the message. */
static size_t links_cable(struct cost *c, int a, int b, int cable, double bytes)
{
    const struct links *l = c->state;
    const struct trunks *t = &l->links.trunks;
    const struct share_link *shared = l->shared.share.link;
    const double *link = c->free + 2 * c->n;
    const size_t trunk = csr_link(t->csr, a, b), first = trunks_first(t, trunk), n = trunks_cables(t, trunk);
    size_t best = cable > 0 ? first + (size_t)cable - 1 : first;

    for (size_t k = first + 1; cable <= 0 && k < first + n; k++)
        best = (shared ? shared[k].n < shared[best].n : link[k] < link[best]) ? k : best;
    c->carried[best] += bytes;
    c->hops++;
    return best;
}

/* The links of a message. */
static int links_way(struct cost *c, size_t **hop, size_t *room, int from, int to, double bytes, struct err *err)
{
    struct links *l = c->state;

    if (route_path(&l->path, &l->routing, l->placement->node[from], l->placement->node[to], err) < 0 ||
        GROW(room, l->path.n, "links of a message", err, GROWN(*hop)) < 0)
        return -1;
    for (size_t k = 1; k < l->path.n; k++)
        (*hop)[k - 1] = links_cable(c, l->path.node[k - 1], l->path.node[k], l->path.cable[k], bytes);
    return 0;
}

/* Until what passes n links is at the end of the last. */
static double links_far(const struct links *l, const size_t *hop, size_t n)
{
    double far = l->cable * (double)n;

    for (size_t k = 0; l->links.length && k < n; k++)
        far += l->links.length[hop[k]];
    return far;
}

static double links_send(struct cost *c, int from, int to, double bytes, double *time, struct err *err)
{
    struct links *l = c->state;
    double *own = &c->free[from], *link = c->free + 2 * c->n, start = fmax(*time, *own) + c->o, slowest = 0;

    if (links_way(c, &l->hop, &l->room, from, to, bytes, err) < 0)
        return NAN;
    *time = *own = start;
    for (size_t k = 1; k < l->path.n; k++) {
        start = fmax(start, link[l->hop[k - 1]]);
        slowest = fmax(slowest, links_byte(l, l->hop[k - 1]));
    }
    for (size_t k = 1; k < l->path.n; k++)
        link[l->hop[k - 1]] = start + bytes * links_byte(l, l->hop[k - 1]);
    return start + bytes * slowest + links_far(l, l->hop, l->path.n - 1);
}

/* Over every link of the routes to all others, once, when all of them are free: switches copy. */
static int links_copy(struct cost *c, int from, double bytes, double *time, double *arrival, struct err *err)
{
    struct links *l = c->state;
    double *own = &c->free[from], *link = c->free + 2 * c->n, start = fmax(*time, *own) + c->o;
    const size_t nlink = l->links.trunks.nlink;

    *time = *own = start;
    memset(l->copied, 0, nlink * sizeof *l->copied);
    for (int p = 0; p < c->n; p++) {
        double slowest = 0;

        if (p == from)
            continue;
        if (links_way(c, &l->hop, &l->room, from, p, 0, err) < 0)
            return -1;
        for (size_t k = 1; k < l->path.n; k++) {
            l->copied[l->hop[k - 1]] = true;
            start = fmax(start, link[l->hop[k - 1]]);
            slowest = fmax(slowest, links_byte(l, l->hop[k - 1]));
        }
        c->hops -= (double)(l->path.n - 1);             /* they are counted below */
        arrival[p] = bytes * slowest + links_far(l, l->hop, l->path.n - 1);
    }
    for (int p = 0; p < c->n; p++)
        arrival[p] += start;
    for (size_t k = 0; k < nlink; k++)
        if (l->copied[k]) {
            link[k] = start + bytes * links_byte(l, k);
            c->carried[k] += bytes;
            c->hops++;
        }
    return 0;
}

static double links_take(struct cost *c, int to, double, double arrival, double time)
{
    double *last = &c->free[c->n + to];

    *last = fmax(fmax(time, arrival), *last) + c->o;
    return *last;
}

/* ---- sends=at-once ---- */

/* In this order at one instant, after ends of flows; rates are found when all is done. */
enum event_of { BEGINS, THERE };

static int flow_happens(struct links *l, double at, enum event_of what, size_t letter, struct err *err)
{
    return events_push(&l->events, (struct event){ at, (uint64_t)what << 60 | letter, 2 * letter + what }, err);
}

static int flows_begin(struct cost *c, struct err *)
{
    struct links *l = c->state;

    share_clear(&l->shared.share);
    events_clear(&l->events);
    return 0;
}

static int flow_start(struct cost *c, size_t letter, int from, int to, double bytes, double *time, struct err *err)
{
    struct links *l = c->state;
    double *own = &c->free[from];

    if (GROW(&l->room_letter, letter + 1, "messages", err, GROWN(l->flow)) < 0)
        return -1;
    l->flow[letter] = (struct flow){ from, to, bytes, 0 };
    *time = *own = fmax(*time, *own) + c->o;
    return flow_happens(l, *time, BEGINS, letter, err);
}

static int flow_begins(struct cost *c, size_t letter, double now, struct err *err)
{
    struct links *l = c->state;
    struct flow *f = &l->flow[letter];
    size_t n;

    if (links_way(c, &l->hop, &l->room, f->from, f->to, f->bytes, err) < 0 ||
        GROW(&l->room_shares, l->path.n, "links of a message", err, GROWN(l->shares)) < 0)
        return -1;
    n = l->path.n - 1;
    f->far = links_far(l, l->hop, n);
    if (!(f->bytes > 0) || n == 0)              /* within a node */
        return flow_happens(l, now + f->far, THERE, letter, err);
    for (size_t k = 0; k < n; k++)
        l->shares[k] = (uint32_t)l->hop[k];
    if (l->shared.injects)
        l->shares[n++] = (uint32_t)(l->links.trunks.nlink + (size_t)f->from);
    return share_begin(&l->shared.share, letter, l->shares, n, f->bytes, now, err);
}

static double flows_ends(const struct share *s)
{
    const size_t flow = share_first(s);

    return flow == SIZE_MAX ? INFINITY : s->flow[flow].end;
}

static double flows_next(const struct cost *c)
{
    const struct links *l = c->state;
    const struct share *s = &l->shared.share;

    return fmin(fmin(flows_ends(s), s->due), events_time(&l->events));
}

static int flows_pass(struct cost *c, size_t *letter, struct err *err)
{
    struct links *l = c->state;
    struct share *s = &l->shared.share;
    const double next = flows_next(c);
    struct event e;

    if (flows_ends(s) <= next) {
        const size_t flow = share_first(s);

        share_end(s, flow);
        return flow_happens(l, next + l->flow[flow].far, THERE, flow, err);
    }
    if (!(events_time(&l->events) <= next))
        return share_find(s, next, err);
    e = events_pop(&l->events);
    if (e.what % 2 == BEGINS)
        return flow_begins(c, e.what / 2, e.at, err);
    *letter = e.what / 2;
    return 0;
}

/* ---- sends=ordered, blocking ---- */

static int links_execute(struct execution *x, struct cost *c, const struct schedule *s, double combine,
                         const struct tick *t, struct err *err)
{
    struct links *l = c->state;

    return overlap(x, &l->shared, s, c, combine, t, err);
}

static double links_gap(const struct cost *c, double)
{
    return ((const struct links *)c->state)->shared.ports > 1 ? 0 : c->o;
}

#define LINKS \
    COST_LINKS_ENTRY, \
    .network = true, \
    .says = true, \
    .room = sizeof(struct links), \
    .open = links_open, \
    .close = links_close, \
    .take = links_take, \
    .alone = cost_alone, \
    .gap = links_gap

const struct cost_kind cost_links = { LINKS, .execute = links_execute };
static const struct cost_kind links_serial = { LINKS, .send = links_send, .copy = links_copy };
static const struct cost_kind links_at_once = {
    LINKS, .begin = flows_begin, .start = flow_start, .next = flows_next, .pass = flows_pass
};
