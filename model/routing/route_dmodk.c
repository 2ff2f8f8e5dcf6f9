/* D-mod-k on a fat tree: a switch of level l (hosts are level 0) with w_{l+1} parents sends towards host i to parent
 * j mod w_{l+1}, j = floor(i / (w_1 ... w_l)), and where each has several cables over number floor(j / w_{l+1}) of them,
 * round; the way down takes the cables that the way up would. Where that link failed, or no shortest path is left through
 * it, the next of the same switch takes its place (chosen.h). A target that is a switch has its own number for i: no
 * traffic is for one. */
#include "graph/topology/topo.h"
#include "model/routing/chosen.h"
#include "texts/route.h"

static bool route_dmodk_fits(const struct net *net)
{
    return topo_tree_levels(net) > 0;
}

static size_t dmodk_rule(const struct net *net, int node, int target, size_t n)
{
    struct topo_up up;
    const bool ports = topo_tree_up(&up, net, node, target) > 1 && up.cables > 1;
    const size_t j = (size_t)(target / up.roots), w = (size_t)up.n;

    return ports && n == w * (size_t)up.cables ? j % w * (size_t)up.cables + j / w % (size_t)up.cables : j % n;
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
