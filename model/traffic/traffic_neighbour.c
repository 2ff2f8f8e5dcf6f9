#include "model/traffic/traffic.h"
#include "texts/traffic.h"

/* One up in every dimension. */
static int neighbour_to(const struct net *net, int index)
{
    int c[32], node = 0;

    net_coordinates(net, index, c);
    for (int d = 0; d < net->ndim; d++)
        node = node * net->size[d] + (c[d] + 1) % net->size[d];
    return node;
}

const struct traffic_kind traffic_neighbour = {
    TRAFFIC_NEIGHBOUR_ENTRY,
    .needs = traffic_need_dimensions,
    .to = neighbour_to,
    .open = traffic_permute
};
