#include "model/traffic/traffic.h"
#include "texts/traffic.h"

static int complement_to(const struct net *net, int index)
{
    return net->nterminal - 1 - index;
}

const struct traffic_kind traffic_complement = {
    .name = "complement",
    TRAFFIC_COMPLEMENT_TEXT,
    .source = "Dally and Towles 2004, table 3.1",
    .example = "complement",
    .example_net = "torus:5x3",
    .to = complement_to,
    .open = traffic_permute
};
