#include "model/traffic/traffic.h"
#include "texts/traffic.h"

/* Digits in reverse order. */
static int bit_reversal_to(const struct net *net, int index)
{
    int reversed = 0;

    for (int i = traffic_bits(net); i > 0; i--, index >>= 1)
        reversed = reversed << 1 | (index & 1);
    return reversed;
}

const struct traffic_kind traffic_bit_reversal = {
    TRAFFIC_BIT_REVERSAL_ENTRY,
    .needs = traffic_need_bits,
    .to = bit_reversal_to,
    .open = traffic_permute
};
