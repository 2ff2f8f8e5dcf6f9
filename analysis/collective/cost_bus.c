/* A shared bus: bytes of one message after the other, first come first served. The latency runs beside the next
 * message's bytes, or holds the bus too. */
#include <math.h>

#include "analysis/collective/cost.h"
#include "graph/base/spec.h"

static int bus_open(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err)
{
    static const char *const latency[] = { "beside", "serial", NULL };
    int which;

    (void)w;
    if (cost_time(&c->a, c, spec, "a", NAN, err) < 0 || cost_rate(&c->b, c, spec, "rate", NAN, err) < 0 ||
        cost_frames(c, spec, err) < 0 || spec_choice(&which, spec, "latency", latency, err) < 0 ||
        cost_copies(c, spec, err) < 0)
        return -1;
    c->serial = which == 1;
    return cost_room(c, 1, 1, err);
}

static double bus_send(struct cost *c, int from, int to, double bytes, double *time, struct err *err)
{
    const double end = fmax(*time, c->free[0]) + c->b * bytes;

    (void)from;
    (void)to;
    (void)err;
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

static double bus_alone(const struct cost *c, double bytes)
{
    return c->a + c->b * cost_wire(c, bytes);
}

static double bus_gap(const struct cost *c, double bytes)
{
    return c->b * cost_wire(c, bytes) + (c->serial ? c->a : 0);
}

static const struct spec_key keys[] = {
    { "a", "TIME", "of a message, besides its bytes" },
    { "rate", "RATE", "of the bus" },
    { "multicast", "no|yes", "yes: all hear a message that is for all (default: no)" },
    { "latency", "beside|serial", "a beside the next message's bytes, or before them (default: beside)" },
    { "frame", "BYTES", "of payload in a packet (default: a message is one)" },
    { "header", "BYTES", "of a packet besides (default: 0)" },
    { NULL, NULL, NULL }
};

const struct cost_kind cost_bus = {
    .name = "bus",
    .synopsis = "bus,a=TIME,rate=RATE[,latency=serial][,multicast=yes][,frame=BYTES][,header=BYTES]",
    .summary = "a shared bus: the bytes of all messages one after the other",
    .source = "paper on reconfigurable MPI collectives, section 4",
    .example = "bus,a=179us,rate=88Mb/s,frame=1460,header=58",
    .keys = keys,
    .shared = true,
    .open = bus_open,
    .send = bus_send,
    .copy = bus_copy,
    .alone = bus_alone,
    .gap = bus_gap
};
