/* Minimal paths whose next node is the smallest. A search from the target, against the links, level by level,
 * ends where a neighbour of the node asked about is reached, and is kept until another target is asked for. */

#include "model/routing/route.h"
#include "graph/distance/search.h"
#include "texts/route.h"

static void route_minimal_release(void *state)
{
    search_close(state);
}

static int route_minimal_open(struct routing *r, const struct spec *spec, struct err *err)
{
    return spec_no_params(spec, err) < 0 ? -1 : search_open(r->state, r->net, "minimal paths", err);
}

/* The smallest neighbour nearer to the target, as far as the search knows; -1 for none. A node not reached is
 * at least one hop beyond the last level: any neighbour that is reached is nearer. */
static int nearer(const struct search *s, int node)
{
    const struct csr *c = &s->ahead;
    const int hops = s->hops[node];

    if (hops == 1)
        return s->from;
    for (size_t i = c->first[node]; i < c->first[node + 1]; i++)    /* `to` ascends */
        if (hops < 0 ? s->hops[c->to[i]] >= 0 : s->hops[c->to[i]] == hops - 1)
            return c->to[i];
    return -1;
}

static int route_minimal_next(struct hop *hop, size_t *n, struct routing *r, int node, int in, int target,
                              struct err *err)
{
    struct search *s = r->state;

    (void)in;
    search_begin(s, target, true);
    *n = 1;
    *hop = (struct hop){ -1, 1, 0 };
    while ((hop->node = nearer(s, node)) < 0 && search_level(s))
        ;
    return hop->node < 0 ? routing_no_path(r, node, target, err) : 0;
}

const struct route route_minimal = {
    .name = "minimal",
    ROUTE_MINIMAL_TEXT,
    .source = "breadth-first search (Moore 1959) from the target",
    .minimal = true,
    .fits = route_fits_any,
    .state = sizeof(struct search),
    .open = route_minimal_open,
    .close = route_minimal_release,
    .next = route_minimal_next
};
