#include "model/traffic/traffic.h"

/* Digits in reverse order. */
static int bit_reversal_to(const struct net *net, int index)
{
    int reversed = 0;

    for (int i = traffic_bits(net); i > 0; i--, index >>= 1)
        reversed = reversed << 1 | (index & 1);
    return reversed;
}

const struct traffic_kind traffic_bit_reversal = {
    .name = "bit-reversal",
    .summary = "to the terminal whose number has the binary digits in reverse order",
    .source = "Dally and Towles 2004, table 3.1; thesis on Distributed Routing Balancing (D. Franco), section 6.2.3",
    .notes = "The number is the position among the terminals; their count must be a power of two.",
    .example = "bit-reversal",
    .example_net = "hypercube:5",
    .needs = traffic_need_bits,
    .to = bit_reversal_to,
    .open = traffic_permute
};
