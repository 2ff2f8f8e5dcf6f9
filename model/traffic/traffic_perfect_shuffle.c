#include "model/traffic/traffic.h"

/* Digits rotated to the left by one. */
static int perfect_shuffle_to(const struct net *net, int index)
{
    int n = net->nterminal;

    return index < n / 2 ? 2 * index : 2 * (index - n / 2) + 1;
}

const struct traffic_kind traffic_perfect_shuffle = {
    .name = "perfect-shuffle",
    .summary = "to the terminal whose number has the binary digits rotated left by one",
    .source = "Dally and Towles 2004, table 3.1; thesis on Distributed Routing Balancing (D. Franco), section 6.2.3",
    .notes = "The number is the position among the terminals; their count must be a power of two.",
    .example = "perfect-shuffle",
    .example_net = "mesh:4x8",
    .needs = traffic_need_bits,
    .to = perfect_shuffle_to,
    .open = traffic_permute
};
