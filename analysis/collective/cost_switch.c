/* A switch with a port for each process, or several: a port takes one message each way at a time, or one at all. */
#include <math.h>

#include "analysis/collective/cost.h"
#include "graph/base/spec.h"

static int switch_open(struct cost *c, const struct spec *spec, const struct cost_network *w, struct err *err)
{
    static const char *const both[] = { "both", "one", NULL }, *const latency[] = { "beside", "serial", NULL };
    int one, serial;

    (void)w;
    if (cost_time(&c->a, c, spec, "a", NAN, err) < 0 || cost_rate(&c->b, c, spec, "rate", NAN, err) < 0 ||
        cost_frames(c, spec, err) < 0 || spec_choice(&one, spec, "ways", both, err) < 0 ||
        spec_choice(&serial, spec, "latency", latency, err) < 0 || cost_copies(c, spec, err) < 0)
        return -1;
    c->o = one;
    c->serial = serial == 1;
    return cost_ports(c, spec, err);
}

static double switch_send(struct cost *c, int from, int to, double bytes, double *time, struct err *err)
{
    double *out = cost_port(c, 0, from), *in = cost_port(c, !(c->o > 0), to);
    const double end = fmax(*time, fmax(*out, *in)) + c->b * bytes;

    (void)err;
    *out = *in = c->serial ? end + c->a : end;
    return end + c->a;
}

/* When a port of each is free, at once. */
static int switch_copy(struct cost *c, int from, double bytes, double *time, double *arrival, struct err *err)
{
    double end = fmax(*time, *cost_port(c, 0, from));

    (void)err;
    for (int p = 0; p < c->n; p++)
        end = p == from ? end : fmax(end, *cost_port(c, !(c->o > 0), p));
    end += c->b * bytes;
    for (int p = 0; p < c->n; p++) {
        *cost_port(c, p != from && !(c->o > 0), p) = c->serial ? end + c->a : end;
        arrival[p] = end + c->a;
    }
    return 0;
}

static double switch_alone(const struct cost *c, double bytes)
{
    return c->a + c->b * cost_wire(c, bytes) / c->ports;
}

static double switch_gap(const struct cost *c, double bytes)
{
    return c->ports == 1 ? c->b * cost_wire(c, bytes) + (c->serial ? c->a : 0) : 0;
}

static const struct spec_key keys[] = {
    { "a", "TIME", "of a message, besides its bytes" },
    { "rate", "RATE", "of a port" },
    { "ports", "K", "of each process (default: 1)" },
    { "multicast", "no|yes", "yes: it copies a message to all ports at once (default: no)" },
    { "ways", "both|one", "both: a port sends and receives at once (default: both)" },
    { "latency", "beside|serial", "a beside the next message's bytes, or before them (default: beside)" },
    { "frame", "BYTES", "of payload in a packet (default: a message is one)" },
    { "header", "BYTES", "of a packet besides (default: 0)" },
    { NULL, NULL, NULL }
};

const struct cost_kind cost_switch = {
    .name = "switch",
    .synopsis = "switch,a=TIME,rate=RATE[,ports=K][,multicast=yes][,ways=one][,latency=serial][,frame=BYTES][,header=BYTES]",
    .summary = "a switch with a port for each process, which takes a message each way at a time",
    .source = "paper on reconfigurable MPI collectives, section 4",
    .example = "switch,a=179us,rate=88Mb/s,frame=1460,header=58",
    .keys = keys,
    .open = switch_open,
    .send = switch_send,
    .copy = switch_copy,
    .alone = switch_alone,
    .gap = switch_gap
};
