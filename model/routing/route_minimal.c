/* Minimal paths whose next node is the smallest. */
#include "model/routing/route.h"
#include "graph/distance/towards.h"
#include "texts/route.h"

static void route_minimal_release(void *state)
{
    towards_close(state);
}

static int route_minimal_open(struct routing *r, const struct spec *spec, struct err *err)
{
    return spec_no_params(spec, err) < 0 ? -1 : towards_open(r->state, r->net, "minimal paths", err);
}

static int route_minimal_next(struct hop *hop, size_t *n, struct routing *r, int node, int, int target,
                              struct err *err)
{
    struct towards *t = r->state;
    size_t at;
    int hops;

    *n = 1;
    if (towards_begin(t, target, err) < 0)
        return -1;
    hops = towards_hops(t, node);
    at = hops > 0 ? towards_nearer(t, node, hops, t->ahead->first[node]) : t->ahead->first[node + 1];   /* ascending */
    if (at == t->ahead->first[node + 1])
        return routing_no_path(r, node, target, err);
    *hop = (struct hop){ t->ahead->to[at], 1, 0 };
    return 0;
}

const struct route route_minimal = {
    ROUTE_MINIMAL_ENTRY,
    .minimal = true,
    .fits = route_fits_any,
    .state = sizeof(struct towards),
    .open = route_minimal_open,
    .close = route_minimal_release,
    .next = route_minimal_next
};
