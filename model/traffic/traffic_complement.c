#include "model/traffic/traffic.h"

static int complement_to(const struct net *net, int index)
{
    return net->nterminal - 1 - index;
}

static int complement_open(struct traffic *t, const struct spec *spec, struct net *net, struct err *err)
{
    (void)net;
    return traffic_permute(t, spec, complement_to, err);
}

const struct traffic_kind traffic_complement = {
    .name = "complement",
    .synopsis = "complement",
    .summary = "the i-th terminal to the i-th from the end: all coordinates mirrored, all binary digits inverted",
    .source = "Dally and Towles 2004, table 3.1",
    .notes = "Of an odd number of terminals the middle one does not send.",
    .example = "complement",
    .example_net = "torus:5x3",
    .open = complement_open
};
