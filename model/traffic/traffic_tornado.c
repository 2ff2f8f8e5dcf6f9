#include "model/traffic/traffic.h"
#include "texts/traffic.h"

/* ceil(k/2) - 1 up in every dimension. */
static int tornado_to(const struct net *net, int index)
{
    int c[32], node = 0;

    net_coordinates(net, index, c);
    for (int d = 0; d < net->ndim; d++) {
        int k = net->size[d], by = k - k / 2 - 1;

        node = node * k + (c[d] < k - by ? c[d] + by : c[d] - (k - by));
    }
    return node;
}

const struct traffic_kind traffic_tornado = {
    TRAFFIC_TORNADO_ENTRY,
    .needs = traffic_need_dimensions,
    .to = tornado_to,
    .open = traffic_permute
};
