#include "graph/numeric/rng.h"

static uint64_t rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void rng_seed(struct rng *rng, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        rng->s[i] = rng_mix(seed += 0x9e3779b97f4a7c15u);
}

uint64_t rng_next(struct rng *rng)
{
    uint64_t *s = rng->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return result;
}

uint64_t rng_below(struct rng *rng, uint64_t n)
{
    __extension__ typedef unsigned __int128 wide;
    wide m = (wide)rng_next(rng) * n;

    if ((uint64_t)m < n) {
        uint64_t least = (0 - n) % n;

        while ((uint64_t)m < least)
            m = (wide)rng_next(rng) * n;
    }
    return (uint64_t)(m >> 64);
}

void rng_shuffle(struct rng *rng, int *v, size_t n)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)rng_below(rng, i);
        int swap = v[i - 1];

        v[i - 1] = v[j];
        v[j] = swap;
    }
}
