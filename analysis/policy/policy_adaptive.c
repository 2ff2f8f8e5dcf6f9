/* Fully adaptive minimal routing: a router sends a message over the hop before which it waits least. */
#include "analysis/policy/balance.h"
#include "model/routing/adaptive.h"
#include "texts/policy.h"

static int adaptive_among(struct configurations *c, const struct spec *spec, struct net *net, const struct traffic *,
                          struct err *err)
{
    const char *escape = spec_get(spec, "escape"), *order = spec_get(spec, "order"), *tie = spec_get(spec, "tie");
    static const char *const select[] = { "credits", "first", NULL };
    struct routing r = { 0 };
    char text[300];
    int which;

    snprintf(text, sizeof text, "%.80s%s%.100s%s%.60s", routing_usual(escape, net, ROUTING_FOR_TREES),
             order ? ",order=" : "", order ? order : "", tie ? ",tie=" : "", tie ? tie : "");
    if (spec_no_params(spec, err) < 0 || spec_choice(&which, spec, "select", select, err) < 0 ||
        routing_open(&c->inner[0], net, text, err) < 0)
        return -1;
    c->ninner = 1;
    if (adaptive_open(&r, net, &c->inner[0], err) < 0 || configurations_add(c, &r, "adaptive", err) < 0) {
        routing_close(&r);
        return -1;
    }
    return (escape || order || tie) && spec_append(&c->spec, err, ",escape=%s", c->inner[0].spec) < 0 ? -1 :
        which ? spec_append(&c->spec, err, ",select=%s", select[which]) : 0;
}

static int adaptive_begin(struct policy *p, const struct spec *spec, struct err *err)
{
    return spec_get(spec, "select") && strcmp(spec_get(spec, "select"), "first") == 0 ?
        err_set(err, ERR_DOMAIN, "select=first is simulated, and has no model: its shares are no balance of waits; "
                "`metapath simulate` takes it") : balance_open(p, BALANCE_HOPS, err);
}

const struct policy_kind policy_adaptive = {
    POLICY_ADAPTIVE_ENTRY,
    .seen = true,
    .among = adaptive_among,
    .open = adaptive_begin,
    .close = balance_close,
    .saturation = balance_saturation,
    .solve = balance_solve
};
