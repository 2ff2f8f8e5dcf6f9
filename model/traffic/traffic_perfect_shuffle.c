#include "model/traffic/traffic.h"
#include "texts/traffic.h"

/* Digits rotated to the left by one. */
static int perfect_shuffle_to(const struct net *net, int index)
{
    int n = net->nterminal;

    return index < n / 2 ? 2 * index : 2 * (index - n / 2) + 1;
}

const struct traffic_kind traffic_perfect_shuffle = {
    .name = "perfect-shuffle",
    TRAFFIC_PERFECT_SHUFFLE_TEXT,
    .source = "Dally and Towles 2004, table 3.1; thesis on Distributed Routing Balancing (D. Franco), section 6.2.3",
    .example = "perfect-shuffle",
    .example_net = "mesh:4x8",
    .needs = traffic_need_bits,
    .to = perfect_shuffle_to,
    .open = traffic_permute
};
