#include "model/routing/adaptive.h"
#include "model/routing/chosen.h"

static int adaptive_next(struct hop *hop, size_t *n, struct routing *r, int node, int in, int target, struct err *err)
{
    struct chosen *c = r->state;
    size_t one, at = 1;

    if (chosen_all(n, c, node, in, target, err) < 0 ||
        r->escape->route->next(hop, &one, r->escape, node, in, target, err) < 0)
        return -1;
    for (size_t i = 0; i < *n; i++)
        if (c->hop[i].node == hop->node)
            *hop = c->hop[i];
        else if (at < *n)
            hop[at++] = c->hop[i];
    return at == *n ? 0 :
        err_set(err, ERR_INTERNAL, "the escape '%s' leaves the shortest paths of %.200s", r->escape->spec,
                r->net->spec);
}

static const struct route adaptive = {
    .name = "adaptive",
    .minimal = true,
    .close = chosen_close,
    .next = adaptive_next
};

int adaptive_open(struct routing *out, struct net *net, struct routing *escape, struct err *err)
{
    struct routing r = { .route = &adaptive, .net = net, .escape = escape };
    struct chosen *c;

    if (!escape->route->minimal || !escape->route->next || escape->route->looks_back || escape->most > 1)
        return err_set(err, ERR_USAGE, "routing '%s' is no escape: that has a single path, a shortest one, as %s and "
                       "spread have", escape->spec, routing_usual(NULL, net, ROUTING_FOR_STOPS));
    if (!(r.state = c = calloc(1, sizeof *c)))
        return err_memory(err);
    if (chosen_begin(c, net, err) < 0 || spec_append(&r.spec, err, "adaptive") < 0) {
        routing_close(&r);
        return -1;
    }
    r.most = c->all.most;
    r.invariant = c->all.invariant && escape->invariant;
    r.symmetric = true;                             /* but for which comes first */
    *out = r;
    return 0;
}
