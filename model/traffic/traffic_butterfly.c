#include "model/traffic/traffic.h"
#include "texts/traffic.h"

/* Most and least significant digit exchanged. */
static int butterfly_to(const struct net *net, int index)
{
    int top = traffic_bits(net) - 1, differ = (index ^ index >> top) & 1;

    return index ^ (differ << top | differ);
}

const struct traffic_kind traffic_butterfly = {
    TRAFFIC_BUTTERFLY_ENTRY,
    .needs = traffic_need_bits,
    .to = butterfly_to,
    .open = traffic_permute
};
