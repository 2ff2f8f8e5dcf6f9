/* 1. the network as it is: a message goes over its route's links, which others hold meanwhile. Its bytes pass all of
 *    them at once, at the rate of the slowest (cut-through); it begins when the last of them is free, and holds each
 *    for its own time. A process works for `overhead` to send and to receive, one message at a time
 * 2. sharing=fluid: a message begins at once, and is a flow at the rate that it has on the link where it has least. Of
 *    cables side by side it takes one with the fewest flows. When some begin or end, rates are found anew for those
 *    that they reach over links that flows share */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/broadcast/cycles_ways.h"
#include "analysis/collective/cost.h"
#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "graph/base/spec.h"
#include "model/process/events.h"
#include "texts/cost.h"

struct lane {                           /* a link */
    size_t *flow, n, room;              /* that go over it, by letter */
    double left;                        /* of its rate, while shares are found */
    size_t open;                        /* flows without a share yet */
    bool met;
};
struct flow {                           /* a message of sharing=fluid */
    size_t *hop, nhop, room;
    int from, to;
    double bytes, rate, since, end;     /* bytes that are left at `since`; when they are through at that rate */
    bool met, fixed;
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
    struct lane *lane;                  /* NULL: links are not shared */
    struct flow *flow;                  /* by letter */
    size_t nletter, room_letter;
    size_t *todo, ntodo, *part, npart;  /* links and flows whose shares change */
    struct events events;
    double now;                         /* of the last one */
};

static void links_close(struct cost *c)
{
    struct links *l = c->state;

    for (size_t k = 0; l->lane && k < l->links.trunks.nlink; k++)
        free(l->lane[k].flow);
    for (size_t k = 0; k < l->nletter; k++)
        free(l->flow[k].hop);
    events_release(&l->events);
    route_path_release(&l->path);
    routing_close(&l->routing);
    cycles_links_release(&l->links);
    FREE(l->hop, l->copied, l->lane, l->flow, l->todo, l->part);
}

static const struct cost_kind links_fluid;

static int links_open(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err)
{
    static const char *const sharing[] = { "serial", "fluid", NULL };
    struct links *l = c->state;
    size_t nlink;
    int which;

    l->placement = w->placement;
    l->byte = 1 / w->rate;
    l->cable = w->cable;
    c->o = w->overhead;
    c->a = c->before = 2 * w->overhead + w->cable;
    if (spec_choice(&which, spec, "sharing", sharing, err) < 0 || cost_copies(c, spec, err) < 0 ||
        routing_open(&l->routing, w->net, routing_usual(w->routing, w->net, ROUTING_FOR_TREES), err) < 0 ||
        cycles_links_open(&l->links, w->net, err) < 0)
        return -1;
    if (which == 1 && c->copies)
        return err_set(err, ERR_USAGE, "'%.80s': sharing=fluid has no copies: leave out multicast=yes, or "
                       "sharing=fluid", spec->text);
    nlink = l->links.trunks.nlink;
    cost_lengths(&l->links, w->length);
    if (which == 1)
        c->kind = &links_fluid;
    c->b = l->byte / cost_width(&l->links, w->placement, err);
    return isnan(c->b) || TAKE("links", err, ZEROS_IF(which, l->lane, nlink), ARRAY_IF(which, l->todo, nlink),
                                ARRAY(l->copied, nlink)) < 0 ? -1 :
        cost_room(c, 2 * (size_t)c->n + (which ? 0 : nlink), nlink, err);
}

/* The cable of a trunk that is named, from 1, or the best: the first to be free, or with the fewest flows. It is counted
 * as carrying the message. */
static size_t links_cable(struct cost *c, int a, int b, int cable, double bytes)
{
    const struct links *l = c->state;
    const struct trunks *t = &l->links.trunks;
    const double *link = c->free + 2 * c->n;
    const size_t trunk = csr_link(t->csr, a, b), first = trunks_first(t, trunk), n = trunks_cables(t, trunk);
    size_t best = cable > 0 ? first + (size_t)cable - 1 : first;

    for (size_t k = first + 1; cable <= 0 && k < first + n; k++)
        best = (l->lane ? l->lane[k].n < l->lane[best].n : link[k] < link[best]) ? k : best;
    c->carried[best] += bytes;
    c->hops++;
    return best;
}

/* Seconds a byte. */
static double links_byte(const struct links *l, size_t link)
{
    return l->byte * (l->links.slowness ? l->links.slowness[link] : 1);
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

static double links_take(struct cost *c, int to, double bytes, double arrival, double time)
{
    double *last = &c->free[c->n + to];

    (void)bytes;
    *last = fmax(fmax(time, arrival), *last) + c->o;
    return *last;
}

/* ---- sharing=fluid ---- */

/* In their order at one instant; once what is due then is done, shares are found anew where they change. */
enum fluid { ENDS, BEGINS, THERE };
enum { FLUID_BITS = 2 };

static int fluid_happens(struct links *l, double at, enum fluid what, size_t letter, struct err *err)
{
    return events_push(&l->events, (struct event){ at, (uint64_t)what << 60 | letter, letter << FLUID_BITS | what },
                       err);
}

static int fluid_begin(struct cost *c, struct err *err)
{
    struct links *l = c->state;

    (void)err;
    for (size_t k = 0; k < l->links.trunks.nlink; k++)
        l->lane[k].n = l->lane[k].met = 0;
    l->events.n = l->ntodo = 0;
    return 0;
}

static int fluid_start(struct cost *c, size_t letter, int from, int to, double bytes, double *time, struct err *err)
{
    struct links *l = c->state;
    double *own = &c->free[from];

    if (letter >= l->nletter) {
        if (GROW(&l->room_letter, letter + 1, "messages", err, GROWN(l->flow), GROWN(l->part)) < 0)
            return -1;
        while (l->nletter <= letter)
            l->flow[l->nletter++] = (struct flow){ 0 };
    }
    l->flow[letter].from = from;
    l->flow[letter].to = to;
    l->flow[letter].bytes = bytes;
    *time = *own = fmax(*time, *own) + c->o;
    return fluid_happens(l, *time, BEGINS, letter, err);
}

/* The shares of all that have to do with these links change. */
static void fluid_meet(struct links *l, const struct flow *f)
{
    for (size_t k = 0; k < f->nhop; k++)
        if (!l->lane[f->hop[k]].met) {
            l->lane[f->hop[k]].met = true;
            l->todo[l->ntodo++] = f->hop[k];
        }
}

static int fluid_begins(struct cost *c, size_t letter, double now, struct err *err)
{
    struct links *l = c->state;
    struct flow *f = &l->flow[letter];

    if (links_way(c, &f->hop, &f->room, f->from, f->to, f->bytes, err) < 0)
        return -1;
    f->nhop = l->path.n - 1;
    f->rate = 0;
    f->since = now;
    if (!(f->bytes > 0) || f->nhop == 0)        /* within a node */
        return fluid_happens(l, now + links_far(l, f->hop, f->nhop), THERE, letter, err);
    for (size_t k = 0; k < f->nhop; k++) {
        struct lane *lane = &l->lane[f->hop[k]];

        if (GROW(&lane->room, lane->n + 1, "messages on a link", err, GROWN(lane->flow)) < 0)
            return -1;
        lane->flow[lane->n++] = letter;
    }
    fluid_meet(l, f);
    return 0;
}

static int fluid_ends(struct links *l, size_t letter, double now, struct err *err)
{
    struct flow *f = &l->flow[letter];

    for (size_t k = 0; k < f->nhop; k++) {
        struct lane *lane = &l->lane[f->hop[k]];
        size_t i = 0;

        while (lane->flow[i] != letter)
            i++;
        lane->flow[i] = lane->flow[--lane->n];
    }
    f->rate = 0;
    fluid_meet(l, f);
    return fluid_happens(l, now + links_far(l, f->hop, f->nhop), THERE, letter, err);
}

/* The links and flows that what changed reaches, over links that flows share. */
static void fluid_reach(struct links *l)
{
    l->npart = 0;
    for (size_t i = 0; i < l->ntodo; i++) {
        struct lane *lane = &l->lane[l->todo[i]];

        lane->left = 1 / links_byte(l, l->todo[i]);
        lane->open = lane->n;
        for (size_t j = 0; j < lane->n; j++) {
            struct flow *f = &l->flow[lane->flow[j]];

            if (f->met)
                continue;
            f->met = true;
            l->part[l->npart++] = lane->flow[j];
            fluid_meet(l, f);
        }
    }
}

/* Flow k has its share from now on. */
static int fluid_fix(struct links *l, size_t k, double share, double now, struct err *err)
{
    struct flow *f = &l->flow[k];

    f->fixed = true;
    for (size_t h = 0; h < f->nhop; h++) {
        l->lane[f->hop[h]].left -= share;
        l->lane[f->hop[h]].open--;
    }
    if (f->rate == share)
        return 0;
    f->bytes = fmax(0, f->bytes - f->rate * (now - f->since));
    f->since = now;
    f->rate = share;
    f->end = now + f->bytes / share;
    return fluid_happens(l, f->end, ENDS, k, err);
}

/* Progressive filling: again and again the links with the least for each of their flows give all of them that. */
static int fluid_shares(struct links *l, double now, struct err *err)
{
    size_t busy;

    fluid_reach(l);
    do {
        double share = INFINITY;

        busy = 0;
        for (size_t i = 0; i < l->ntodo; i++) {     /* those with flows left stay in front */
            const size_t link = l->todo[i];
            const struct lane *lane = &l->lane[link];

            if (!lane->open)
                continue;
            share = fmin(share, lane->left / (double)lane->open);
            l->todo[i] = l->todo[busy];
            l->todo[busy++] = link;
        }
        for (size_t i = 0; i < busy; i++) {
            const struct lane *lane = &l->lane[l->todo[i]];

            if (!lane->open || lane->left > share * (1 + 1e-12) * (double)lane->open)
                continue;
            for (size_t j = 0; j < lane->n; j++)
                if (!l->flow[lane->flow[j]].fixed && fluid_fix(l, lane->flow[j], share, now, err) < 0)
                    return -1;
        }
    } while (busy);
    for (size_t i = 0; i < l->ntodo; i++)
        l->lane[l->todo[i]].met = false;
    for (size_t i = 0; i < l->npart; i++)
        l->flow[l->part[i]].met = l->flow[l->part[i]].fixed = false;
    l->ntodo = 0;
    return 0;
}

/* Whether the next event is an end that shares have moved. */
static bool fluid_moved(const struct links *l)
{
    const struct event *e = l->events.heap;
    const struct flow *f = &l->flow[e->what >> FLUID_BITS];

    return (e->what & 3) == ENDS && !(f->rate > 0 && f->end == e->at);
}

static double fluid_next(const struct cost *c)
{
    struct links *l = c->state;

    while (l->events.n && fluid_moved(l))
        events_pop(&l->events);
    return l->ntodo ? l->now : l->events.n ? l->events.heap[0].at : INFINITY;
}

static int fluid_pass(struct cost *c, size_t *letter, struct err *err)
{
    struct links *l = c->state;
    struct event e;
    size_t k;

    if (l->ntodo && !(l->events.n && l->events.heap[0].at <= l->now))
        return fluid_shares(l, l->now, err);
    e = events_pop(&l->events);
    k = e.what >> FLUID_BITS;
    l->now = e.at;
    if ((e.what & 3) == THERE)
        *letter = k;
    return (e.what & 3) == ENDS ? fluid_ends(l, k, e.at, err) : (e.what & 3) == BEGINS ?
        fluid_begins(c, k, e.at, err) : 0;
}

static const struct spec_key keys[] = {
    { "multicast", "no|yes", "yes: switches copy a message to all others on its way (default: no)" },
    { "sharing", "serial|fluid", "fluid: messages share links, max-min fair (default: serial, one after the other)" },
    { NULL, NULL, NULL }
};

#define LINKS \
    .name = "links", \
    .synopsis = "links[,sharing=fluid][,multicast=yes]", \
    COST_LINKS_TEXT, \
    .source = "sharing: Bertsekas and Gallager 1992 (Data Networks), chapter 6", \
    .network = true, \
    .example = "links", \
    .keys = keys, \
    .room = sizeof(struct links), \
    .open = links_open, \
    .close = links_close, \
    .take = links_take, \
    .alone = cost_alone, \
    .gap = cost_work

const struct cost_kind cost_links = { LINKS, .send = links_send, .copy = links_copy };
static const struct cost_kind links_fluid = {
    LINKS, .begin = fluid_begin, .start = fluid_start, .next = fluid_next, .pass = fluid_pass
};
