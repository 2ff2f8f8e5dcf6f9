/* rng.h -- xoshiro256** (Blackman and Vigna 2018), seeded by splitmix64: same seed, same numbers, anywhere. */
#pragma once

#include "graph/base/base.h"

struct rng {
    uint64_t s[4];
};

/* One to one, every bit of many: the last step of splitmix64 (Steele, Lea and Flood 2014). */
static inline uint64_t rng_mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}
void rng_seed(struct rng *rng, uint64_t seed);
uint64_t rng_next(struct rng *rng);
/* Uniform in 0..n-1, without bias (Lemire 2019). n > 0. */
uint64_t rng_below(struct rng *rng, uint64_t n);
/* Uniform in [0, 1): multiples of 2^-53. */
static inline double rng_uniform(struct rng *rng)
{
    return (double)(rng_next(rng) >> 11) * 0x1p-53;
}
void rng_shuffle(struct rng *rng, int *v, size_t n);
