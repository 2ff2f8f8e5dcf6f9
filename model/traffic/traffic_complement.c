#include "model/traffic/traffic.h"

static int complement_to(const struct net *net, int index)
{
    return net->nterminal - 1 - index;
}

const struct traffic_kind traffic_complement = {
    .name = "complement",
    .summary = "the i-th terminal to the i-th from the end (coordinates mirrored, binary digits inverted)",
    .source = "Dally and Towles 2004, table 3.1",
    .notes = "With an odd number of terminals the one in the middle does not send.",
    .example = "complement",
    .example_net = "torus:5x3",
    .to = complement_to,
    .open = traffic_permute
};
