/* Universal globally-adaptive load balancing: each message goes the minimal way, or Valiant's. Shares by pair of source
 * and target, those of the fixed point (balance.h). */
#include "analysis/policy/balance.h"
#include "texts/policy.h"

static const char *const queue_choices[] = { "local", "global", NULL };

static int ugal_add(struct configurations *c, struct net *net, const char *spec, const char *name, struct err *err)
{
    struct routing r = { 0 };
    int ret = routing_open(&r, net, spec, err) < 0 ? -1 : configurations_add(c, &r, name, err);

    routing_close(&r);
    return ret;
}

static int ugal_among(struct configurations *c, const struct spec *spec, struct net *net, const struct traffic *,
                      struct err *err)
{
    const bool groups = net_grouped(net);
    const char *by = spec_get(spec, "by"), *base = spec_get(spec, "base");
    const char *way = base ? base : groups ? "lgl" : routing_usual(NULL, net, ROUTING_FOR_TREES);
    char text[300];
    int queue;

    snprintf(text, sizeof text, "valiant,by=%.120s,base=%.120s", by ? by : groups ? "group" : "terminal", way);
    if (spec_no_params(spec, err) < 0 || spec_choice(&queue, spec, "queue", queue_choices, err) < 0 ||
        ugal_add(c, net, way, "minimal", err) < 0 || ugal_add(c, net, text, "valiant", err) < 0)
        return -1;
    return spec_append(&c->spec, err, "%s%s%s%s%s", queue ? ",queue=global" : "", by ? ",by=" : "", by ? by : "",
                       base ? ",base=" : "", base ? base : "");
}

static int ugal_open(struct policy *p, const struct spec *spec, struct err *err)
{
    int queue;

    return spec_choice(&queue, spec, "queue", queue_choices, err) < 0 ? -1 :
        balance_open(p, queue ? BALANCE_GLOBAL : BALANCE_LOCAL, err);
}

const struct policy_kind policy_ugal = {
    POLICY_UGAL_ENTRY,
    .seen = true,
    .among = ugal_among,
    .open = ugal_open,
    .close = balance_close,
    .saturation = balance_saturation,
    .solve = balance_solve
};
