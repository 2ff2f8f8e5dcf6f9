/* Dimension order, the one or the other way round, with probability 1/2 each: the last dimension first as dor goes, or
 * the first dimension first, which is dor over the corner where the first dimension is done. */
#include "model/routing/route.h"
#include "texts/route.h"

static bool route_o1turn_fits(const struct net *net)
{
    return net->ndim == 2 && net->lines == LINES_GRID;
}

static int route_o1turn_open(struct routing *r, const struct spec *spec, struct err *err)
{
    char base[160];

    if (spec_no_params(spec, err) < 0 || routing_base(r, spec, NULL, err) < 0)
        return -1;
    r->invariant = r->base->invariant;
    return spec_append(&r->spec, err, "o1turn%s", routing_base_spec(spec, base));
}

static int route_o1turn_ways(struct ways *w, struct routing *r, const char *, int source, int target, struct err *err)
{
    const int row = r->net->size[1], corner = target / row * row + source % row;
    const bool two = corner != source && corner != target;

    if (two && ways_add(w, (const int[]){ corner, target }, 2, 0.5, err) < 0)
        return -1;
    return ways_add(w, &target, 1, two ? 0.5 : 1, err);
}

const struct route route_o1turn = {
    ROUTE_O1TURN_ENTRY,
    .minimal = true,
    .fits = route_o1turn_fits,
    .open = route_o1turn_open,
    .ways = route_o1turn_ways
};
