/* The network as it is: a message goes over its route's links, which others hold meanwhile. Its bytes pass all of them
 * at once, at the rate of the slowest (cut-through); it begins when the last of them is free, and holds each for its own
 * time. A process works for `overhead` to send and to receive, one message at a time. */
#include <math.h>
#include <stdlib.h>

#include "analysis/broadcast/cycles_ways.h"
#include "analysis/collective/cost.h"
#include "graph/base/grow.h"
#include "graph/base/mem.h"
#include "graph/base/spec.h"

struct links {
    struct cycles_links links;
    struct routing routing;
    struct route_path path;
    const struct placement *placement;
    double byte, cable;                 /* seconds of a unit link; of every cable */
    size_t *hop;                        /* links of the message */
    size_t room;
};

static void links_close(struct cost *c)
{
    struct links *l = c->state;

    if (!l)
        return;
    route_path_release(&l->path);
    routing_close(&l->routing);
    cycles_links_release(&l->links);
    FREE(l->hop, l);
    c->state = NULL;
}

static int links_open(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err)
{
    struct links *l = c->state = calloc(1, sizeof *l);

    (void)spec;
    if (!l)
        return err_memory(err);
    l->placement = w->placement;
    l->byte = 1 / w->rate;
    l->cable = w->cable;
    c->o = w->overhead;
    if (routing_open(&l->routing, w->net, routing_usual(w->routing, w->net, ROUTING_FOR_TREES), err) < 0 ||
        cycles_links_open(&l->links, w->net, err) < 0)
        return -1;
    return cost_room(c, 2 * (size_t)c->n + l->links.trunks.nlink, err);
}

/* The cable of a trunk that is named, from 1, or the one that is free first. */
static size_t links_cable(const struct links *l, const double *free_at, int a, int b, int cable)
{
    const struct trunks *t = &l->links.trunks;
    const size_t trunk = csr_link(t->csr, a, b), first = trunks_first(t, trunk), n = trunks_cables(t, trunk);
    size_t best = first;

    if (cable > 0)
        return first + (size_t)cable - 1;
    for (size_t k = first + 1; k < first + n; k++)
        best = free_at[k] < free_at[best] ? k : best;
    return best;
}

static double links_send(struct cost *c, int from, int to, double bytes, double *time, struct err *err)
{
    struct links *l = c->state;
    double *own = &c->free[from], *link = c->free + 2 * c->n, start = fmax(*time, *own) + c->o, slowest = 0;

    if (route_path(&l->path, &l->routing, l->placement->node[from], l->placement->node[to], err) < 0 ||
        GROW(&l->room, l->path.n, "links of a message", err, GROWN(l->hop)) < 0)
        return NAN;
    *time = *own = start;
    for (size_t k = 1; k < l->path.n; k++) {
        const size_t h = l->hop[k - 1] = links_cable(l, link, l->path.node[k - 1], l->path.node[k], l->path.cable[k]);

        start = fmax(start, link[h]);
        slowest = fmax(slowest, l->links.slowness ? l->links.slowness[h] : 1);
    }
    for (size_t k = 1; k < l->path.n; k++)
        link[l->hop[k - 1]] = start + bytes * l->byte * (l->links.slowness ? l->links.slowness[l->hop[k - 1]] : 1);
    return start + bytes * l->byte * slowest + l->cable * (double)(l->path.n - 1);
}

static double links_take(struct cost *c, int to, double bytes, double arrival, double time)
{
    double *last = &c->free[c->n + to];

    (void)bytes;
    *last = fmax(fmax(time, arrival), *last) + c->o;
    return *last;
}

const struct cost_kind cost_links = {
    .name = "links",
    .summary = "the network's own links: messages take their routes, and links that others hold when these are done",
    .notes = "A message begins when all links of its route are free and passes them at the rate of the slowest; each "
        "is held for the time that its bytes take on it. A process works --overhead for each message that it sends or "
        "takes; between processes of one node, which no link joins, that is all.",
    .network = true,
    .example = "links",
    .open = links_open,
    .close = links_close,
    .send = links_send,
    .take = links_take
};
