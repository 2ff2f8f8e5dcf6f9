/* A switch with a port for each process: a port takes one message each way at a time, or one at all. */
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
    return cost_room(c, 2 * (size_t)c->n, err);
}

/* Of process `to`, for what it receives. */
static double *switch_in(const struct cost *c, int to)
{
    return &c->free[c->o > 0 ? to : c->n + to];
}

static double switch_send(struct cost *c, int from, int to, double bytes, double *time, struct err *err)
{
    double *out = &c->free[from], *in = switch_in(c, to);
    const double end = fmax(*time, fmax(*out, *in)) + c->b * cost_wire(c, bytes);

    (void)err;
    *out = *in = c->serial ? end + c->a : end;
    return end + c->a;
}

/* When the ports of all are free, at once. */
static int switch_copy(struct cost *c, int from, double bytes, double *time, double *arrival, struct err *err)
{
    double end = fmax(*time, c->free[from]);

    (void)err;
    for (int p = 0; p < c->n; p++)
        end = p == from ? end : fmax(end, *switch_in(c, p));
    end += c->b * cost_wire(c, bytes);
    for (int p = 0; p < c->n; p++) {
        *(p == from ? &c->free[p] : switch_in(c, p)) = c->serial ? end + c->a : end;
        arrival[p] = end + c->a;
    }
    return 0;
}

static const struct spec_key keys[] = {
    { "a", "TIME", "of a message, besides its bytes" },
    { "rate", "RATE", "of a port" },
    { "ways", "both|one", "both: a port sends and receives at once (default: both)" },
    { "latency", "beside|serial", "a beside the next message's bytes, or before them (default: beside)" },
    { "frame", "BYTES", "of payload in a packet (default: a message is one)" },
    { "header", "BYTES", "of a packet besides (default: 0)" },
    { "multicast", "no|yes", "yes: it copies a message to all ports at once (default: no)" },
    { NULL, NULL, NULL }
};

const struct cost_kind cost_switch = {
    .name = "switch",
    .synopsis = "switch,a=TIME,rate=RATE[,ways=one][,latency=serial][,multicast=yes][,frame=BYTES][,header=BYTES]",
    .summary = "a switch with a port for each process, which takes a message each way at a time",
    .source = "paper on reconfigurable MPI collectives, section 4",
    .example = "switch,a=179us,rate=88Mb/s,frame=1460,header=58",
    .keys = keys,
    .open = switch_open,
    .send = switch_send,
    .copy = switch_copy
};
