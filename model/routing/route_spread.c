/* Static spreading by a hash, as switches do it: a fixed function of the target's and the node's number, so that every
 * machine, run and seed gives the same paths. With z = target x 2^32 + node, the second step of splitmix64 gives
 *     z ^= z >> 30;  z *= bf58476d1ce4e5b9;  z ^= z >> 27;  z *= 94d049bb133111eb;  z ^= z >> 31      (hexadecimal)
 * after z += 9e3779b97f4a7c15; of n cables to next hops, in ascending order, it is number
 * floor(n x (z >> 32) / 2^32), from 0. */
#include "model/routing/chosen.h"
#include "texts/route.h"

static size_t spread_rule(const struct net *, int node, int target, size_t n)
{
    uint64_t z = ((uint64_t)target << 32 | (uint32_t)node) + 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    z ^= z >> 31;
    return (size_t)((z >> 32) * n >> 32);
}

static int route_spread_open(struct routing *r, const struct spec *spec, struct err *err)
{
    return chosen_open(r, spec, spread_rule, err);
}

const struct route route_spread = {
    ROUTE_SPREAD_ENTRY,
    .minimal = true,
    .fits = route_fits_any,
    .state = sizeof(struct chosen),
    .open = route_spread_open,
    .close = chosen_close,
    .next = chosen_next
};
