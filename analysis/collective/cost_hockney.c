/* Hockney: a + b m a message, over ports: a process sends so many at a time and receives so many, both at once. */
#include "analysis/collective/cost.h"
#include "texts/cost.h"

static int hockney_open(struct cost *c, const struct spec *spec, const struct cost_network *, struct err *err)
{
    if (cost_wired(c, spec, err) < 0)
        return -1;
    c->serial = true;
    return cost_ports(c, spec, err);
}

static double hockney_send(struct cost *c, int from, int to, double bytes, double *time, struct err *)
{
    double *out = cost_port(c, 0, from), *in = cost_port(c, 1, to);
    const double start = fmax(*time, fmax(*out, *in));

    *out = *in = start + c->a + c->b * bytes;
    return *out;
}

const struct cost_kind cost_hockney = {
    COST_HOCKNEY_ENTRY,
    .open = hockney_open,
    .send = hockney_send,
    .alone = cost_alone,
    .gap = cost_gap
};
