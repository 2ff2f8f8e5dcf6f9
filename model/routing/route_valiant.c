/* Over an intermediate node that is any terminal with the same probability. Over the source or the target itself means
 * straight there. */
#include "model/routing/route.h"

static const struct spec_key keys[] = { ROUTING_BASE_KEYS, { NULL, NULL, NULL } };

static int route_valiant_open(struct routing *r, const struct spec *spec, struct err *err)
{
    char base[160];

    if (spec_no_params(spec, err) < 0 || routing_base(r, spec, err) < 0)
        return -1;
    r->invariant = r->base->invariant && r->net->group && r->net->nterminal == r->net->n;
    return spec_append(&r->spec, err, "valiant%s", routing_base_spec(spec, base));
}

static int route_valiant_ways(struct ways *w, struct routing *r, const char *stream, int source, int target,
                              struct err *err)
{
    const double share = 1.0 / r->net->nterminal;
    int straight = 0;

    (void)stream;
    for (int i = 0; i < r->net->nterminal; i++) {
        const int stop[2] = { net_terminal(r->net, i), target };

        if (stop[0] == source || stop[0] == target)
            straight++;
        else if (ways_add(w, stop, 2, share, err) < 0)
            return -1;
    }
    return straight ? ways_add(w, &target, 1, straight * share, err) : 0;
}

const struct route route_valiant = {
    .name = "valiant",
    .synopsis = "valiant[,base=...][,order=...][,tie=...]",
    .summary = "over a random node to the destination: any traffic becomes uniform, on twice the links",
    .notes = "Every terminal is the intermediate node of the same share of messages. If it is the source or the "
        "destination itself, the message takes the direct path.",
    .source = "Valiant 1982; Dally and Towles 2004, section 9.1",
    .keys = keys,
    .over_any = true,
    .fits = route_fits_any,
    .open = route_valiant_open,
    .ways = route_valiant_ways
};
