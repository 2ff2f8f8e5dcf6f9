#include "model/traffic/traffic.h"
#include "texts/traffic.h"

/* Digits rotated to the left by one. */
static int perfect_shuffle_to(const struct net *net, int index)
{
    int n = net->nterminal;

    return index < n / 2 ? 2 * index : 2 * (index - n / 2) + 1;
}

const struct traffic_kind traffic_perfect_shuffle = {
    TRAFFIC_PERFECT_SHUFFLE_ENTRY,
    .needs = traffic_need_bits,
    .to = perfect_shuffle_to,
    .open = traffic_permute
};
