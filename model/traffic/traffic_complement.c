#include "model/traffic/traffic.h"

static int complement_to(const struct net *net, int index)
{
    return net->nterminal - 1 - index;
}

const struct traffic_kind traffic_complement = {
    .name = "complement",
    .summary = "the i-th terminal to the i-th from the end: all coordinates mirrored, all binary digits inverted",
    .source = "Dally and Towles 2004, table 3.1",
    .notes = "Of an odd number of terminals the middle one does not send.",
    .example = "complement",
    .example_net = "torus:5x3",
    .to = complement_to,
    .open = traffic_permute
};
