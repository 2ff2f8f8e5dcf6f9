/* Universal globally-adaptive load balancing: each message goes the minimal way, or Valiant's. Shares by pair of source
 * and target, those of the fixed point (balance.h). */
#include <stdio.h>

#include "analysis/policy/balance.h"
#include "texts/policy.h"

static const struct spec_key keys[] = {
    { "queue", "local|global", "the queue that a source sees: at the first link after its switch, with what the link's "
      "credits show of the buffers behind it, or at all links of a way (default: local)" },
    { "by", "terminal|group", "what Valiant's ways go over (default: group where there are groups)" },
    { "base", "ROUTING", "the minimal way, and the way from stop to stop: a routing with a single path (default: lgl "
      "where there are groups, dor where there are dimensions, dmodk on fat trees, else spread)" },
    { NULL, NULL, NULL }
};
static const char *const queue_choices[] = { "local", "global", NULL };

static int ugal_add(struct configurations *c, struct net *net, const char *spec, const char *name, struct err *err)
{
    struct routing r = { 0 };
    int ret = routing_open(&r, net, spec, err) < 0 ? -1 : configurations_add(c, &r, name, err);

    routing_close(&r);
    return ret;
}

static int ugal_among(struct configurations *c, const struct spec *spec, struct net *net, const struct traffic *traffic,
                      struct err *err)
{
    const bool groups = net_grouped(net);
    const char *by = spec_get(spec, "by"), *base = spec_get(spec, "base");
    const char *way = base ? base : groups ? "lgl" : routing_usual(NULL, net, ROUTING_FOR_TREES);
    char text[300];
    int queue;

    (void)traffic;
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
    .name = "ugal",
    .seen = true,
    .synopsis = "ugal[,queue=local|global][,by=...][,base=...]",
    POLICY_UGAL_TEXT,
    .source = "Singh 2005 (Load-balanced routing in interconnection networks); Kim, Dally, Scott and Abts 2008",
    .example = "ugal,queue=global",
    .example_net = "dragonfly,a=4,p=2,h=2",
    .keys = keys,
    .among = ugal_among,
    .open = ugal_open,
    .close = balance_close,
    .saturation = balance_saturation,
    .solve = balance_solve
};
