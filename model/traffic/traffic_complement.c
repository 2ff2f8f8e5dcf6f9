#include "model/traffic/traffic.h"
#include "texts/traffic.h"

static int complement_to(const struct net *net, int index)
{
    return net->nterminal - 1 - index;
}

const struct traffic_kind traffic_complement = {
    TRAFFIC_COMPLEMENT_ENTRY,
    .to = complement_to,
    .open = traffic_permute
};
