/* A switch with a port for each process, or several: a port takes one message each way at a time, or one at all. */
#include "analysis/collective/cost.h"
#include "graph/base/spec.h"
#include "texts/cost.h"

static int switch_open(struct cost *c, const struct spec *spec, const struct cost_network *, struct err *err)
{
    static const char *const both[] = { "both", "one", NULL };
    int one;

    if (cost_wired(c, spec, err) < 0 || spec_choice(&one, spec, "ways", both, err) < 0)
        return -1;
    c->o = one;
    return cost_ports(c, spec, err);
}

static double switch_send(struct cost *c, int from, int to, double bytes, double *time, struct err *)
{
    double *out = cost_port(c, 0, from), *in = cost_port(c, !(c->o > 0), to);
    const double end = fmax(*time, fmax(*out, *in)) + c->b * bytes;

    *out = *in = c->serial ? end + c->a : end;
    return end + c->a;
}

/* When a port of each is free, at once. */
static int switch_copy(struct cost *c, int from, double bytes, double *time, double *arrival, struct err *)
{
    double end = fmax(*time, *cost_port(c, 0, from));

    for (int p = 0; p < c->n; p++)
        end = p == from ? end : fmax(end, *cost_port(c, !(c->o > 0), p));
    end += c->b * bytes;
    for (int p = 0; p < c->n; p++) {
        *cost_port(c, p != from && !(c->o > 0), p) = c->serial ? end + c->a : end;
        arrival[p] = end + c->a;
    }
    return 0;
}

const struct cost_kind cost_switch = {
    COST_SWITCH_ENTRY,
    .open = switch_open,
    .send = switch_send,
    .copy = switch_copy,
    .alone = cost_alone,
    .gap = cost_gap
};
