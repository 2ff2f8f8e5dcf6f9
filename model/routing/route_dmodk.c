/* D-mod-k on a three-level fat tree: a switch of level l (edge 0, aggregation 1, core 2) with w_l links up sends
 * towards host i over link floor(i / (w_0 ... w_{l-1})) mod w_l. Here w_0 = w_1 = K/2; core switches have no way up,
 * and the way down is unique. Where that link failed, or no shortest path is left through it, the next of the same switch
 * takes its place (chosen.h). A target that is a switch has its own number for i: no traffic is for one. */
#include "graph/topology/topo.h"
#include "model/routing/chosen.h"
#include "texts/route.h"

static bool route_dmodk_fits(const struct net *net)
{
    return topo_fattree_ports(net) > 0;
}

static size_t dmodk_rule(const struct net *net, int node, int target, size_t n)
{
    const int k = topo_fattree_ports(net), edges = k * (k / 2) * (k / 2 + 1);     /* hosts, and switches at them */

    return (size_t)(node < edges ? target : target / (k / 2)) % n;
}

static int route_dmodk_open(struct routing *r, const struct spec *spec, struct err *err)
{
    return chosen_open(r, spec, dmodk_rule, err);
}

const struct route route_dmodk = {
    ROUTE_DMODK_ENTRY,
    .minimal = true,
    .fits = route_dmodk_fits,
    .state = sizeof(struct chosen),
    .open = route_dmodk_open,
    .close = chosen_close,
    .next = chosen_next
};
