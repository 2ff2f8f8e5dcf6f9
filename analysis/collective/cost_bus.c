/* A shared bus: bytes of one message after the other, first come first served. The latency runs beside the next
 * message's bytes, or holds the bus too. */
#include "analysis/collective/cost.h"
#include "texts/cost.h"

static int bus_open(struct cost *c, const struct spec *spec, const struct cost_network *, struct err *err)
{
    return cost_wired(c, spec, err) < 0 ? -1 : cost_room(c, 1, 1, err);
}

static double bus_send(struct cost *c, int, int, double bytes, double *time, struct err *)
{
    const double end = fmax(*time, c->free[0]) + c->b * bytes;

    c->free[0] = c->serial ? end + c->a : end;
    c->carried[0] += bytes;
    return end + c->a;
}

static int bus_copy(struct cost *c, int from, double bytes, double *time, double *arrival, struct err *err)
{
    const double at = bus_send(c, from, from, bytes, time, err);

    for (int p = 0; p < c->n; p++)
        arrival[p] = at;
    return 0;
}

const struct cost_kind cost_bus = {
    COST_BUS_ENTRY,
    .shared = true,
    .open = bus_open,
    .send = bus_send,
    .copy = bus_copy,
    .alone = cost_alone,
    .gap = cost_gap
};
