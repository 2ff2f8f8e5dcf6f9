#include "model/routing/chosen.h"
#include "graph/base/order.h"
#include "graph/topology/topo.h"

int chosen_begin(struct chosen *c, struct net *net, struct err *err)
{
    return routing_open(&c->all, net, "ecmp", err) < 0 || TAKE("next hops", err, ARRAY(c->hop, c->all.most)) < 0 ? -1 :
        net->group || net->cables.parallel ? 0 : towards_open(&c->towards, net, "next hops", err);
}

int chosen_open(struct routing *r, const struct spec *spec, chosen_rule *rule, struct err *err)
{
    struct chosen *c = r->state;

    c->rule = rule;
    return spec_no_params(spec, err) < 0 ? -1 : chosen_begin(c, r->net, err);
}

void chosen_close(void *state)
{
    struct chosen *c = state;

    routing_close(&c->all);
    towards_close(&c->towards);
    free(c->hop);
}

ORDER(ascending, struct hop, UP(node))

int chosen_all(size_t *n, struct chosen *c, int node, int in, int target, struct err *err)
{
    if (c->all.route->next(c->hop, n, &c->all, node, in, target, err) < 0)
        return -1;
    if (*n > 1 && c->all.net->group)    /* elsewhere they ascend already */
        qsort(c->hop, *n, sizeof *c->hop, ascending);
    return 0;
}

/* The place in c->hop, of `many`, of what is chosen among the ports of the whole tree; many: none of them is left. */
static size_t chosen_port(const struct chosen *c, const struct net *net, int node, int target, size_t many)
{
    struct topo_up up = { 0 };
    const int n = net->cables.failed && !net->cables.parallel && topo_tree_levels(net) ?
        topo_tree_up(&up, net, node, target) : 0;
    const int rule = n > 1 ? (int)c->rule(net, node, target, (size_t)n) : 0;

    for (int k = 0; k < n; k++)
        for (size_t i = 0; i < many; i++)
            if (c->hop[i].node == up.first + (rule + k) % n)
                return i;
    return many;
}

/* The nodes alone of what chosen_all would say; 0: to ask that. */
static size_t chosen_nodes(struct chosen *c, int node, int target)
{
    const struct csr *ahead = c->towards.ahead;
    struct err none;
    size_t n = 0;
    int hops;

    if (!ahead || towards_begin(&c->towards, target, &none) < 0)
        return 0;
    hops = towards_hops(&c->towards, node);
    for (size_t i = ahead->first[node]; hops > 0; i++) {
        i = towards_nearer(&c->towards, node, hops, i);
        if (i == ahead->first[node + 1])
            break;
        c->hop[n++].node = ahead->to[i];
    }
    return n;
}

int chosen_next(struct hop *hop, size_t *n, struct routing *r, int node, int in, int target, struct err *err)
{
    struct chosen *c = r->state;
    size_t many = chosen_nodes(c, node, target), cables = 0, which;
    const bool single = many > 0;

    if (!single && chosen_all(&many, c, node, in, target, err) < 0)
        return -1;
    *n = 1;
    which = chosen_port(c, r->net, node, target, many);
    if (which < many) {
        *hop = (struct hop){ c->hop[which].node, 1, 1 };
        return 0;
    }
    if (single) {
        which = many > 1 ? c->rule(r->net, node, target, many) : 0;
        *hop = (struct hop){ c->hop[which].node, 1, 1 };
        return 0;
    }
    for (size_t i = 0; i < many; i++)
        cables += route_ecmp_cables(&c->all, node, c->hop[i].node);
    which = cables > 1 ? c->rule(r->net, node, target, cables) : 0;
    for (size_t i = 0;; i++) {
        const size_t here = route_ecmp_cables(&c->all, node, c->hop[i].node);

        if (which < here) {
            *hop = (struct hop){ c->hop[i].node, 1, (int)which + 1 };
            return 0;
        }
        which -= here;
    }
}
