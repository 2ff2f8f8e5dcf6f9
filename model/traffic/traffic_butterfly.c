#include "model/traffic/traffic.h"

/* Most and least significant digit exchanged. */
static int butterfly_to(const struct net *net, int index)
{
    int top = traffic_bits(net) - 1, differ = (index ^ index >> top) & 1;

    return index ^ (differ << top | differ);
}

const struct traffic_kind traffic_butterfly = {
    .name = "butterfly",
    .summary = "to the terminal whose number has the first and last binary digit exchanged",
    .source = "thesis on Distributed Routing Balancing (D. Franco), section 6.2.3",
    .notes = "The number is the position among the terminals; their count must be a power of two.",
    .example = "butterfly",
    .example_net = "fattree:4",
    .needs = traffic_need_bits,
    .to = butterfly_to,
    .open = traffic_permute
};
