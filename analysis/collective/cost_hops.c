/* Steps of one unit: messages stored and forwarded hop by hop, by the rules of broadcasts in steps (analysis/broadcast/
 * broadcast.h), whatever their size. A process never waits to send: what it has begun goes in order, when it can. */
#include <math.h>

#include "analysis/broadcast/cycles_ways.h"
#include "analysis/broadcast/steps.h"
#include "analysis/collective/cost.h"
#include "graph/base/grow.h"
#include "graph/base/mem.h"

struct hops {
    struct steps steps;
    struct routing routing;
    struct cycles_links links;
    const struct placement *placement;
    struct broadcast_watch watch;
    size_t *letter;                     /* by message of the steps */
    double *bytes;
    size_t room;
    int told, under_way;                /* deliveries of the unit that were told; messages that were not */
};

static void hops_close(struct cost *c)
{
    struct hops *h = c->state;

    steps_release(&h->steps);
    routing_close(&h->routing);
    cycles_links_release(&h->links);
    FREE(h->letter, h->bytes);
}

static int hops_open(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err)
{
    struct hops *h = c->state;

    h->placement = w->placement;
    if (cost_how(c, spec, err) < 0 || placement_single(w->placement, w->net, err) < 0 ||
        routing_open(&h->routing, w->net, routing_usual(w->routing, w->net, ROUTING_FOR_TREES), err) < 0 ||
        cycles_links_open(&h->links, w->net, err) < 0)
        return -1;
    c->a = 1;
    c->o = c->ports == 1;
    return cost_room(c, 0, h->links.trunks.csr->m, err);
}

static int hops_step(void *arg, const struct broadcast_step *step, struct err *err)
{
    struct cost *c = arg;
    const struct hops *h = c->state;

    (void)err;
    c->carried[csr_link(h->links.trunks.csr, step->link_from, step->link_to)] += h->bytes[step->number];
    c->hops++;
    return 0;
}

static int hops_begin(struct cost *c, struct err *err)
{
    struct hops *h = c->state;

    steps_release(&h->steps);
    h->watch = (struct broadcast_watch){ hops_step, c };
    h->steps = (struct steps){ .where = h->placement, .root = c->root, .routing = &h->routing,
                               .how = { c->ports, c->serial }, .watch = &h->watch };
    h->told = h->under_way = 0;
    return steps_open(&h->steps, c->n, err);
}

static int hops_start(struct cost *c, size_t letter, int from, int to, double bytes, double *time, struct err *err)
{
    struct hops *h = c->state;
    const size_t k = (size_t)h->steps.nmessage;

    (void)time;
    if (GROW(&h->room, k + 1, "messages in steps", err, GROWN(h->letter), GROWN(h->bytes)) < 0)
        return -1;
    h->letter[k] = letter;
    h->bytes[k] = bytes;
    h->under_way++;
    return steps_post(&h->steps, tree_process(from, c->n - c->root, c->n), tree_process(to, c->n - c->root, c->n), err);
}

static double hops_next(const struct cost *c)
{
    const struct hops *h = c->state;

    if (h->told < h->steps.nreached)
        return (double)h->steps.matching.unit;
    return h->under_way ? (double)h->steps.matching.unit + 1 : INFINITY;
}

static int hops_pass(struct cost *c, size_t *letter, struct err *err)
{
    struct hops *h = c->state;

    if (h->told == h->steps.nreached) {
        h->told = 0;
        if (steps_unit(&h->steps, err) < 0)
            return -1;
    }
    if (h->told < h->steps.nreached) {
        *letter = h->letter[h->steps.reached[h->told++].message];
        h->under_way--;
    }
    return 0;
}

static const struct spec_key keys[] = {
    { "ports", "K|all", "messages that a process sends at once (default: 1)" },
    { "blocking", "yes|no", "whether its next one waits until these are delivered (default: yes with one port)" },
    { NULL, NULL, NULL }
};

const struct cost_kind cost_hops = {
    .name = "hops",
    .synopsis = "hops[,ports=K|all][,blocking=yes|no]",
    .summary = "steps: a message crosses a link a unit, stored and forwarded, and a terminal does one thing a unit",
    .source = "paper on reconfigurable MPI collectives, section 5",
    .notes = "A message over n links takes T = n where it waits for none. The rules of `metapath bcast` in steps, "
        "for any algorithm: a terminal receives, forwards or sends in a "
        "unit, a switch is bounded by its links alone, and who could send first, or has the lesser rank relative to "
        "the root, is tried first. The size of messages, and lengths of links, are nothing to it.",
    .network = true,
    .steps = true,
    .example = "hops",
    .keys = keys,
    .room = sizeof(struct hops),
    .open = hops_open,
    .close = hops_close,
    .begin = hops_begin,
    .start = hops_start,
    .next = hops_next,
    .pass = hops_pass,
    .alone = cost_alone,
    .gap = cost_work
};
